import type { Clock } from '@wherry/clock';
import type { Logger, MetricsRegistry, Tracer } from '@wherry/telemetry';
import type { tlsVersions } from '@wherry/upgrade';
import type { AuditSettings } from './audit/audit-settings.ts';
import type { AuthenticationOptions } from './authentication/authentication-options.ts';
import type { AuthorizationOptions } from './authorization/authorization-options.ts';
import type { KubeletOptions } from './connect/kubelet-options.ts';
import type { Lookup } from './dialing/dial-guard.ts';
import type { RuntimeConfig } from './kinds/served-resources.ts';
import type { Store } from './store/store.ts';

/** A certificate that is shown to clients that say one of its names (SNI), in place of the server's own. */
export interface NamedCertificate {
  /** PEM, with intermediates. */
  certFile: string;
  keyFile: string;
  /** Host names, whose first label may be `*`. Default: the certificate's own. They go before those of certificates that are given none. */
  names?: readonly string[] | undefined;
}

/** What an API server is started with; names follow kube-apiserver's flags. */
export interface ApiserverOptions
  extends AuthenticationOptions,
    AuthorizationOptions,
    KubeletOptions,
    AuditSettings {
  /** The store lives here as `state.db`; made when missing. Has to be said where neither `etcdServers` nor `store` is. */
  dataDir?: string | undefined;
  /** What an acknowledged write survives in that folder: a loss of power, or the end of the process alone. Default `machine`. */
  durability?: 'machine' | 'process' | undefined;
  /** Default `0.0.0.0`. */
  bindAddress?: string | undefined;
  /** 0 picks a free one. Default 6443. */
  securePort?: number | undefined;
  /** Other servers may listen at the same address and port (SO_REUSEPORT); the kernel shares connections among them. Default false. */
  permitPortSharing?: boolean | undefined;
  /** Requests that one HTTP/2 connection may have at one time. Default, and 0: 100, as upstream. */
  http2MaxStreamsPerConnection?: number | undefined;
  /** HTTP/1.1 alone. Default false. */
  disableHttp2Serving?: boolean | undefined;
  /**
   * Probability that an HTTP/2 connection takes no more requests from one on (GOAWAY), so that clients spread over several
   * servers. Default 0.
   */
  goawayChance?: number | undefined;
  /**
   * Regular expressions for the origins whose pages may ask this server from browsers, with the credentials that those have. Each
   * says where the host begins (`^`, `//`) and ends (`$`, `:`). Default: none may.
   */
  corsAllowedOrigins?: readonly string[] | undefined;
  /** PEM, with intermediates. These files and the next are looked at every 5 s, and followed where they are valid. */
  tlsCertFile: string;
  tlsPrivateKeyFile: string;
  /** Certificates for clients that say a name (SNI), followed as well. Default: all are shown the one above. */
  tlsSniCertKeys?: readonly NamedCertificate[] | undefined;
  /** What every answer says in `Strict-Transport-Security`: `max-age=SECONDS`, `includeSubDomains`, `preload`. Default: nothing. */
  strictTransportSecurityDirectives?: readonly string[] | undefined;
  /** `VersionTLS12` or `VersionTLS13`. Default: the first. */
  tlsMinVersion?: (typeof tlsVersions)[number] | undefined;
  /** Suites of TLS 1.2 by their IANA names; those of 1.3 are always offered, as by Go. Default, and empty: Node's. */
  tlsCipherSuites?: readonly string[] | undefined;
  /** PEM of the certificate and key that extension servers (APIServices) know this server by. Default: they believe nobody. */
  proxyClientCertFile?: string | undefined;
  proxyClientKeyFile?: string | undefined;
  /** Resolves the host names of nodes. Default: the machine's resolver. */
  lookup?: Lookup | undefined;
  /** Admission plug-ins beyond the usual ones. Names that none has are refused. */
  enableAdmissionPlugins?: readonly string[] | undefined;
  /** Usual admission plug-ins to leave out. */
  disableAdmissionPlugins?: readonly string[] | undefined;
  /** YAML of an AdmissionConfiguration (apiserver.config.k8s.io/v1): what is said to which plug-in. Default: nothing. */
  admissionControlConfigFile?: string | undefined;
  /** How long pods that say nothing of it stay on a node that is not ready. Default 300. */
  defaultNotReadyTolerationSeconds?: number | undefined;
  /** The same of a node that can't be reached. */
  defaultUnreachableTolerationSeconds?: number | undefined;
  /** Which groups and resources to serve beyond, or short of, the usual. */
  runtimeConfig?: RuntimeConfig | undefined;
  /**
   * Cluster IPs of services are taken from here: a range, or one of each family, `10.96.0.0/16,fd00:10:96::/112`, the first
   * for services that name no family. Default `10.96.0.0/16`.
   */
  serviceClusterIpRange?: string | undefined;
  /** Where node ports of services are taken from: `FIRST-LAST`, `FIRST+MORE` or one port. Default `30000-32767`. */
  serviceNodePortRange?: string | undefined;
  /** The longest that a request may take, but for watches and streams: then it is answered 504. Above 0. Default 1 min. */
  requestTimeoutMs?: number | undefined;
  /** Reading requests and changes that are served at once; the levels share the sum, which is above 0. Default 400 and 200. */
  maxRequestsInflight?: number | undefined;
  maxMutatingRequestsInflight?: number | undefined;
  /** False: each of the two numbers is a bound of its own (0: none), and nobody waits for a place. Default true. */
  priorityAndFairness?: boolean | undefined;
  /** The shortest that a watch lasts whose client says no time, in seconds; it lasts up to twice as long. From 1 on. Default 1800. */
  minRequestTimeout?: number | undefined;
  /** How long events live. Default 1 h. */
  eventTtlMs?: number | undefined;
  /** What the `kubernetes` service's endpoints say. Default: the bind address, else the first address of this machine. */
  advertiseAddress?: string | undefined;
  /** Where clients outside find this server: in the documents of discovery, and in that of tokens. `HOST` or `HOST:PORT`. Default: {@link advertiseAddress}. */
  externalHostname?: string | undefined;
  /**
   * Who keeps the endpoints of the service `kubernetes`: `lease`: this server, with the others of its store; `none`: nobody. Default
   * `lease`.
   */
  endpointReconcilerType?: 'lease' | 'none' | undefined;
  /** So long a server that is told to end goes on, while `/readyz` says that it is not ready. Default 0. */
  shutdownDelayDurationMs?: number | undefined;
  /** Addresses of etcd's members, `http://HOST:PORT` or `https://HOST:PORT`: the store is there, in place of `dataDir`. */
  etcdServers?: readonly string[] | undefined;
  /** `GROUP/RESOURCE#URL;URL`: resources that another etcd keeps, by the same certificates and prefix. Only with {@link etcdServers}. */
  etcdServersOverrides?: readonly string[] | undefined;
  /** PEM of the authority that has certified etcd. Default: the machine's. */
  etcdCafile?: string | undefined;
  /** PEM of the certificate and key that etcd knows this server by. */
  etcdCertfile?: string | undefined;
  etcdKeyfile?: string | undefined;
  /** All keys in etcd begin with this. Default `/registry`. */
  etcdPrefix?: string | undefined;
  /** How often etcd's history is forgotten; 0: never by this server. Default five minutes. */
  etcdCompactionIntervalMs?: number | undefined;
  /** Etcd is alive, and ready, where it answers in this time. Default 2 s each. */
  etcdHealthcheckTimeoutMs?: number | undefined;
  etcdReadycheckTimeoutMs?: number | undefined;
  /** Keys that go by themselves share a lease of etcd so long at most. Default 60. */
  leaseReuseDurationSeconds?: number | undefined;
  /** Stored objects are counted anew for `/metrics` after this time; 0: they are not counted. Default a minute. */
  etcdCountMetricPollPeriodMs?: number | undefined;
  /** The size of the store is told anew after this time; 0: it is not told. Default 30 s. */
  etcdDbMetricPollIntervalMs?: number | undefined;
  /**
   * YAML of an EncryptionConfiguration (apiserver.config.k8s.io/v1): how which resources are encrypted where they are stored.
   * Default: none is. Not with {@link store}.
   */
  encryptionProviderConfig?: string | undefined;
  /** That file is looked at every 20 s, and followed where it is valid. Default false, as upstream. */
  encryptionProviderConfigAutomaticReload?: boolean | undefined;
  /**
   * YAML of an EgressSelectorConfiguration (apiserver.k8s.io/v1beta1): through which proxies connections of the types `cluster`,
   * `controlplane` and `etcd` are led. Default: all are dialled from here.
   */
  egressSelectorConfigFile?: string | undefined;
  /** In place of SQLite in `dataDir`; the server closes it. */
  store?: Store | undefined;
  /** Shown at `/flagz`: by which the process was started. Default: there is no such page. */
  flags?: Readonly<Record<string, string>> | undefined;
  clock?: Clock | undefined;
  logger?: Logger | undefined;
  metrics?: MetricsRegistry | undefined;
  /** Where spans of requests go; the server closes it. Default: none are made. */
  tracer?: Tracer | undefined;
}

/** A running API server. */
export interface Apiserver {
  /** `https://HOST:PORT`, with a loopback host when it listens everywhere. */
  readonly url: string;
  readonly port: number;
  /** Resolves with the reason when the store can't go on: end the process, and start it anew once the disk is well. */
  readonly failed: Promise<Error>;
  /** Ends watches, sessions and connections, then closes the store. Repeats are harmless. */
  close(): Promise<void>;
}

import type { OidcOptions } from '@wherry/apiserver';
import type { TracingSettings } from '@wherry/telemetry';

/** Flags of a process by their names without dashes, each as often as it has values: `{'event-ttl': ['10m']}`. */
export type GivenFlags = Readonly<Record<string, readonly string[]>>;

/** What a node may be told beyond its name and ports; kept with it, and changed by a later start. */
export interface NodeSettings {
  /** API groups and versions to serve or not, as kube-apiserver's `--runtime-config` has them: `{'apps/v1': true}`. */
  runtimeConfig?: Readonly<Record<string, boolean>> | undefined;
  /** Whether services of type LoadBalancer get this machine's address. Default: they do. */
  loadBalancer?: boolean | undefined;
  /** Fields of a KubeletConfiguration over those of every node; what the kubelet does not take, it refuses by name. */
  kubelet?: Readonly<Record<string, unknown>> | undefined;
  /** OCI runtimes beside the default one, by the handlers' names that RuntimeClasses say: `{crun: '/usr/bin/crun'}`. */
  runtimeHandlers?: Readonly<Record<string, string>> | undefined;
  /** Where plug-ins of the Node Resource Interface connect: an absolute path; null for nowhere, which is the default. */
  nriSocket?: string | null | undefined;
  /** Containers are brought back from images that are checkpoints, whose makers may do here what root may. Default: they are not. */
  restoreCheckpointImages?: boolean | undefined;
  /** Proxies towards registries. Default: those of the environment of whoever starts the node. */
  proxy?: ProxySettings | undefined;
  /** An identity provider by whose ID tokens the API server knows users too. Default: none. */
  oidc?: OidcOptions | undefined;
  /** Flags of the API server beyond those that the node gives it. What it does not know, and what the node decides, is refused by name. */
  apiserverFlags?: GivenFlags | undefined;
  /** The same of the controllers and the scheduler. */
  controllersFlags?: GivenFlags | undefined;
  /** Where the API server, the kubelet and the runtime send spans, and how many. Default: nowhere. */
  tracing?: TracingSettings | undefined;
}

/** Proxies, as the environment variables of that name have them; an empty text for none. */
export interface ProxySettings {
  httpProxy?: string | undefined;
  httpsProxy?: string | undefined;
  /** Hosts, domains and ranges that are reached without one, separated by commas. */
  noProxy?: string | undefined;
}

/** The environment of a process that reaches out through these proxies, and through no others. */
export function proxyEnvironment(
  { httpProxy = '', httpsProxy = '', noProxy = '' }: ProxySettings,
  environment: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  const given = { HTTP_PROXY: httpProxy, HTTPS_PROXY: httpsProxy, NO_PROXY: noProxy };
  const others = Object.entries(environment).filter(([name]) => !Object.hasOwn(given, name.toUpperCase()));
  return { ...Object.fromEntries(others), ...given };
}

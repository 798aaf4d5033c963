import type { Clock } from '@wherry/clock';
import type { Logger, MetricsRegistry, Tracer } from '@wherry/telemetry';

/** What {@link startKubelet} starts from; names as in upstream's flags. */
export interface StartKubeletOptions {
  /** Path of a `KubeletConfiguration` file, YAML or JSON. */
  config?: string | undefined;
  /** Folder of further such files, `*.conf`, which are merged over it in the order of their paths. */
  configDir?: string | undefined;
  /** The same as an object; used when `config` is not given. Default: upstream's defaults. */
  configuration?: unknown;
  /** Path of the kubeconfig. Without it the kubelet runs alone: pods from the manifest folder, no node object. */
  kubeconfig?: string | undefined;
  /** Path of a kubeconfig that may ask for a certificate. With it the kubelet makes `kubeconfig` where that is missing or over. */
  bootstrapKubeconfig?: string | undefined;
  /** Folder of pods' volumes and the kubelet's own state. Default `/var/lib/kubelet`. */
  rootDir?: string | undefined;
  /** Folder of certificates that it makes or asks for. Default `<rootDir>/pki`. */
  certDir?: string | undefined;
  /** Name of the node. Default: the machine's host name, lower case. */
  hostnameOverride?: string | undefined;
  /** Address of the node, or two with a comma between. Default: found. */
  nodeIp?: string | undefined;
  /** Labels to register with, each `key=value`. */
  nodeLabels?: readonly string[] | undefined;
  /** Path of a CredentialProviderConfig, or of a folder of them: which programs know logins of registries. */
  imageCredentialProviderConfig?: string | undefined;
  /** Folder of those programs. Both are given, or neither. */
  imageCredentialProviderBinDir?: string | undefined;
  /** Control group that the runtime is in, such as `/containerd`: its figures are told in the node's summary. */
  runtimeCgroups?: string | undefined;
  /** `external`: the node's addresses come from a cloud's controller, and it has that one's taint until then. Default: none. */
  cloudProvider?: string | undefined;
  /**
   * Upstream's flags that set fields of the configuration, by name without the dashes, each with its values as they were
   * typed; they stand above the files. The names: `kubeletConfigurationFlags` of `@wherry/kubelet/configuration-flags`.
   */
  configurationFlags?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Refuses exec, attach, run and portForward to callers that may only `get`, whatever the method. Default true. */
  strictStreaming?: boolean | undefined;
  /** The process is the kubelet's alone: the configuration's `oomScoreAdj` is applied to it. Default false. */
  ownsProcess?: boolean | undefined;
  /** Flags of the process and their values, as `/flagz` shows them. Without them there is no such page. */
  flags?: Readonly<Record<string, string>> | undefined;
  /** Sets the level of `logger`, as `-v` has it: what `PUT /debug/flags/v` does. Without it that is refused. */
  setVerbosity?: ((level: number) => void) | undefined;
  logger?: Logger | undefined;
  metrics?: MetricsRegistry | undefined;
  /** Where spans go; the kubelet closes it. Default: the collector that the configuration's `tracing` names, if any. */
  tracer?: Tracer | undefined;
  clock?: Clock | undefined;
}

/** A kubelet that runs. */
export interface Kubelet {
  nodeName: string;
  /** Port of the HTTPS server; 0 when it is switched off. */
  port: number;
  /** Ends the kubelet; containers run on, and the next kubelet takes them over. */
  close(): Promise<void>;
}

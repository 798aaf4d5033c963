import type { NodeAffinity, TopologySpreadConstraint } from '@wherry/kubeapi/objects';

/** A `KubeSchedulerConfiguration` of `kubescheduler.config.k8s.io/v1` with its defaults filled in, as files spell it. */
export interface SchedulerConfiguration {
  apiVersion: string;
  kind: string;
  parallelism: number;
  leaderElection: LeaderElectionConfiguration;
  clientConnection: ClientConnectionConfiguration;
  enableProfiling: boolean;
  enableContentionProfiling: boolean;
  percentageOfNodesToScore: number;
  podInitialBackoffSeconds: number;
  podMaxBackoffSeconds: number;
  profiles: SchedulerProfile[];
  extenders?: ExtenderConfiguration[];
  delayCacheUntilActive?: boolean;
}

/** Durations are Go's: `15s`. */
export interface LeaderElectionConfiguration {
  leaderElect: boolean;
  leaseDuration: string;
  renewDeadline: string;
  retryPeriod: string;
  resourceLock: string;
  resourceName: string;
  resourceNamespace: string;
}

export interface ClientConnectionConfiguration {
  kubeconfig: string;
  acceptContentTypes: string;
  contentType: string;
  qps: number;
  burst: number;
}

/** What pods that name it as their scheduler go by. */
export interface SchedulerProfile {
  schedulerName?: string;
  percentageOfNodesToScore?: number;
  plugins: Plugins;
  pluginConfig: PluginConfig[];
}

/** Where plug-ins take part, in upstream's order of looking at them. */
export const extensionPoints = [
  ...(['preFilter', 'filter', 'postFilter', 'reserve', 'preScore', 'score', 'preBind', 'bind'] as const),
  ...(['postBind', 'permit', 'preEnqueue', 'queueSort', 'placementGenerate', 'placementScore'] as const),
] as const;

export type ExtensionPoint = (typeof extensionPoints)[number];

/** Plug-ins by extension point; `multiPoint` means all of which a plug-in takes part. */
export type Plugins = Record<ExtensionPoint | 'multiPoint', PluginSet>;

export interface PluginSet {
  enabled?: Plugin[];
  disabled?: Plugin[];
}

export interface Plugin {
  name: string;
  weight?: number;
}

/** Arguments of one plug-in: those that take none may have any. */
export interface PluginConfig {
  name: string;
  args?: unknown;
}

/** Arguments by the plug-in's name, with their defaults. */
export interface PluginArguments {
  DefaultPreemption: { minCandidateNodesPercentage: number; minCandidateNodesAbsolute: number };
  DynamicResources: { filterTimeout: string; bindingTimeout: string };
  InterPodAffinity: { hardPodAffinityWeight: number; ignorePreferredTermsOfExistingPods: boolean };
  NodeAffinity: { addedAffinity?: NodeAffinity };
  NodeResourcesBalancedAllocation: { resources: ResourceSpec[] };
  NodeResourcesFit: {
    ignoredResources?: string[];
    ignoredResourceGroups?: string[];
    scoringStrategy: ScoringStrategy;
  };
  PodTopologySpread: { defaultConstraints?: TopologySpreadConstraint[]; defaultingType: 'System' | 'List' };
  VolumeBinding: { bindTimeoutSeconds: number; shape?: ShapePoint[] };
}

export interface ScoringStrategy {
  type?: string;
  resources: ResourceSpec[];
  requestedToCapacityRatio?: { shape?: ShapePoint[] };
}

export interface ResourceSpec {
  name: string;
  weight: number;
}

/** A corner of the line that leads from how full a node is, in percent, to a score of 0 to 10. */
export interface ShapePoint {
  utilization: number;
  score: number;
}

/** A server that has a say in where pods go. */
export interface ExtenderConfiguration {
  urlPrefix: string;
  filterVerb?: string;
  preemptVerb?: string;
  prioritizeVerb?: string;
  weight?: number;
  bindVerb?: string;
  enableHTTPS?: boolean;
  tlsConfig?: ExtenderTls;
  httpTimeout: string;
  nodeCacheCapable?: boolean;
  managedResources?: { name: string; ignoredByScheduler?: boolean }[];
  ignorable?: boolean;
}

/** Data are base64 of PEM, and count before files. */
export interface ExtenderTls {
  insecure?: boolean;
  serverName?: string;
  certFile?: string;
  keyFile?: string;
  caFile?: string;
  certData?: string;
  keyData?: string;
  caData?: string;
}

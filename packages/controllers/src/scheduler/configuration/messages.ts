/**
 * The messages of `kubescheduler.config.k8s.io/v1` (k8s.io/kube-scheduler config/v1 and k8s.io/component-base config/v1alpha1), in the
 * form of kubeapi's generated schema. No field has a number: they stand in files alone.
 */
import { type MessageLookup, messagesWith } from '@wherry/kubeapi';

/** The version that every document names. */
export const apiVersion = 'kubescheduler.config.k8s.io/v1';
export const kind = 'KubeSchedulerConfiguration';

const set = (name: string) => `${name} 0 PluginSet keep`;

const messages = {
  KubeSchedulerConfiguration:
    'kind|parallelism 0 int32 pointer;leaderElection 0 LeaderElectionConfiguration keep;clientConnection 0 ClientConnectionConfiguration keep;enableProfiling 0 bool pointer;enableContentionProfiling 0 bool pointer;percentageOfNodesToScore 0 int32 pointer;podInitialBackoffSeconds 0 int64 pointer;podMaxBackoffSeconds 0 int64 pointer;profiles 0 []KubeSchedulerProfile;extenders 0 []Extender;delayCacheUntilActive 0 bool',
  LeaderElectionConfiguration:
    '|leaderElect 0 bool pointer;leaseDuration 0 Duration keep;renewDeadline 0 Duration keep;retryPeriod 0 Duration keep;resourceLock 0 string keep;resourceName 0 string keep;resourceNamespace 0 string keep',
  ClientConnectionConfiguration:
    '|kubeconfig 0 string keep;acceptContentTypes 0 string keep;contentType 0 string keep;qps 0 double keep;burst 0 int32 keep',
  KubeSchedulerProfile:
    '|schedulerName 0 string pointer;percentageOfNodesToScore 0 int32 pointer;plugins 0 Plugins pointer;pluginConfig 0 []PluginConfig',
  Plugins: `|${[
    ...['preEnqueue', 'queueSort', 'preFilter', 'filter', 'postFilter', 'preScore', 'score', 'reserve'],
    ...['permit', 'preBind', 'bind', 'postBind', 'multiPoint', 'placementGenerate', 'placementScore'],
  ]
    .map(set)
    .join(';')}`,
  PluginSet: '|enabled 0 []Plugin;disabled 0 []Plugin',
  Plugin: '|name 0 string keep;weight 0 int32 pointer',
  PluginConfig: '|name 0 string keep;args 0 Any',
  DefaultPreemptionArgs:
    'kind|minCandidateNodesPercentage 0 int32 pointer;minCandidateNodesAbsolute 0 int32 pointer',
  DynamicResourcesArgs: 'kind|filterTimeout 0 Duration pointer;bindingTimeout 0 Duration pointer',
  InterPodAffinityArgs:
    'kind|hardPodAffinityWeight 0 int32 pointer;ignorePreferredTermsOfExistingPods 0 bool keep',
  NodeAffinityArgs: 'kind|addedAffinity 0 NodeAffinity pointer',
  NodeResourcesBalancedAllocationArgs: 'kind|resources 0 []ResourceSpec',
  NodeResourcesFitArgs:
    'kind|ignoredResources 0 []string;ignoredResourceGroups 0 []string;scoringStrategy 0 ScoringStrategy pointer',
  PodTopologySpreadArgs: 'kind|defaultConstraints 0 []TopologySpreadConstraint;defaultingType 0 string',
  VolumeBindingArgs: 'kind|bindTimeoutSeconds 0 int64 pointer;shape 0 []UtilizationShapePoint',
  ScoringStrategy:
    '|type 0 string;resources 0 []ResourceSpec;requestedToCapacityRatio 0 RequestedToCapacityRatioParam pointer',
  ResourceSpec: '|name 0 string keep;weight 0 int64',
  RequestedToCapacityRatioParam: '|shape 0 []UtilizationShapePoint',
  UtilizationShapePoint: '|utilization 0 int32 keep;score 0 int32 keep',
  Extender:
    '|urlPrefix 0 string keep;filterVerb 0 string;preemptVerb 0 string;prioritizeVerb 0 string;weight 0 int64;bindVerb 0 string;enableHTTPS 0 bool;tlsConfig 0 ExtenderTLSConfig pointer;httpTimeout 0 Duration;nodeCacheCapable 0 bool;managedResources 0 []ExtenderManagedResource;ignorable 0 bool',
  ExtenderManagedResource: '|name 0 string keep;ignoredByScheduler 0 bool',
  ExtenderTLSConfig:
    '|insecure 0 bool;serverName 0 string;certFile 0 string;keyFile 0 string;caFile 0 string;certData 0 bytes;keyData 0 bytes;caData 0 bytes',
};

/** Every message of the package by name. */
export const messageNames: readonly string[] = Object.keys(messages);

/** Finds a message of the package, or one of the API that it has parts of. */
export const lookUp: MessageLookup = messagesWith({
  group: 'kubescheduler.config.k8s.io',
  version: 'v1',
  openApiPrefix: '',
  messages,
});

/** The kinds of documents: the whole, and the arguments of each plug-in that takes some. */
export const kinds: readonly string[] = messageNames.filter(
  (name) => name === kind || (name.endsWith('Args') && name !== kind),
);

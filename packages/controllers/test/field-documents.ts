import type { FieldClaim, FieldDocument } from '../../../tools/fields/table.ts';
import { extensionPoints } from '../src/scheduler/configuration/configuration.ts';
import { lookUp } from '../src/scheduler/configuration/messages.ts';

const about = `Every field of \`KubeSchedulerConfiguration\` (kubescheduler.config.k8s.io/v1) of Kubernetes 1.36, and what is made of it by
\`wherry scheduler --config FILE\` and \`wherry controllers --scheduler-config FILE\`. What upstream refuses is refused in its words; a scheduler does not start
with what is refused here besides. Without a file there is upstream's default profile, and a back-off that begins at 50 ms.`;

const actedOn = (...files: string[]): FieldClaim => ({
  actedOn: files.map((file) => `controllers/scheduler/${file}`),
});
const below = (message: string): FieldClaim => ({ noEffect: `see ${message} below` });
const noEffect = (why: string): FieldClaim => ({ noEffect: why });
const building = 'profiles/build-profiles';
const unsupported = 'controllers/scheduler/configuration/unsupported';
const settings: FieldClaim = { actedOn: ['node/roles/scheduler/scheduler-settings'] };

const extenders = actedOn('extenders/build-extenders');
const extender = actedOn('extenders/extender');

/** Where each point has its effect, if not where profiles are made. */
const pointFiles: Readonly<Record<string, string>> = {
  ...{ preFilter: building, filter: building, postFilter: building, score: building },
  ...{ preBind: building, preEnqueue: building, multiPoint: 'configuration/expand-plugins' },
  ...{ queueSort: 'configuration/expand-plugins', bind: 'configuration/expand-plugins' },
};

const tables: Readonly<Record<string, Readonly<Record<string, FieldClaim>>>> = {
  KubeSchedulerConfiguration: {
    parallelism: noEffect('one pod is looked at after the other, in one thread'),
    leaderElection: below('LeaderElectionConfiguration'),
    clientConnection: below('ClientConnectionConfiguration'),
    enableProfiling: noEffect('there is no Go runtime to profile'),
    enableContentionProfiling: noEffect('there is no Go runtime to profile'),
    percentageOfNodesToScore: actedOn(building, 'find-place'),
    podInitialBackoffSeconds: actedOn('scheduler-configuration'),
    podMaxBackoffSeconds: actedOn('scheduler-configuration'),
    profiles: actedOn(building),
    extenders: actedOn('extenders/build-extenders', 'scheduler-configuration'),
    delayCacheUntilActive: noEffect('watches begin once it leads, as with true'),
  },
  LeaderElectionConfiguration: {
    leaderElect: settings,
    leaseDuration: settings,
    renewDeadline: settings,
    retryPeriod: settings,
    resourceLock: {
      refused: [
        {
          values: 'all but `leases`',
          why: 'as upstream',
          by: 'controllers/scheduler/configuration/validation/validate-configuration',
        },
      ],
    },
    resourceName: settings,
    resourceNamespace: settings,
  },
  ClientConnectionConfiguration: {
    kubeconfig: { actedOn: ['node/roles/scheduler/scheduler', 'node/roles/controllers'] },
    acceptContentTypes: {
      warned: [
        { values: 'all but ""', why: 'objects travel in the form that the client chooses', by: unsupported },
      ],
    },
    contentType: noEffect('objects travel in the form that the client chooses'),
    qps: {
      warned: [
        { values: 'all but the default', why: 'requests wait for the API server alone', by: unsupported },
      ],
    },
    burst: {
      warned: [
        { values: 'all but the default', why: 'requests wait for the API server alone', by: unsupported },
      ],
    },
  },
  KubeSchedulerProfile: {
    schedulerName: actedOn(building, 'profiles/profile'),
    percentageOfNodesToScore: actedOn(building),
    plugins: actedOn('configuration/expand-plugins', building),
    pluginConfig: actedOn('configuration/read-configuration'),
  },
  Plugins: Object.fromEntries(
    [...extensionPoints, 'multiPoint'].map((point): [string, FieldClaim] => [
      point,
      point.startsWith('placement')
        ? {
            refused: [
              {
                values: 'plug-ins about groups of pods',
                why: 'this scheduler does not know them',
                by: 'controllers/scheduler/configuration/plugins',
              },
            ],
          }
        : actedOn(pointFiles[point] ?? 'configuration/configuration'),
    ]),
  ),
  PluginSet: {
    enabled: actedOn('configuration/expand-plugins'),
    disabled: actedOn('configuration/expand-plugins'),
  },
  Plugin: { name: actedOn('configuration/expand-plugins'), weight: actedOn('configuration/expand-plugins') },
  PluginConfig: {
    name: actedOn('configuration/read-configuration'),
    args: actedOn('configuration/read-configuration'),
  },
  DefaultPreemptionArgs: {
    minCandidateNodesPercentage: actedOn('preemption/find-preemption'),
    minCandidateNodesAbsolute: actedOn('preemption/find-preemption'),
  },
  DynamicResourcesArgs: {
    filterTimeout: {
      refused: [
        { values: 'all but `10s`', why: 'a search for devices is bounded by its steps', by: unsupported },
      ],
    },
    bindingTimeout: actedOn(building),
  },
  InterPodAffinityArgs: {
    hardPodAffinityWeight: actedOn('scores/inter-pod-affinity'),
    ignorePreferredTermsOfExistingPods: actedOn('scores/inter-pod-affinity'),
  },
  NodeAffinityArgs: { addedAffinity: actedOn(building) },
  NodeResourcesBalancedAllocationArgs: { resources: actedOn(building) },
  NodeResourcesFitArgs: {
    ignoredResources: actedOn('filters/node-resources'),
    ignoredResourceGroups: actedOn('filters/node-resources'),
    scoringStrategy: actedOn(building),
  },
  PodTopologySpreadArgs: { defaultConstraints: actedOn(building), defaultingType: actedOn(building) },
  VolumeBindingArgs: {
    bindTimeoutSeconds: actedOn(building),
    shape: {
      refused: [
        {
          values: '',
          why: 'as upstream unless its gate StorageCapacityScoring is open',
          by: 'controllers/scheduler/configuration/validation/validate-arguments',
        },
      ],
    },
  },
  ScoringStrategy: {
    type: actedOn('scores/resource-allocation'),
    resources: actedOn('scores/resource-allocation'),
    requestedToCapacityRatio: actedOn('scores/resource-allocation'),
  },
  ResourceSpec: {
    name: actedOn('scores/resource-allocation'),
    weight: actedOn('scores/resource-allocation'),
  },
  RequestedToCapacityRatioParam: { shape: actedOn('scores/resource-allocation') },
  UtilizationShapePoint: {
    utilization: actedOn('scores/resource-allocation'),
    score: actedOn('scores/resource-allocation'),
  },
  Extender: {
    urlPrefix: extenders,
    filterVerb: extender,
    preemptVerb: extender,
    prioritizeVerb: extender,
    weight: extender,
    bindVerb: extender,
    enableHTTPS: extenders,
    tlsConfig: extenders,
    httpTimeout: extenders,
    nodeCacheCapable: extender,
    managedResources: extender,
    ignorable: extenders,
  },
  ExtenderManagedResource: {
    name: extenders,
    ignoredByScheduler: actedOn('configuration/read-configuration'),
  },
  ExtenderTLSConfig: {
    insecure: extenders,
    serverName: extenders,
    certFile: extenders,
    keyFile: extenders,
    caFile: extenders,
    certData: extenders,
    keyData: extenders,
    caData: extenders,
  },
};

/** The pages of docs/fields that tell of this package. */
export const documents: readonly FieldDocument[] = [
  {
    file: 'kube-scheduler-configuration.md',
    title: 'Fields of a KubeSchedulerConfiguration',
    about,
    tables: Object.entries(tables).map(([message, fields]) => ({ message, fields })),
    schemaFields: (message) => [...lookUp(message).jsonFields.keys()],
  },
];

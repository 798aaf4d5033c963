/** Files of configuration for a scheduler, right and wrong ones, most of them one sentence long. */
const head = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n';

const whole = (text: string): string => head + text;
/** Of one profile. */
const profile = (fields: string): string => whole(`profiles: [{${fields}}]`);
const plugins = (sets: string): string => profile(`plugins: {${sets}}`);
const args = (name: string, fields: string): string =>
  profile(`pluginConfig: [{name: ${name}, args: {${fields}}}]`);
const extender = (fields: string): string =>
  whole(`extenders: [{urlPrefix: "http://127.0.0.1:1/x", ${fields}}]`);
const fit = (strategy: string): string => args('NodeResourcesFit', `scoringStrategy: {${strategy}}`);
const ratio = (shape: string): string =>
  fit(`type: RequestedToCapacityRatio, requestedToCapacityRatio: {shape: [${shape}]}`);
const added = (fields: string): string => args('NodeAffinity', `addedAffinity: {${fields}}`);
const requiring = (term: string): string =>
  added(`requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{${term}}]}`);
const preferring = (weight: number, term: string): string =>
  added(`preferredDuringSchedulingIgnoredDuringExecution: [{weight: ${weight}, preference: {${term}}}]`);
const spread = (...constraints: string[]): string =>
  args(
    'PodTopologySpread',
    `defaultingType: List, defaultConstraints: [${constraints.map((each) => `{${each}}`).join()}]`,
  );
const zone = 'topologyKey: topology.kubernetes.io/zone';

/** What upstream and this scheduler are asked to read. */
export const configurations: readonly string[] = [
  // Documents
  ...['', ' ', 'kind: KubeSchedulerConfiguration\n', 'apiVersion: kubescheduler.config.k8s.io/v1\n'],
  'apiVersion: kubescheduler.config.k8s.io/v1beta3\nkind: KubeSchedulerConfiguration\n',
  'apiVersion: kubescheduler.config.k8s.io/v1\nkind: Scheduler\n',
  'apiVersion: kubescheduler.config.k8s.io/v1\nkind: NodeAffinityArgs\n',
  ...[head, whole('foo: 1'), whole('foo: 1\nbar: 2'), whole('parallelism: 1\nparallelism: 2')],
  whole('profiles: [{bar: 1, plugins: {filters: {}, filter: {enable: []}}}]'),
  ...[whole('profiles: null'), whole('profiles: []'), whole('profiles: {}'), whole('profiles: [3]')],
  // Fields of the whole
  ...[whole('parallelism: x'), whole('parallelism: 0'), whole('parallelism: -4'), whole('parallelism: 1')],
  ...[whole('parallelism: 3000000000'), whole('parallelism: 1.5'), whole('parallelism: "16"')],
  ...[whole('percentageOfNodesToScore: 101'), whole('percentageOfNodesToScore: 100')],
  whole('podInitialBackoffSeconds: 0\npodMaxBackoffSeconds: -1'),
  ...[whole('podInitialBackoffSeconds: 20'), whole('podInitialBackoffSeconds: 5\npodMaxBackoffSeconds: 5')],
  ...[
    whole('podMaxBackoffSeconds: []'),
    whole('delayCacheUntilActive: true'),
    whole('delayCacheUntilActive: 1'),
  ],
  ...[whole('enableProfiling: false'), whole('enableProfiling: false\nenableContentionProfiling: true')],
  ...[whole('enableContentionProfiling: false'), whole('enableProfiling: "no"')],
  // Connections and leases
  ...[whole('clientConnection: {qps: x}'), whole('clientConnection: {qps: 1.5, burst: -1}')],
  whole(
    'clientConnection: {kubeconfig: /etc/kubernetes/scheduler.conf, acceptContentTypes: application/json}',
  ),
  ...[
    whole('clientConnection: {contentType: application/json, qps: 100, burst: 200}'),
    whole('clientConnection: 3'),
  ],
  ...[whole('leaderElection: {leaseDuration: 5}'), whole('leaderElection: {leaseDuration: abc}')],
  ...[
    whole('leaderElection: {leaseDuration: 5s}'),
    whole('leaderElection: {leaderElect: false, leaseDuration: 5s}'),
  ],
  whole('leaderElection: {leaseDuration: -1s, renewDeadline: -2s, retryPeriod: -3s}'),
  ...[
    whole('leaderElection: {resourceLock: endpoints}'),
    whole('leaderElection: {resourceLock: configmapsleases, leaderElect: false}'),
  ],
  whole(
    'leaderElection: {resourceName: mine, resourceNamespace: here, leaseDuration: 1m, renewDeadline: 40s, retryPeriod: 5s}',
  ),
  // Profiles
  whole('profiles: [{schedulerName: a}, {schedulerName: a}, {}]'),
  ...[whole('profiles: [{schedulerName: a}, {schedulerName: b}]'), whole('profiles: [{}, {}]')],
  ...[profile('schedulerName: ""'), profile('schedulerName: 3'), profile('percentageOfNodesToScore: -1')],
  profile('percentageOfNodesToScore: 40, schedulerName: mine'),
  // Plug-ins
  plugins('filter: {enabled: [{name: Foo}]}'),
  plugins('filter: {enabled: [{name: DefaultBinder}]}'),
  plugins('filter: {enabled: [{name: NodePorts}, {name: NodePorts}]}'),
  plugins('filter: {enabled: [{name: EBSLimits}]}, score: {enabled: [{name: ImageLocality}]}'),
  plugins('filter: {disabled: [{name: NodePorts}]}'),
  plugins('filter: {disabled: [{name: "*"}], enabled: [{name: NodeName}, {name: TaintToleration}]}'),
  plugins(
    'preFilter: {disabled: [{name: "*"}]}, filter: {disabled: [{name: "*"}]}, reserve: {disabled: [{name: "*"}]}, preBind: {disabled: [{name: "*"}]}, postFilter: {disabled: [{name: "*"}]}',
  ),
  plugins('filter: {enabled: [{name: NodePorts}, {name: TaintToleration}]}'),
  plugins('score: {disabled: [{name: "*"}]}'),
  plugins('score: {disabled: [{name: "*"}], enabled: [{name: ImageLocality, weight: 7}]}'),
  plugins('score: {enabled: [{name: NodeResourcesFit, weight: 5}]}'),
  plugins('score: {enabled: [{name: NodeResourcesFit, weight: 0}]}'),
  plugins(
    'score: {enabled: [{name: ImageLocality, weight: 2000000000}, {name: TaintToleration, weight: 2000000000}]}',
  ),
  plugins('score: {enabled: [{name: NodeName, weight: 2}]}'),
  plugins('score: {enabled: [{weight: 2}]}'),
  plugins('multiPoint: {enabled: [{name: NodeResourcesFit, weight: 9}]}'),
  plugins('multiPoint: {disabled: [{name: ImageLocality}, {name: NodePorts}]}'),
  plugins('multiPoint: {disabled: [{name: ImageLocality}], enabled: [{name: ImageLocality, weight: 3}]}'),
  plugins(
    'multiPoint: {disabled: [{name: "*"}], enabled: [{name: PrioritySort}, {name: DefaultBinder}, {name: NodeResourcesFit}]}',
  ),
  plugins('multiPoint: {disabled: [{name: "*"}], enabled: [{name: DefaultBinder}]}'),
  plugins('multiPoint: {disabled: [{name: "*"}], enabled: [{name: PrioritySort}]}'),
  plugins('multiPoint: {enabled: [{name: Foo}]}'),
  plugins('multiPoint: {enabled: [{name: NodePorts}, {name: NodePorts}]}'),
  plugins('multiPoint: {enabled: [{name: EBSLimits}]}'),
  plugins('multiPoint: {disabled: [{name: Foo}]}'),
  ...[plugins('bind: {disabled: [{name: "*"}]}'), plugins('bind: {disabled: [{name: DefaultBinder}]}')],
  plugins('bind: {enabled: [{name: DefaultBinder}]}'),
  plugins('queueSort: {disabled: [{name: "*"}]}'),
  plugins('queueSort: {enabled: [{name: PrioritySort}]}'),
  plugins('queueSort: {enabled: [{name: Foo}, {name: PrioritySort}]}'),
  plugins('queueSort: {enabled: [{name: NodeName}]}'),
  whole(
    'profiles: [{schedulerName: a, plugins: {queueSort: {enabled: [{name: PrioritySort}]}}}, {schedulerName: b}]',
  ),
  whole(
    'profiles: [{schedulerName: a}, {schedulerName: b, plugins: {queueSort: {enabled: [{name: PrioritySort}]}}}]',
  ),
  plugins('postFilter: {disabled: [{name: DefaultPreemption}]}'),
  plugins('permit: {enabled: [{name: NodePorts}]}'),
  plugins('preEnqueue: {disabled: [{name: SchedulingGates}]}'),
  plugins('postBind: 3'),
  profile('plugins: null'),
  // Arguments
  ...[
    args('Foo', 'a: 1'),
    profile('pluginConfig: [{name: NodeResourcesFit}]'),
    profile('pluginConfig: [{args: {}}]'),
  ],
  profile('pluginConfig: [{name: NodeResourcesFit}, {name: NodeResourcesFit}]'),
  profile('pluginConfig: [{name: EBSLimits}]'),
  ...[args('NodeResourcesFit', 'foo: 1'), args('NodeResourcesFit', 'foo: 1, bar: {a: 1}')],
  whole(
    'foo: 1\nprofiles: [{pluginConfig: [{name: NodeResourcesFit, args: {foo: 1}}, {name: NodeAffinity, args: {bar: 1}}]}]',
  ),
  ...[args('NodeResourcesFit', 'kind: Foo'), args('NodeResourcesFit', 'kind: InterPodAffinityArgs')],
  args('NodeResourcesFit', 'apiVersion: kubescheduler.config.k8s.io/v1beta2, kind: NodeResourcesFitArgs'),
  args('NodeResourcesFit', 'apiVersion: kubescheduler.config.k8s.io/v1, kind: NodeResourcesFitArgs'),
  ...[fit('type: MostAllocated'), fit(''), fit('type: Foo'), fit('type: LeastAllocated, resources: []')],
  fit('type: MostAllocated, resources: [{name: cpu, weight: 3}, {name: example.com/gpu}]'),
  fit('type: MostAllocated, resources: [{name: cpu, weight: 101}, {name: memory, weight: -1}]'),
  fit('type: RequestedToCapacityRatio'),
  fit('type: LeastAllocated, requestedToCapacityRatio: {shape: [{utilization: 0, score: 0}]}'),
  ...[ratio(''), ratio('{utilization: 0, score: 0}, {utilization: 100, score: 10}')],
  ...[
    ratio('{utilization: 50, score: 1}, {utilization: 50, score: 2}'),
    ratio('{utilization: -1, score: 11}, {utilization: 101, score: -1}'),
  ],
  ...[
    ratio('{utilization: 70, score: 1}, {utilization: 30, score: 2}, {utilization: 20, score: 3}'),
    ratio('{}'),
  ],
  args(
    'NodeResourcesFit',
    'ignoredResources: [example.com/a, "a b"], ignoredResourceGroups: [example.com, a/b, "-"]',
  ),
  args('NodeResourcesFit', 'ignoredResources: example.com/a'),
  args('NodeResourcesBalancedAllocation', 'resources: [{name: cpu}, {name: cpu}, {name: memory, weight: 2}]'),
  args('NodeResourcesBalancedAllocation', 'resources: [{name: cpu, weight: 1}, {name: example.com/gpu}]'),
  ...[
    args('InterPodAffinity', 'hardPodAffinityWeight: 101'),
    args('InterPodAffinity', 'hardPodAffinityWeight: -1'),
  ],
  args('InterPodAffinity', 'hardPodAffinityWeight: 0, ignorePreferredTermsOfExistingPods: true'),
  args('DefaultPreemption', 'minCandidateNodesPercentage: 101, minCandidateNodesAbsolute: -1'),
  args('DefaultPreemption', 'minCandidateNodesPercentage: 0, minCandidateNodesAbsolute: 0'),
  args('DefaultPreemption', 'minCandidateNodesPercentage: 0, minCandidateNodesAbsolute: 5'),
  ...[args('VolumeBinding', 'bindTimeoutSeconds: -1'), args('VolumeBinding', 'bindTimeoutSeconds: 0')],
  ...[
    args('VolumeBinding', 'shape: [{utilization: 0, score: 0}]'),
    args('VolumeBinding', 'bindTimeoutSeconds: x'),
  ],
  args('DynamicResources', 'filterTimeout: -1s, bindingTimeout: 1ms'),
  ...[args('DynamicResources', 'filterTimeout: ten'), args('DynamicResources', 'bindingTimeout: 90s')],
  ...[args('PodTopologySpread', 'defaultingType: Foo'), args('PodTopologySpread', 'defaultingType: List')],
  args('PodTopologySpread', `defaultConstraints: [{maxSkew: 1, ${zone}, whenUnsatisfiable: DoNotSchedule}]`),
  spread(
    `maxSkew: 1, ${zone}, whenUnsatisfiable: ScheduleAnyway`,
    `maxSkew: 2, ${zone}, whenUnsatisfiable: DoNotSchedule`,
  ),
  spread(`maxSkew: 0, whenUnsatisfiable: Foo`, `maxSkew: -1, topologyKey: "a b"`),
  spread(
    `maxSkew: 1, ${zone}, whenUnsatisfiable: ScheduleAnyway`,
    `maxSkew: 2, ${zone}, whenUnsatisfiable: ScheduleAnyway`,
  ),
  spread(`maxSkew: 1, ${zone}, whenUnsatisfiable: ScheduleAnyway, labelSelector: {matchLabels: {a: b}}`),
  spread(`maxSkew: x, ${zone}`),
  ...[requiring('matchExpressions: [{key: a, operator: Foo}]'), requiring('')],
  requiring('matchExpressions: [{key: a, operator: In}, {key: b, operator: Exists, values: [c]}]'),
  requiring(
    'matchExpressions: [{key: "a b", operator: In, values: ["c d"]}, {key: b, operator: Gt, values: [x]}, {key: c, operator: Lt}]',
  ),
  requiring(
    'matchExpressions: [{key: a, operator: In, values: [b]}], matchFields: [{key: metadata.name, operator: In, values: [c]}]',
  ),
  requiring('matchFields: [{key: metadata.name, operator: In, values: [c, d]}, {key: x, operator: Exists}]'),
  ...[
    preferring(1, 'matchExpressions: [{key: a, operator: Foo}]'),
    preferring(0, 'matchExpressions: [{key: a, operator: Foo}]'),
  ],
  preferring(50, 'matchExpressions: [{key: disk, operator: In, values: [ssd]}]'),
  // Extenders
  ...[
    extender('filterVerb: filter'),
    extender('prioritizeVerb: p'),
    extender('prioritizeVerb: p, weight: -1'),
  ],
  ...[
    extender('prioritizeVerb: p, weight: 5, nodeCacheCapable: true, ignorable: true'),
    extender('weight: x'),
  ],
  extender('managedResources: [{name: cpu}, {name: a b}, {name: example.com/a}, {name: example.com/a}]'),
  extender('managedResources: [{name: requests.example.com/a}, {name: foo.kubernetes.io/b}, {name: ""}]'),
  extender('managedResources: [{name: example.com/a, ignoredByScheduler: true}], bindVerb: bind'),
  whole('extenders: [{urlPrefix: a, bindVerb: b}, {urlPrefix: c, bindVerb: d}]'),
  ...[extender('httpTimeout: 30s'), extender('httpTimeout: soon'), extender('tlsConfig: {insecured: true}')],
  ...[extender('enableHTTPS: true, tlsConfig: {serverName: x}'), extender('tlsConfig: {caData: "!"}')],
];

/** Configurations of a scheduler made by chance: which plug-ins take part, how much each counts, and with which arguments. */
import type { SeededRandom } from '../../packages/kubeapi/test/random-object.ts';

/** Those that have a filter, of which some are left out. */
const filters = [
  ...[
    'NodeUnschedulable',
    'TaintToleration',
    'NodeAffinity',
    'NodePorts',
    'NodeResourcesFit',
    'VolumeRestrictions',
  ],
  ...['NodeVolumeLimits', 'VolumeZone', 'PodTopologySpread', 'InterPodAffinity'],
];
const scores = [
  ...['TaintToleration', 'NodeAffinity', 'NodeResourcesFit', 'PodTopologySpread', 'InterPodAffinity'],
  ...['NodeResourcesBalancedAllocation', 'ImageLocality'],
];
const resources = ['cpu', 'memory', 'ephemeral-storage', 'example.com/gpu', 'hugepages-2Mi', 'pods'];
const topologyKeys = ['topology.kubernetes.io/zone', 'kubernetes.io/hostname', 'rack'];

/** One profile, as a file spells it. */
export function profileByChance(random: SeededRandom): string {
  const rarely = <T>(times: number, make: () => T): T | undefined =>
    random.below(times) === 0 ? make() : undefined;
  const some = <T>(list: readonly T[], times: number) => list.filter(() => random.below(times) === 0);
  const off = (names: readonly string[]) => ({ disabled: names.map((name) => ({ name })) });
  const weighted = (names: readonly string[]) =>
    names.map((name) => ({ name, weight: 1 + random.below(random.below(3) === 0 ? 100 : 5) }));
  const withoutFilter = some(filters, 8);
  const withoutScore = some(scores, 5);
  const shape = () =>
    [0, 30, 70, 100]
      .filter((each) => each === 0 || random.below(2) === 0)
      .map((utilization) => ({
        utilization,
        score: random.below(11),
      }));
  const strategy = () => {
    const type = random.pick(['LeastAllocated', 'MostAllocated', 'RequestedToCapacityRatio']);
    return {
      type,
      resources: weighted(some(resources, 2)).map(({ name, weight }) => ({ name, weight })),
      ...(type === 'RequestedToCapacityRatio' ? { requestedToCapacityRatio: { shape: shape() } } : {}),
    };
  };
  const term = () => ({
    matchExpressions: [{ key: 'disk', operator: random.pick(['Exists', 'DoesNotExist']) }],
  });
  const constraint = (topologyKey: string) => ({
    ...{ maxSkew: 1 + random.below(3), topologyKey },
    whenUnsatisfiable: random.pick(['DoNotSchedule', 'ScheduleAnyway']),
    nodeTaintsPolicy: random.pick([undefined, 'Honor', 'Ignore']),
    nodeAffinityPolicy: random.pick([undefined, 'Honor', 'Ignore']),
  });
  const args: [string, object | undefined][] = [
    [
      'NodeResourcesFit',
      {
        ignoredResources: rarely(3, () => ['example.com/gpu']),
        ignoredResourceGroups: rarely(3, () => ['example.com']),
        scoringStrategy: rarely(2, strategy),
      },
    ],
    [
      'NodeResourcesBalancedAllocation',
      rarely(2, () => ({ resources: some(resources, 2).map((name) => ({ name })) })),
    ],
    [
      'InterPodAffinity',
      {
        hardPodAffinityWeight: rarely(2, () => random.below(101)),
        ignorePreferredTermsOfExistingPods: random.below(2) === 0,
      },
    ],
    [
      'NodeAffinity',
      rarely(3, () => ({
        addedAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: rarely(2, () => ({ nodeSelectorTerms: [term()] })),
          preferredDuringSchedulingIgnoredDuringExecution: rarely(2, () => [
            { weight: 1 + random.below(100), preference: term() },
          ]),
        },
      })),
    ],
    [
      'PodTopologySpread',
      rarely(2, () => ({
        defaultingType: 'List',
        defaultConstraints: some(topologyKeys, 2).map(constraint),
      })),
    ],
  ];
  const profile = {
    plugins: {
      filter: off(withoutFilter),
      preFilter: off(
        some(withoutFilter, 2).filter((name) => name !== 'NodeUnschedulable' && name !== 'TaintToleration'),
      ),
      score: {
        ...off(random.below(8) === 0 ? ['*'] : withoutScore),
        enabled: weighted(
          some(
            scores.filter((name) => !withoutScore.includes(name)),
            3,
          ),
        ),
      },
      postFilter: rarely(8, () => off(['DefaultPreemption'])) ?? {},
    },
    pluginConfig: args.flatMap(([name, given]) => (given ? [{ name, args: given }] : [])),
  };
  const apiVersion = 'kubescheduler.config.k8s.io/v1';
  return JSON.stringify({ apiVersion, kind: 'KubeSchedulerConfiguration', profiles: [profile] });
}

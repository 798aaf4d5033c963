/** What absent fields mean (pkg/scheduler/apis/config/v1/defaults.go). */
import type {
  PluginArguments,
  PluginSet,
  Plugins,
  ResourceSpec,
  SchedulerConfiguration,
  SchedulerProfile,
} from './configuration.ts';
import { extensionPoints } from './configuration.ts';
import { apiVersion, kinds } from './messages.ts';
import { defaultPlugins } from './plugins.ts';

/** What was read: fields may be missing. */
type Given<T> = { [K in keyof T]?: T[K] extends object ? Given<T[K]> : T[K] };

/** Fills a configuration up, in place. */
export function setDefaults(given: object): asserts given is SchedulerConfiguration {
  const configuration = given as SchedulerConfiguration;
  configuration.parallelism ??= 16;
  configuration.profiles ??= [{} as SchedulerProfile];
  const [first] = configuration.profiles;
  if (configuration.profiles.length === 1 && first) first.schedulerName ??= 'default-scheduler';
  configuration.profiles.forEach(setProfileDefaults);
  configuration.percentageOfNodesToScore ??= 0;
  setLeaderElectionDefaults(configuration);
  const connection = configuration.clientConnection;
  connection.contentType ||= 'application/vnd.kubernetes.protobuf';
  connection.qps ||= 50;
  connection.burst ||= 100;
  configuration.podInitialBackoffSeconds ??= 1;
  configuration.podMaxBackoffSeconds ??= 10;
  configuration.enableProfiling ??= true;
  configuration.enableContentionProfiling ??= configuration.enableProfiling;
  for (const extender of configuration.extenders ?? [])
    extender.httpTimeout = filled(extender.httpTimeout, '5s');
}

const filled = (text: string | undefined, otherwise: string) =>
  text === undefined || text === '' || text === '0s' ? otherwise : text;

function setLeaderElectionDefaults({ leaderElection }: SchedulerConfiguration): void {
  const { leaseDuration, renewDeadline, retryPeriod } = leaderElection;
  leaderElection.leaderElect ??= true;
  leaderElection.leaseDuration = filled(leaseDuration, '15s');
  leaderElection.renewDeadline = filled(renewDeadline, '10s');
  leaderElection.retryPeriod = filled(retryPeriod, '2s');
  leaderElection.resourceLock ||= 'leases';
  leaderElection.resourceName ||= 'kube-scheduler';
  leaderElection.resourceNamespace ||= 'kube-system';
}

function setProfileDefaults(profile: SchedulerProfile): void {
  profile.plugins = mergePlugins(profile.plugins);
  profile.pluginConfig ??= [];
  const known = new Set(profile.pluginConfig.map(({ name }) => name));
  for (const { name, args } of profile.pluginConfig) if (args !== undefined) setArgumentDefaults(name, args);
  const named = new Set(Object.values(profile.plugins).flatMap(({ enabled = [] }) => enabled));
  const names = new Set([...named].map(({ name }) => name));
  for (const name of [...names].sort()) {
    const kind = `${name}Args`;
    if (known.has(name) || !kinds.includes(kind)) continue;
    const args = { apiVersion, kind };
    setArgumentDefaults(name, args);
    profile.pluginConfig.push({ name, args });
  }
}

const usualResources = (): ResourceSpec[] => ['cpu', 'memory'].map((name) => ({ name, weight: 1 }));

const argumentDefaults: { [K in keyof PluginArguments]: (args: Given<PluginArguments[K]>) => void } = {
  DefaultPreemption(args) {
    args.minCandidateNodesPercentage ??= 10;
    args.minCandidateNodesAbsolute ??= 100;
  },
  DynamicResources(args) {
    args.filterTimeout ??= '10s';
    args.bindingTimeout ??= '10m0s';
  },
  InterPodAffinity(args) {
    args.hardPodAffinityWeight ??= 1;
    args.ignorePreferredTermsOfExistingPods ??= false;
  },
  NodeAffinity() {},
  NodeResourcesBalancedAllocation(args) {
    args.resources = weighted(args.resources as ResourceSpec[] | undefined);
  },
  NodeResourcesFit(args) {
    args.scoringStrategy ??= { type: 'LeastAllocated' };
    args.scoringStrategy.resources = weighted(args.scoringStrategy.resources as ResourceSpec[] | undefined);
  },
  PodTopologySpread(args) {
    args.defaultingType ||= 'System';
  },
  VolumeBinding(args) {
    args.bindTimeoutSeconds ??= 600;
  },
};

function weighted(resources: ResourceSpec[] = usualResources()): ResourceSpec[] {
  return resources.map(({ name, weight }) => ({ name, weight: weight || 1 }));
}

function setArgumentDefaults(name: string, args: unknown): void {
  if (Object.hasOwn(argumentDefaults, name))
    argumentDefaults[name as keyof PluginArguments](args as Given<never>);
}

/** What a profile says of plug-ins laid over upstream's default. */
function mergePlugins(given: Plugins | undefined): Plugins {
  const usual = (point: string): PluginSet =>
    point === 'multiPoint' ? { enabled: [...defaultPlugins] } : {};
  const points = [...extensionPoints, 'multiPoint'] as const;
  const merged = points.map((point) => [point, given ? mergeSet(usual(point), given[point]) : usual(point)]);
  return Object.fromEntries(merged) as Plugins;
}

/** Plug-ins that are named again keep their place and change their weight; others come last. */
function mergeSet({ enabled: usual = [] }: PluginSet, { enabled = [], disabled = [] }: PluginSet): PluginSet {
  const isOff = new Set(disabled.map(({ name }) => name));
  // Of one that is named twice the later is meant here, and the earlier comes last.
  const named = new Map(enabled.map((plugin) => [plugin.name, plugin]));
  const kept = isOff.has('*') ? [] : usual.filter(({ name }) => !isOff.has(name));
  const replacing = new Set(kept.flatMap(({ name }) => named.get(name) ?? []));
  const all = [
    ...kept.map((plugin) => named.get(plugin.name) ?? plugin),
    ...enabled.filter((plugin) => !replacing.has(plugin)),
  ];
  return {
    ...(all.length > 0 && { enabled: all }),
    ...(disabled.length > 0 && { disabled: disabled.map(({ name }) => ({ name })) }),
  };
}

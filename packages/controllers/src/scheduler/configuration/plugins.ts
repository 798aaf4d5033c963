import type { ExtensionPoint, Plugin } from './configuration.ts';

/** Upstream's plug-ins, and where each takes part (pkg/scheduler/framework/plugins). */
export const pluginPoints: ReadonlyMap<string, readonly ExtensionPoint[]> = new Map<
  string,
  readonly ExtensionPoint[]
>([
  ['SchedulingGates', ['preEnqueue']],
  ['PrioritySort', ['queueSort']],
  ['NodeUnschedulable', ['filter']],
  ['NodeName', ['filter']],
  ['TaintToleration', ['filter', 'preScore', 'score']],
  ['NodeAffinity', ['preFilter', 'filter', 'preScore', 'score']],
  ['NodePorts', ['preFilter', 'filter']],
  ['NodeResourcesFit', ['preFilter', 'filter', 'preScore', 'score', 'placementScore']],
  ['VolumeRestrictions', ['preFilter', 'filter']],
  ['NodeVolumeLimits', ['preFilter', 'filter']],
  ['VolumeBinding', ['preFilter', 'filter', 'reserve', 'preBind', 'preScore', 'score']],
  ['VolumeZone', ['preFilter', 'filter']],
  ['PodTopologySpread', ['preFilter', 'filter', 'preScore', 'score']],
  ['InterPodAffinity', ['preFilter', 'filter', 'preScore', 'score']],
  ['DynamicResources', ['preEnqueue', 'preFilter', 'filter', 'postFilter', 'score', 'reserve', 'preBind']],
  ['DefaultPreemption', ['preEnqueue', 'postFilter']],
  ['NodeResourcesBalancedAllocation', ['preScore', 'score']],
  ['ImageLocality', ['score']],
  ['DefaultBinder', ['bind']],
  ['NodeDeclaredFeatures', ['preFilter', 'filter']],
  ['GangScheduling', ['preEnqueue', 'permit']],
  ['TopologyPlacementGenerator', ['placementGenerate']],
  ['PodGroupPodsCount', ['placementScore']],
]);

const weights: Readonly<Record<string, number>> = {
  ...{ TaintToleration: 3, NodeAffinity: 2, NodeResourcesFit: 1, PodTopologySpread: 2, InterPodAffinity: 2 },
  ...{ DynamicResources: 2, NodeResourcesBalancedAllocation: 1, ImageLocality: 1 },
};

/** Those behind gates that are shut unless somebody opens them. */
const optional = ['GangScheduling', 'TopologyPlacementGenerator', 'PodGroupPodsCount'];

/** The plug-ins of a profile that says nothing of them, in their order. */
export const defaultPlugins: readonly Plugin[] = [...pluginPoints.keys()]
  .filter((name) => !optional.includes(name))
  .map((name) => (Object.hasOwn(weights, name) ? { name, weight: weights[name]! } : { name }));

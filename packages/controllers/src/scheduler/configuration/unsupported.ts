import type { ExtensionPoint, PluginArguments, SchedulerConfiguration } from './configuration.ts';
import type { ExpandedPlugins } from './expand-plugins.ts';

/** Points of which a plug-in takes part here in all of them or in none. */
const together: Readonly<Record<string, readonly ExtensionPoint[]>> = {
  VolumeBinding: ['preFilter', 'filter', 'reserve', 'preBind'],
  DynamicResources: ['preFilter', 'filter', 'postFilter', 'reserve', 'preBind'],
};
const ofGroups = ['GangScheduling', 'TopologyPlacementGenerator', 'PodGroupPodsCount'];

/** Why a set of plug-ins that upstream takes can't run here, one sentence each. */
export function unsupportedPlugins(plugins: ExpandedPlugins): string[] {
  const names = (point: ExtensionPoint) => plugins[point].map(({ name }) => name);
  const without = (later: ExtensionPoint, earlier: ExtensionPoint, both: ReadonlySet<string>) =>
    names(later)
      .filter((name) => both.has(name) && !names(earlier).includes(name))
      .map(
        (name) =>
          `${name} takes part in ${later} and not in ${earlier}, by which it works out what it needs: enable both`,
      );
  const parted = Object.entries(together).flatMap(([name, points]) => {
    const [taken, left] = [true, false].map((isIn) =>
      points.filter((point) => names(point).includes(name) === isIn),
    );
    if (taken!.length === 0 || left!.length === 0) return [];
    return [`${name} takes part in ${taken!.join(', ')} and not in ${left!.join(', ')}: enable all, or none`];
  });
  const [devices, preemption] = ['DynamicResources', 'DefaultPreemption'].map((name) =>
    names('postFilter').indexOf(name),
  );
  return [
    ...without('filter', 'preFilter', preparedFilters),
    ...without('score', 'preScore', preparedScores),
    ...parted,
    ...(preemption! >= 0 && devices! > preemption!
      ? ['DynamicResources stands behind DefaultPreemption in postFilter: it has to stand before']
      : []),
    ...ofGroups
      .filter((name) => Object.values(plugins).some((list) => list.some((each) => each.name === name)))
      .map((name) => `${name} is about groups of pods, which this scheduler does not know: disable it`),
  ];
}

const preparedFilters: ReadonlySet<string> = new Set([
  ...[
    'NodeAffinity',
    'NodePorts',
    'NodeResourcesFit',
    'VolumeRestrictions',
    'NodeVolumeLimits',
    'VolumeZone',
  ],
  ...['PodTopologySpread', 'InterPodAffinity', 'NodeDeclaredFeatures'],
]);
const preparedScores: ReadonlySet<string> = new Set([
  ...['TaintToleration', 'NodeAffinity', 'NodeResourcesFit', 'PodTopologySpread', 'InterPodAffinity'],
  'NodeResourcesBalancedAllocation',
]);

/** Values that upstream takes and this scheduler has nothing for, one sentence each. */
export function unsupportedFields({ profiles }: SchedulerConfiguration): string[] {
  return profiles.flatMap(({ pluginConfig }, index) =>
    pluginConfig.flatMap(({ name, args }, place) => {
      const { filterTimeout } = (args ?? {}) as Partial<PluginArguments['DynamicResources']>;
      if (name !== 'DynamicResources' || filterTimeout === undefined || filterTimeout === '10s') return [];
      const path = `profiles[${index}].pluginConfig[${place}].args.filterTimeout`;
      return [`${path}: this scheduler bounds a search for devices by its steps: leave it out`];
    }),
  );
}

/** Fields that are set to something and have no effect, and why. */
export function fieldsWithoutEffect({ clientConnection }: SchedulerConfiguration): string[] {
  const { qps, burst, acceptContentTypes } = clientConnection;
  const isAsUsual = qps === 50 && burst === 100;
  return [
    ...(isAsUsual
      ? []
      : ['clientConnection.qps, clientConnection.burst: requests wait for the API server alone']),
    ...(acceptContentTypes === ''
      ? []
      : ['clientConnection.acceptContentTypes: objects travel in the form that the client chooses']),
  ];
}

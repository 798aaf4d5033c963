import { joinFieldErrors } from '@wherry/kubeapi';
import { parseDurationMs } from '@wherry/kubeapi/objects';
import { systemSpread } from '../cluster/spread-constraint.ts';
import type { SchedulerConfiguration, SchedulerProfile } from '../configuration/configuration.ts';
import { type ExpandedPlugins, expandPlugins } from '../configuration/expand-plugins.ts';
import { argumentsOf, SchedulerConfigurationError } from '../configuration/read-configuration.ts';
import { unsupportedPlugins } from '../configuration/unsupported.ts';
import { validateFit } from '../configuration/validation/validate-fit.ts';
import type { FilterPlugin } from '../filters/filter-plugin.ts';
import { filters } from '../filters/filters.ts';
import { nodeAffinityWith as affinityFilter } from '../filters/node-affinity.ts';
import { nodeResourcesBut } from '../filters/node-resources.ts';
import { schedulingGroup } from '../filters/scheduling-group.ts';
import { topologySpreadWith as spreadFilter } from '../filters/topology-spread.ts';
import { balancedAllocation } from '../scores/balanced-allocation.ts';
import { interPodAffinityBy } from '../scores/inter-pod-affinity.ts';
import { nodeAffinityWith as affinityScore } from '../scores/node-affinity.ts';
import { resourceAllocation } from '../scores/resource-allocation.ts';
import type { ScorePlugin } from '../scores/score-plugin.ts';
import { scores } from '../scores/scores.ts';
import { topologySpreadWith as spreadScore } from '../scores/topology-spread.ts';
import type { Profile, Profiles } from './profile.ts';

/**
 * What the profiles of a configuration mean. Throws {@link SchedulerConfigurationError} in upstream's words for what its framework
 * refuses, and by name for what this scheduler has not.
 */
export function buildProfiles(configuration: SchedulerConfiguration): Profiles {
  return new Map(
    configuration.profiles.map((profile, index) => {
      const built = build(profile, index, configuration);
      return [built.schedulerName, built];
    }),
  );
}

function build(profile: SchedulerProfile, index: number, configuration: SchedulerConfiguration): Profile {
  const { schedulerName = '', percentageOfNodesToScore = configuration.percentageOfNodesToScore } = profile;
  const plugins = expanded(profile);
  const unsupported = unsupportedPlugins(plugins);
  if (unsupported.length > 0)
    throw new SchedulerConfigurationError(
      unsupported.map((why) => `profiles[${index}].plugins: ${why}`).join('\n'),
    );
  const isAt = (point: keyof ExpandedPlugins, wanted: string) =>
    plugins[point].some(({ name }) => name === wanted);
  return {
    ...{ schedulerName, percentageOfNodesToScore },
    filters: filtersOf(plugins, profile),
    scores: scoresOf(plugins, profile),
    preemption: isAt('postFilter', 'DefaultPreemption')
      ? argumentsOf(profile, 'DefaultPreemption')
      : undefined,
    heedsGates: isAt('preEnqueue', 'SchedulingGates'),
    volumeBindingMs: isAt('preBind', 'VolumeBinding')
      ? argumentsOf(profile, 'VolumeBinding').bindTimeoutSeconds * 1_000
      : undefined,
    deviceBindingMs: isAt('preBind', 'DynamicResources')
      ? parseDurationMs(argumentsOf(profile, 'DynamicResources').bindingTimeout)
      : undefined,
  };
}

function expanded(profile: SchedulerProfile): ExpandedPlugins {
  const start = `initializing profiles: creating profile for scheduler name ${profile.schedulerName}: `;
  const isNamed = Object.values(profile.plugins).some(({ enabled = [] }) =>
    enabled.some(({ name }) => name === 'NodeResourcesFit'),
  );
  const misfits = isNamed ? validateFit(argumentsOf(profile, 'NodeResourcesFit')) : [];
  if (misfits.length > 0)
    throw new SchedulerConfigurationError(
      `${start}initializing plugin "NodeResourcesFit": ${joinFieldErrors(misfits)}`,
    );
  try {
    return expandPlugins(profile);
  } catch (error) {
    throw new SchedulerConfigurationError(`${start}${(error as Error).message}`, { cause: error });
  }
}

function filtersOf(
  { preFilter, filter }: ExpandedPlugins,
  profile: SchedulerProfile,
): readonly FilterPlugin[] {
  const made: Readonly<Record<string, () => FilterPlugin>> = {
    NodeResourcesFit: () => nodeResourcesBut(argumentsOf(profile, 'NodeResourcesFit')),
    NodeAffinity: () =>
      affinityFilter(
        argumentsOf(profile, 'NodeAffinity').addedAffinity?.requiredDuringSchedulingIgnoredDuringExecution,
      ),
    PodTopologySpread: () => spreadFilter(spreadDefaults(profile)),
  };
  const make = (name: string) =>
    Object.hasOwn(made, name) ? made[name]!() : filters.find((each) => each.name === name);
  const asked = new Set(filter.map(({ name }) => name));
  const early = preFilter.filter(({ name }) => !asked.has(name));
  return [
    schedulingGroup,
    ...filter.flatMap(({ name }) => make(name) ?? []),
    ...early.flatMap(({ name }) => make(name) ?? []).map(onlyBefore),
  ];
}

/** What a filter says before any node is asked. */
function onlyBefore({ prepare, ...plugin }: FilterPlugin): FilterPlugin {
  return {
    ...plugin,
    prepare(info, cluster) {
      const found = prepare(info, cluster);
      if (!found || 'message' in found) return found;
      return found.nodeNames && { nodeNames: found.nodeNames, refusal: () => undefined };
    },
  };
}

function scoresOf({ score }: ExpandedPlugins, profile: SchedulerProfile): readonly ScorePlugin[] {
  const made: Readonly<Record<string, () => ScorePlugin>> = {
    NodeResourcesFit: () => resourceAllocation(argumentsOf(profile, 'NodeResourcesFit').scoringStrategy),
    NodeResourcesBalancedAllocation: () =>
      balancedAllocation(
        argumentsOf(profile, 'NodeResourcesBalancedAllocation').resources.map(({ name }) => name),
      ),
    NodeAffinity: () =>
      affinityScore(
        argumentsOf(profile, 'NodeAffinity').addedAffinity?.preferredDuringSchedulingIgnoredDuringExecution ??
          [],
      ),
    InterPodAffinity: () => interPodAffinityBy(argumentsOf(profile, 'InterPodAffinity')),
    PodTopologySpread: () => spreadScore(spreadDefaults(profile)),
  };
  return score.flatMap(({ name, weight }) => {
    const plugin = Object.hasOwn(made, name) ? made[name]!() : scores.find((each) => each.name === name);
    return plugin ? { ...plugin, weight } : [];
  });
}

function spreadDefaults(profile: SchedulerProfile) {
  const { defaultingType, defaultConstraints = [] } = argumentsOf(profile, 'PodTopologySpread');
  return defaultingType === 'System'
    ? systemSpread
    : { constraints: defaultConstraints, takesPartialNodes: false };
}

/** Violations in the arguments of one plug-in, in upstream's words (validation_pluginargs.go). */
import {
  at,
  child,
  duplicate,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  notSupported,
  parseDurationMs,
  qualifiedName,
  required,
} from '@wherry/kubeapi';
import type { PluginArguments } from '../configuration.ts';
import { validateNodeTerms, validatePreferredTerms } from './validate-affinity.ts';

type Check<Name extends keyof PluginArguments> = (
  args: PluginArguments[Name],
  path: FieldPath,
) => FieldError[];

const checks: { readonly [Name in keyof PluginArguments]: Check<Name> } = {
  DefaultPreemption({ minCandidateNodesPercentage: percentage, minCandidateNodesAbsolute: absolute }, path) {
    const [share, number] = [
      child(path, 'minCandidateNodesPercentage'),
      child(path, 'minCandidateNodesAbsolute'),
    ];
    const both = (other: string) => `cannot be zero at the same time as ${other}`;
    return [
      ...(percentage < 0 || percentage > 100
        ? [invalidValue(share, percentage, 'not in valid range [0, 100]')]
        : []),
      ...(absolute < 0 ? [invalidValue(number, absolute, 'not in valid range [0, inf)')] : []),
      ...(percentage === 0 && absolute === 0
        ? [
            invalidValue(share, percentage, both('minCandidateNodesAbsolute')),
            invalidValue(number, absolute, both('minCandidateNodesPercentage')),
          ]
        : []),
    ];
  },
  DynamicResources({ filterTimeout, bindingTimeout }, path) {
    return [
      ...(parseDurationMs(filterTimeout) < 0
        ? [invalidValue(child(path, 'filterTimeout'), filterTimeout, 'must be zero or positive')]
        : []),
      ...(parseDurationMs(bindingTimeout) < 1_000
        ? [invalidValue(child(path, 'bindingTimeout'), bindingTimeout, 'must be at least 1 second')]
        : []),
    ];
  },
  InterPodAffinity({ hardPodAffinityWeight: weight }, path) {
    if (weight >= 0 && weight <= 100) return [];
    return [invalidValue(child(path, 'hardPodAffinityWeight'), weight, 'not in valid range [0, 100]')];
  },
  NodeAffinity({ addedAffinity }, path) {
    const here = child(path, 'addedAffinity');
    const {
      requiredDuringSchedulingIgnoredDuringExecution: must,
      preferredDuringSchedulingIgnoredDuringExecution: should = [],
    } = addedAffinity ?? {};
    return [
      ...(must ? validateNodeTerms(must, child(here, 'requiredDuringSchedulingIgnoredDuringExecution')) : []),
      ...validatePreferredTerms(should, child(here, 'preferredDuringSchedulingIgnoredDuringExecution')),
    ];
  },
  NodeResourcesBalancedAllocation({ resources }, path) {
    return resources.flatMap(({ name, weight }, index) => {
      const here = at(child(path, 'resources'), index);
      const isTwice = resources.findIndex((each) => each.name === name) < index;
      return [
        ...(isTwice ? [duplicate(child(here, 'name'), name)] : []),
        ...(weight === 1 ? [] : [invalidValue(child(here, 'weight'), weight, 'must be 1')]),
      ];
    });
  },
  // Upstream looks at these when it makes the plug-in: see validateFit.
  NodeResourcesFit: () => [],
  PodTopologySpread({ defaultingType: type, defaultConstraints = [] }, path) {
    const here = child(path, 'defaultingType');
    const isKnown = type === 'System' || type === 'List';
    return [
      ...(isKnown ? [] : [notSupported(here, type, ['System', 'List'])]),
      ...(type === 'System' && defaultConstraints.length > 0
        ? [invalidValue(here, type, 'when .defaultConstraints are not empty')]
        : []),
      ...validateConstraints(defaultConstraints, child(path, 'defaultConstraints')),
    ];
  },
  VolumeBinding({ bindTimeoutSeconds, shape }, path) {
    const negative = 'invalid BindTimeoutSeconds, should not be a negative value';
    const unexpected =
      'unexpected field `shape`, remove it or turn on the feature gate StorageCapacityScoring';
    const shown = shape?.map(({ utilization, score }) => ({ Utilization: utilization, Score: score }));
    return [
      ...(bindTimeoutSeconds < 0
        ? [invalidValue(child(path, 'bindTimeoutSeconds'), bindTimeoutSeconds, negative)]
        : []),
      ...(shown ? [invalidValue(child(path, 'shape'), shown, unexpected)] : []),
    ];
  },
};

/** Those that a file's arguments have before anything is made of them; `undefined` takes none. */
export function validateArguments(name: string, args: unknown, path: FieldPath): FieldError[] {
  if (!Object.hasOwn(checks, name)) return [];
  return (checks[name as keyof PluginArguments] as Check<never>)(args as never, path);
}

function validateConstraints(
  constraints: NonNullable<PluginArguments['PodTopologySpread']['defaultConstraints']>,
  path: FieldPath,
): FieldError[] {
  return constraints.flatMap(({ maxSkew, topologyKey, whenUnsatisfiable, labelSelector }, index) => {
    const here = at(path, index);
    const isTwice =
      constraints.findIndex(
        (each) => each.topologyKey === topologyKey && each.whenUnsatisfiable === whenUnsatisfiable,
      ) < index;
    const noSelector = 'constraint must not define a selector, as they deduced for each pod';
    return [
      ...(maxSkew <= 0 ? [invalidValue(child(here, 'maxSkew'), maxSkew, 'not in valid range (0, inf)')] : []),
      ...(topologyKey === ''
        ? [required(child(here, 'topologyKey'), 'can not be empty')]
        : labelName(child(here, 'topologyKey'), topologyKey)),
      ...validateAction(child(here, 'whenUnsatisfiable'), whenUnsatisfiable),
      ...(labelSelector ? [forbiddenField(child(here, 'labelSelector'), noSelector)] : []),
      ...(isTwice ? [duplicate(here, `{${topologyKey}, ${whenUnsatisfiable}}`)] : []),
    ];
  });
}

function validateAction(path: FieldPath, action: string): FieldError[] {
  const known = ['DoNotSchedule', 'ScheduleAnyway'];
  if (action === '') return [required(path, 'can not be empty')];
  return known.includes(action) ? [] : [notSupported(path, action, known)];
}

/** Complaints about a text that has to be the name of a label. */
export const labelName = (path: FieldPath, text: string): FieldError[] =>
  qualifiedName(text).map((detail) => invalidValue(path, text, detail));

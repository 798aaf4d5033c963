import type { LabelSelector, PodSpec } from '../../../../generated/types.ts';
import { at, child, type FieldPath } from '../../../../status/field-error.ts';
import { nodeLabelAdvice, selectorTermWarnings } from '../../node-label-warnings.ts';

/** What of where a pod may run is not as its writer may think. `path` is that of the spec. */
export function placementWarnings(spec: PodSpec, path: FieldPath): string[] {
  const { nodeSelector = {}, affinity: { nodeAffinity } = {} } = spec;
  const node = child(path, 'affinity', 'nodeAffinity');
  const required = 'requiredDuringSchedulingIgnoredDuringExecution';
  const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
  const terms = nodeAffinity?.[required]?.nodeSelectorTerms ?? [];
  return [
    ...Object.keys(nodeSelector).flatMap((label) => {
      const said = nodeLabelAdvice(label);
      return said ? [`${at(child(path, 'nodeSelector'), label)}: ${said}`] : [];
    }),
    ...terms.flatMap((term, index) =>
      selectorTermWarnings(term, at(child(node, required, 'nodeSelectorTerms'), index)),
    ),
    ...(nodeAffinity?.[preferred] ?? []).flatMap(({ preference }, index) =>
      selectorTermWarnings(preference, child(at(child(node, preferred), index), 'preference')),
    ),
    ...spreadWarnings(spec, child(path, 'topologySpreadConstraints')),
  ];
}

function spreadWarnings({ topologySpreadConstraints = [] }: PodSpec, path: FieldPath): string[] {
  return topologySpreadConstraints.flatMap(({ topologyKey, labelSelector }, index) => {
    const said = nodeLabelAdvice(topologyKey);
    return [
      ...(said ? [`${child(at(path, index), 'topologyKey')}: ${topologyKey} is ${said}`] : []),
      ...noPod(labelSelector, at(path, index)),
    ];
  });
}

/** Terms about other pods that select none. */
export function podAffinityWarnings({ affinity = {} }: PodSpec, path: FieldPath): string[] {
  return (['podAffinity', 'podAntiAffinity'] as const).flatMap((name) => {
    const required = 'requiredDuringSchedulingIgnoredDuringExecution';
    const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
    const place = child(path, 'affinity', name);
    return [
      ...(affinity[name]?.[required] ?? []).flatMap(({ labelSelector }, index) =>
        noPod(labelSelector, at(child(place, required), index)),
      ),
      ...(affinity[name]?.[preferred] ?? []).flatMap(({ podAffinityTerm }, index) =>
        noPod(podAffinityTerm.labelSelector, child(at(child(place, preferred), index), 'podAffinityTerm')),
      ),
    ];
  });
}

function noPod(selector: LabelSelector | undefined, path: FieldPath): string[] {
  if (selector) return [];
  return [`${child(path, 'labelSelector')}: a null labelSelector results in matching no pod`];
}

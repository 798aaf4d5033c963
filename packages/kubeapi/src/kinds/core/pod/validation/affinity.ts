/** Violations in where a pod wants to be: affinities and spread (upstream: pkg/apis/core/validation). */

import type {
  Affinity,
  LabelSelector,
  NodeAffinity,
  PodAffinity,
  PodAffinityTerm,
  TopologySpreadConstraint,
} from '../../../../generated/types.ts';
import {
  at,
  child,
  duplicate,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../../../status/field-error.ts';
import { dnsLabel, qualifiedName } from '../../../../validation/formats.ts';
import { check, isInvalidSelector, validateSelector } from '../../../../validation/metadata.ts';
import { validateNodeSelector, validateNodeSelectorTerm } from '../../../../validation/node-selector.ts';

const requiredTerms = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferredTerms = 'preferredDuringSchedulingIgnoredDuringExecution';

/** Violations in the affinities of a pod; values that no label can have are taken where `previous` has one. */
export function validateAffinity(
  affinity: Affinity | undefined,
  field: FieldPath,
  previous?: Affinity,
): FieldError[] {
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity ?? {};
  const takesAnyValue = [previous?.podAffinity, previous?.podAntiAffinity].some(
    (before) => before && validatePodAffinity(before, '', false).some(({ field }) => /elector\./.test(field)),
  );
  const ofPods = (part: PodAffinity | undefined, name: string) =>
    part ? validatePodAffinity(part, child(field, name), takesAnyValue) : [];
  return [
    ...(nodeAffinity ? validateNodeAffinity(nodeAffinity, child(field, 'nodeAffinity')) : []),
    ...ofPods(podAffinity, 'podAffinity'),
    ...ofPods(podAntiAffinity, 'podAntiAffinity'),
  ];
}

function validateNodeAffinity(affinity: NodeAffinity, field: FieldPath): FieldError[] {
  const must = affinity[requiredTerms];
  const list = child(field, preferredTerms);
  return [
    ...(must ? validateNodeSelector(must, child(field, requiredTerms)) : []),
    ...(affinity[preferredTerms] ?? []).flatMap(({ weight, preference }, index) => [
      ...validateWeight(weight, at(list, index)),
      // A wish for a label that no node can have is a wish that stays one.
      ...validateNodeSelectorTerm(preference ?? {}, child(at(list, index), 'preference'), true),
    ]),
  ];
}

function validatePodAffinity(affinity: PodAffinity, field: FieldPath, takesAnyValue: boolean): FieldError[] {
  const list = child(field, preferredTerms);
  return [
    ...(affinity[requiredTerms] ?? []).flatMap((term, index) =>
      validateTerm(term, at(child(field, requiredTerms), index), takesAnyValue),
    ),
    ...(affinity[preferredTerms] ?? []).flatMap(({ weight, podAffinityTerm }, index) => [
      ...validateWeight(weight, at(list, index)),
      ...validateTerm(podAffinityTerm ?? {}, child(at(list, index), 'podAffinityTerm'), takesAnyValue),
    ]),
  ];
}

function validateWeight(weight: number | undefined, field: FieldPath): FieldError[] {
  const isFit = weight !== undefined && weight >= 1 && weight <= 100;
  return isFit ? [] : [invalidValue(child(field, 'weight'), weight ?? 0, 'must be in the range 1-100')];
}

function validateTerm(
  term: Partial<PodAffinityTerm>,
  field: FieldPath,
  takesAnyValue: boolean,
): FieldError[] {
  const { labelSelector, namespaceSelector, namespaces = [], topologyKey = '' } = term;
  const place = child(field, 'topologyKey');
  return [
    ...validateSelector(labelSelector, child(field, 'labelSelector'), takesAnyValue),
    ...validateSelector(namespaceSelector, child(field, 'namespaceSelector'), takesAnyValue),
    ...namespaces.flatMap((name) => check(child(field, 'namespace'), name, dnsLabel)),
    ...validateLabelKeys(term, field),
    ...(topologyKey === '' ? [required(place, 'can not be empty')] : []),
    ...check(place, topologyKey, qualifiedName),
  ];
}

interface KeyedSelector {
  labelSelector?: LabelSelector;
  matchLabelKeys?: string[];
  mismatchLabelKeys?: string[];
}

/** Keys whose values are taken from the pod itself: not also those of the selector, and not both ways. */
function validateLabelKeys(
  { labelSelector, matchLabelKeys = [], mismatchLabelKeys = [] }: KeyedSelector,
  field: FieldPath,
): FieldError[] {
  const selected = new Map<string, number>();
  for (const { key } of labelSelector?.matchExpressions ?? [])
    selected.set(key, (selected.get(key) ?? 0) + 1);
  for (const key of Object.keys(labelSelector?.matchLabels ?? {}))
    selected.set(key, (selected.get(key) ?? 0) + 1);
  const keysOf = { matchLabelKeys, mismatchLabelKeys };
  return [
    ...Object.entries(keysOf).flatMap(([name, keys]) => {
      const list = child(field, name);
      if (keys.length === 0) return [];
      if (!labelSelector)
        return [forbiddenField(list, 'must not be specified when labelSelector is not set')];
      return keys.flatMap((key, index) => [
        ...check(at(list, index), key, qualifiedName),
        ...(selected.has(key) && !isMerged(labelSelector, key, name === 'matchLabelKeys')
          ? [invalidValue(at(list, index), key, 'exists in both its own list and labelSelector')]
          : []),
      ]);
    }),
    ...mismatchLabelKeys
      .filter((key) => matchLabelKeys.includes(key))
      .map((key) =>
        invalidValue(
          at(child(field, 'matchLabelKeys'), matchLabelKeys.indexOf(key)),
          key,
          'exists in both lists',
        ),
      ),
  ];
}

/** The API server itself adds each key to the selector when the pod is created; that one counts as none. */
function isMerged(
  { matchExpressions = [], matchLabels = {} }: LabelSelector,
  key: string,
  isMatch: boolean,
): boolean {
  const own = matchExpressions.filter((each) => each.key === key);
  const [only] = own;
  const isOne = own.length === 1 && !Object.hasOwn(matchLabels, key);
  return isOne && only!.operator === (isMatch ? 'In' : 'NotIn') && only!.values?.length === 1;
}

const actions = ['DoNotSchedule', 'ScheduleAnyway'];
const policies = ['Honor', 'Ignore'];

/** Violations in constraints of spread; no selector is looked at where one of `previous` was wrong already. */
export function validateSpread(
  constraints: readonly TopologySpreadConstraint[] = [],
  field: FieldPath,
  previous: readonly TopologySpreadConstraint[] = [],
): FieldError[] {
  const takesAnySelector = previous.some(({ labelSelector }) => isInvalidSelector(labelSelector));
  const keyOf = ({ topologyKey, whenUnsatisfiable }: TopologySpreadConstraint) =>
    JSON.stringify([topologyKey, whenUnsatisfiable]);
  const lastOf = new Map(constraints.map((constraint, index) => [keyOf(constraint), index]));
  return constraints.flatMap((constraint, index) => {
    const place = at(field, index);
    const { topologyKey, whenUnsatisfiable: action } = constraint;
    const isRepeated = lastOf.get(keyOf(constraint)) !== index;
    return [
      ...validateConstraint(constraint, place),
      ...(takesAnySelector ? [] : validateSelector(constraint.labelSelector, child(place, 'labelSelector'))),
      ...(isRepeated
        ? [duplicate(child(place, '{topologyKey, whenUnsatisfiable}'), `{${topologyKey}, ${action}}`)]
        : []),
    ];
  });
}

function validateConstraint(constraint: TopologySpreadConstraint, field: FieldPath): FieldError[] {
  const { maxSkew = 0, topologyKey, whenUnsatisfiable: action, minDomains } = constraint;
  const domains = child(field, 'minDomains');
  return [
    ...(maxSkew > 0 ? [] : [invalidValue(child(field, 'maxSkew'), maxSkew, 'must be greater than zero')]),
    ...(topologyKey ? [] : [required(child(field, 'topologyKey'), 'can not be empty')]),
    ...(actions.includes(action)
      ? []
      : [notSupported(child(field, 'whenUnsatisfiable'), action ?? '', actions)]),
    ...(minDomains !== undefined && minDomains <= 0
      ? [invalidValue(domains, minDomains, 'must be greater than zero')]
      : []),
    ...(minDomains !== undefined && action !== 'DoNotSchedule'
      ? [invalidValue(domains, minDomains, 'can only use minDomains if whenUnsatisfiable=DoNotSchedule')]
      : []),
    ...(['nodeAffinityPolicy', 'nodeTaintsPolicy'] as const).flatMap((name) => {
      const policy = constraint[name];
      if (policy === undefined || policies.includes(policy)) return [];
      return [notSupported(child(field, name), policy, policies)];
    }),
    ...validateLabelKeys(constraint, field),
  ];
}

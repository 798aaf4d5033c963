/** Violations in what a job says of failures and success (upstream: pkg/apis/batch/validation). */

import type {
  JobSpec,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyRule,
  SuccessPolicyRule,
} from '../../generated/types.ts';
import {
  at,
  child,
  duplicate,
  type FieldError,
  type FieldPath,
  invalidValue,
  required,
  tooLong,
  tooMany,
} from '../../status/field-error.ts';
import { qualifiedName } from '../../validation/formats.ts';
import { check, nonNegative } from '../../validation/metadata.ts';
import { repeats } from '../../validation/repeats.ts';
import { oneOf } from '../../validation/values.ts';

const rulesMax = 20;
const patternsMax = 20;
const exitCodesMax = 255;
const indexesBytesMax = 64 * 1024;
const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore'];

/** Violations in the rules for failed pods. */
export function validateFailurePolicy(spec: JobSpec, field: FieldPath): FieldError[] {
  const list = child(field, 'rules');
  const rules = spec.podFailurePolicy?.rules ?? [];
  return [
    ...(rules.length > rulesMax ? [tooMany(list, rules.length, rulesMax)] : []),
    ...rules.flatMap((rule, index) => validateRule(rule, spec, at(list, index))),
  ];
}

function validateRule(rule: PodFailurePolicyRule, spec: JobSpec, field: FieldPath): FieldError[] {
  const { action, onExitCodes, onPodConditions: patterns = [] } = rule;
  const place = child(field, 'action');
  const needsLimit = action === 'FailIndex' && spec.backoffLimitPerIndex === undefined;
  const sides = Number(onExitCodes !== undefined) + Number(patterns.length > 0);
  return [
    ...oneOf(place, action, actions),
    ...(needsLimit ? [invalidValue(place, action, 'requires the backoffLimitPerIndex to be set')] : []),
    ...(onExitCodes ? validateExitCodes(onExitCodes, spec, child(field, 'onExitCodes')) : []),
    ...(patterns.length > patternsMax
      ? [tooMany(child(field, 'onPodConditions'), patterns.length, patternsMax)]
      : []),
    ...patterns.flatMap(({ type = '', status }, index) => {
      const own = at(child(field, 'onPodConditions'), index);
      return [
        ...check(child(own, 'type'), type, qualifiedName),
        ...oneOf(child(own, 'status'), status, ['False', 'True', 'Unknown']),
      ];
    }),
    ...(sides === 1
      ? []
      : [invalidValue(field, {}, 'exactly one of onExitCodes and onPodConditions is needed')]),
  ];
}

function validateExitCodes(
  { operator, containerName, values = [] }: PodFailurePolicyOnExitCodesRequirement,
  { template }: JobSpec,
  field: FieldPath,
): FieldError[] {
  const list = child(field, 'values');
  const { containers = [], initContainers = [] } = template?.spec ?? { containers: [] };
  const names = [...containers, ...initContainers].map(({ name }) => name);
  const isOrdered = values.every((value, index) => index === 0 || values[index - 1]! <= value);
  const isRepeat = repeats<number>();
  return [
    ...oneOf(child(field, 'operator'), operator, ['In', 'NotIn']),
    ...(containerName === undefined || names.includes(containerName)
      ? []
      : [
          invalidValue(
            child(field, 'containerName'),
            containerName,
            'must be one of the containers of the template',
          ),
        ]),
    ...(values.length === 0 ? [invalidValue(list, [], 'at least one value is required')] : []),
    ...(values.length > exitCodesMax ? [tooMany(list, values.length, exitCodesMax)] : []),
    ...values.flatMap((value, index) => [
      ...(operator === 'In' && value === 0
        ? [invalidValue(at(list, index), 0, 'must not be 0 for the In operator')]
        : []),
      ...(isRepeat(value) ? [duplicate(at(list, index), value)] : []),
    ]),
    ...(isOrdered ? [] : [invalidValue(list, [...values], 'must be ordered')]),
  ];
}

/** Violations in the rules for an early success. */
export function validateSuccessPolicy(spec: JobSpec, field: FieldPath): FieldError[] {
  if (spec.completionMode !== 'Indexed') return [invalidValue(field, {}, 'requires indexed completion mode')];
  const list = child(field, 'rules');
  const rules = spec.successPolicy?.rules ?? [];
  return [
    ...(rules.length === 0 ? [required(list, 'at least one rule must be specified')] : []),
    ...(rules.length > rulesMax ? [tooMany(list, rules.length, rulesMax)] : []),
    ...rules.flatMap((rule, index) => validateSuccess(rule, spec.completions ?? 0, at(list, index))),
  ];
}

function validateSuccess(
  { succeededIndexes: indexes, succeededCount: count }: SuccessPolicyRule,
  completions: number,
  field: FieldPath,
): FieldError[] {
  const [listed, counted] = [child(field, 'succeededIndexes'), child(field, 'succeededCount')];
  const total = indexes === undefined ? undefined : countIndexes(indexes, completions);
  const atMost = (bound: number) =>
    (count ?? 0) > bound ? [invalidValue(counted, count, `must be less than or equal to ${bound}`)] : [];
  return [
    ...(count === undefined && indexes === undefined
      ? [required(field, 'at least one of succeededCount or succeededIndexes must be specified')]
      : []),
    ...(indexes !== undefined && Buffer.byteLength(indexes) > indexesBytesMax
      ? [tooLong(listed, indexesBytesMax)]
      : []),
    ...(indexes !== undefined && total === undefined
      ? [invalidValue(listed, indexes, 'must be indexes and ranges of them in ascending order')]
      : []),
    ...nonNegative(counted, count),
    ...atMost(completions),
    ...(indexes === undefined ? [] : atMost(total ?? 0)),
  ];
}

/** How many indexes `0-2,5` names; undefined where it is malformed, out of order or beyond the completions. */
export function countIndexes(text: string, completions: number): number | undefined {
  if (text === '') return 0;
  let [last, total] = [-1, 0];
  for (const part of text.split(',')) {
    const [, first, end] = /^(\d+)(?:-(\d+))?$/.exec(part) ?? [];
    if (first === undefined) return undefined;
    const [low, high] = [Number(first), Number(end ?? first)];
    const isRange = end !== undefined;
    if (low <= last || high >= completions || (isRange && low >= high)) return undefined;
    total += high - low + 1;
    last = high;
  }
  return total;
}

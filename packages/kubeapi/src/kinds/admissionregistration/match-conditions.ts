/** Conditions in CEL under which a webhook or a policy is asked (upstream: validateMatchConditions). */
import { PolicyExpressions } from '../../cel/policies/policy-expressions.ts';
import type { MatchCondition } from '../../generated/types.ts';
import {
  at,
  child,
  duplicate,
  type FieldError,
  type FieldPath,
  invalidValue,
  required,
  tooMany,
} from '../../status/field-error.ts';
import { qualifiedName } from '../../validation/formats.ts';
import { check } from '../../validation/metadata.ts';
import { repeats } from '../../validation/repeats.ts';

const conditionsMax = 64;

/** Violations in conditions. Needs `loadPatternEngine` where there are any. */
export function matchConditionErrors(
  conditions: readonly MatchCondition[],
  place: FieldPath,
  options: { hasParams: boolean } = { hasParams: false },
): FieldError[] {
  if (conditions.length === 0) return [];
  const expressions = new PolicyExpressions(options);
  const isRepeat = repeats<string>();
  return [
    ...(conditions.length > conditionsMax ? [tooMany(place, conditions.length, conditionsMax)] : []),
    ...conditions.flatMap(({ name, expression }, index) => {
      const field = (key: string) => child(at(place, index), key);
      const isRepeated = isRepeat(name) && name !== '';
      return [
        ...expressionErrors(
          expression,
          field('expression'),
          () => expressions.compile(expression, 'bool').error,
        ),
        ...(name ? check(field('name'), name, qualifiedName) : [required(field('name'))]),
        ...(isRepeated ? [duplicate(field('name'), name)] : []),
      ];
    }),
  ];
}

/** Conditions that an update leaves as they were are not looked at again (upstream: ignore…MatchConditions). */
export function areSameConditions(
  next: readonly MatchCondition[] = [],
  previous: readonly MatchCondition[] = [],
): boolean {
  const shown = (conditions: readonly MatchCondition[]) =>
    JSON.stringify(conditions.map(({ name, expression }) => [name, expression]));
  return shown(next) === shown(previous);
}

/** Of an expression that has to be there and to compile; `absent` is what is said where there is none. */
export function expressionErrors(
  text: string | undefined,
  place: FieldPath,
  compile: () => string | undefined,
  absent = '',
): FieldError[] {
  if (!text?.trim()) return [required(place, absent)];
  const error = compile();
  return error === undefined ? [] : [invalidValue(place, text, error)];
}

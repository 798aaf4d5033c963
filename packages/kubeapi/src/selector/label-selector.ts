/** Label selectors: matching, and the two forms they come in (LabelSelector objects; text is in parse-label-selector). */

import type { LabelSelector } from '../generated/types.ts';
import { ownValue } from '../json/json-value.ts';

/** How a requirement compares. */
export type LabelOperator = 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'GreaterThan' | 'LessThan';

/** One condition on one label; all of a selector's must hold. */
export interface LabelRequirement {
  key: string;
  operator: LabelOperator;
  values: readonly string[];
}

/** Labels of an object; none at all is the same as an empty map. */
export type Labels = Readonly<Record<string, string>> | undefined;

/** A conjunction of requirements. An empty one matches everything. */
export class LabelMatcher {
  readonly requirements: readonly LabelRequirement[];

  constructor(requirements: readonly LabelRequirement[]) {
    this.requirements = requirements;
  }

  /** True when every requirement holds. */
  matches(labels: Labels): boolean {
    return this.requirements.every((requirement) => holds(requirement, labels));
  }

  /** True when it matches everything. */
  get isEmpty(): boolean {
    return this.requirements.length === 0;
  }

  /** The text form, as query parameters carry it. */
  toString(): string {
    return this.requirements.map(formatRequirement).join(',');
  }
}

function holds({ key, operator, values }: LabelRequirement, labels: Labels): boolean {
  const value = ownValue(labels, key);
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return value !== undefined && compares(value, operator, values[0] ?? '');
  }
}

function compares(value: string, operator: 'GreaterThan' | 'LessThan', bound: string): boolean {
  if (!/^[+-]?\d{1,19}$/.test(value) || !/^[+-]?\d{1,19}$/.test(bound)) return false;
  return operator === 'GreaterThan' ? BigInt(value) > BigInt(bound) : BigInt(value) < BigInt(bound);
}

function formatRequirement({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case 'Exists':
      return key;
    case 'DoesNotExist':
      return `!${key}`;
    case 'GreaterThan':
      return `${key}>${values[0]}`;
    case 'LessThan':
      return `${key}<${values[0]}`;
    default:
      if (values.length === 1) return `${key}${operator === 'In' ? '=' : '!='}${values[0]}`;
      return `${key} ${operator === 'In' ? 'in' : 'notin'} (${[...values].sort().join(',')})`;
  }
}

/** Matches nothing: what an absent LabelSelector object means. */
const nothing = new LabelMatcher([{ key: '', operator: 'In', values: [] }]);

/** A matcher from a LabelSelector object. Absent matches nothing, empty matches everything. Throws on a bad operator. */
export function matcherFrom(selector: LabelSelector | undefined): LabelMatcher {
  if (selector === undefined) return nothing;
  const equalities = Object.entries(selector.matchLabels ?? {}).map(
    ([key, value]): LabelRequirement => ({ key, operator: 'In', values: [value] }),
  );
  const expressions = (selector.matchExpressions ?? []).map((expression): LabelRequirement => {
    const { key, operator, values = [] } = expression;
    if (operator === 'In' || operator === 'NotIn' || operator === 'Exists' || operator === 'DoesNotExist') {
      return { key, operator, values };
    }
    throw new Error(`${JSON.stringify(operator)} is not a valid label selector operator`);
  });
  return new LabelMatcher([...equalities, ...expressions]);
}

/** A matcher for equal labels (`spec.selector` of services and replication controllers). */
export function matcherFromMap(labels: Readonly<Record<string, string>>): LabelMatcher {
  return matcherFrom({ matchLabels: { ...labels } });
}

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
  /** How the operator was written, where it was no word. */
  symbol?: '=' | '==' | '!=' | '>' | '<';
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
  if (!isInt64(value) || !isInt64(bound)) return false;
  return operator === 'GreaterThan' ? BigInt(value) > BigInt(bound) : BigInt(value) < BigInt(bound);
}

/** True for a whole number of 64 bits, as Go reads one. */
export function isInt64(text: string): boolean {
  if (!/^[+-]?0*\d{1,19}$/.test(text)) return false;
  const number = BigInt(text.replace('+', ''));
  return BigInt.asIntN(64, number) === number;
}

function formatRequirement({ key, operator, values, symbol }: LabelRequirement): string {
  if (symbol) return `${key}${symbol}${values[0]}`;
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
      return `${key} ${operator === 'In' ? 'in' : 'notin'} (${[...values].sort().join(',')})`;
  }
}

/** In the order that every selector has. */
export function sortedByKey(requirements: LabelRequirement[]): LabelRequirement[] {
  return requirements.sort((left, right) => (left.key < right.key ? -1 : left.key > right.key ? 1 : 0));
}

/** Matches nothing: what an absent LabelSelector object means. */
const nothing = new LabelMatcher([{ key: '', operator: 'In', values: [] }]);

/** A matcher from a LabelSelector object. Absent matches nothing, empty matches everything. Throws on a bad operator. */
export function matcherFrom(selector: LabelSelector | undefined): LabelMatcher {
  if (selector === undefined) return nothing;
  const equalities = Object.entries(selector.matchLabels ?? {}).map(
    ([key, value]): LabelRequirement => ({ key, operator: 'In', values: [value], symbol: '=' }),
  );
  const expressions = (selector.matchExpressions ?? []).map((expression): LabelRequirement => {
    const { key, operator, values = [] } = expression;
    if (operator === 'In' || operator === 'NotIn' || operator === 'Exists' || operator === 'DoesNotExist') {
      return { key, operator, values };
    }
    throw new Error(`${JSON.stringify(operator)} is not a valid label selector operator`);
  });
  return new LabelMatcher(sortedByKey([...equalities, ...expressions]));
}

/** A matcher for equal labels (`spec.selector` of services and replication controllers). */
export function matcherFromMap(labels: Readonly<Record<string, string>>): LabelMatcher {
  return matcherFrom({ matchLabels: { ...labels } });
}

/** Literals that can be seen to be wrong before anything runs: durations, times and patterns. */

import type { Expression, Issue } from '../syntax/ast.ts';
import { partsOf } from '../syntax/builder.ts';
import { showType, type Type } from '../types.ts';
import { patternProblem } from '../values/patterns.ts';
import { parseDuration, parseTimestamp } from '../values/time.ts';
import { isError } from '../values/value.ts';
import type { CheckedExpression } from './checked-expression.ts';

export function literalIssues(checked: CheckedExpression): Issue[] {
  const issues: Issue[] = [];
  const visit = (part: Expression, isMixed: boolean) => {
    if (!isMixed) issues.push(...mixtureComplaints(part, checked));
    const complaint = part.kind === 'call' ? callComplaint(part, checked) : undefined;
    if (complaint) issues.push(complaint);
    const mayMix = isMixed || (part.kind === 'call' && part.name === 'format');
    for (const inner of partsOf(part)) visit(inner, mayMix);
  };
  visit(checked.root, false);
  return issues;
}

/** What lists and maps that are written out hold is of one type, of which nothing is left open in one place alone. */
function mixtureComplaints(part: Expression, { types }: CheckedExpression): Issue[] {
  const typeOf = (item: Expression, isOptional: boolean): Type => {
    const type = types.get(item.id)!;
    return isOptional && type.kind === 'optional' ? type.params[0]! : type;
  };
  const complaints = (items: readonly { item: Expression; type: Type }[]): Issue[] => {
    const [first] = items;
    return items
      .filter(({ type }) => !isSame(first!.type, type))
      .map(({ item, type }) => ({
        ...{ at: item.at, message: `expected type '${showType(first!.type)}' but found '${showType(type)}'` },
      }));
  };
  if (part.kind === 'list')
    return complaints(
      part.items.map((item, index) => ({ item, type: typeOf(item, part.optional.has(index)) })),
    ).slice(0, 1);
  if (part.kind !== 'map') return [];
  return [
    ...complaints(part.entries.map(({ key }) => ({ item: key, type: typeOf(key, false) }))),
    ...complaints(
      part.entries.map(({ value, isOptional }) => ({ item: value, type: typeOf(value, isOptional) })),
    ),
  ];
}

function isSame(left: Type, right: Type): boolean {
  return (
    left.kind === right.kind &&
    left.name === right.name &&
    left.params.length === right.params.length &&
    left.params.every((each, index) => isSame(each, right.params[index]!))
  );
}

function callComplaint(
  part: Expression & { kind: 'call' },
  { qualified }: CheckedExpression,
): Issue | undefined {
  const [arg] = part.args;
  if (arg?.kind !== 'literal' || typeof arg.value !== 'string' || qualified.has(part.id)) return undefined;
  const { value } = arg;
  const isGlobal = part.target === undefined;
  const refuse = () => ({ at: arg.at, message: `invalid ${part.name} argument` });
  if (part.name === 'duration' && isGlobal && isError(parseDuration(value))) return refuse();
  if (part.name === 'timestamp' && isGlobal && isError(parseTimestamp(value))) return refuse();
  if (part.name === 'matches' && patternProblem(value) !== undefined) return refuse();
  return undefined;
}

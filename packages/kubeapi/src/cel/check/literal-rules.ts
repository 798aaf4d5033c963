/** Literals that can be seen to be wrong before anything runs: durations, times and patterns. */

import type { Expression, Issue } from '../syntax/ast.ts';
import { partsOf } from '../syntax/builder.ts';
import { patternProblem } from '../values/patterns.ts';
import { parseDuration, parseTimestamp } from '../values/time.ts';
import { isError } from '../values/value.ts';
import type { CheckedExpression } from './checked-expression.ts';

export function literalIssues(checked: CheckedExpression): Issue[] {
  const issues: Issue[] = [];
  const visit = (part: Expression) => {
    const complaint = part.kind === 'call' ? callComplaint(part, checked) : undefined;
    if (complaint) issues.push(complaint);
    for (const inner of partsOf(part)) visit(inner);
  };
  visit(checked.root);
  return issues;
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

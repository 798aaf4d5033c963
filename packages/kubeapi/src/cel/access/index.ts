/** Expressions that decide who somebody is, and who is asked what they may. */
export { loadPatternEngine } from '../../values/pattern.ts';
export { AccessExpressionError } from './access-expression.ts';
export { ClaimMapping, ClaimRule, UserRule } from './claim-expressions.ts';
export type { ClaimedUser } from './claim-values.ts';
export { allHold, ReviewCondition } from './review-conditions.ts';
export { selectsField } from './selects-field.ts';

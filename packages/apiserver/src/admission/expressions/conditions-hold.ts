import {
  aggregateText,
  PolicyBudgetError,
  type PolicyEvaluation,
  type PolicyExpression,
  PolicyFailure,
} from '@wherry/kubeapi';

/** Whether conditions hold, that are asked with the failure policy. Throws PolicyFailure when that can't be said. */
export function conditionsHold(
  conditions: readonly PolicyExpression[],
  evaluation: PolicyEvaluation,
  isIgnored: boolean,
): boolean {
  const failures: string[] = [];
  try {
    for (const condition of conditions) {
      try {
        if (evaluation.run(condition) === false) return false;
      } catch (error) {
        if (!(error instanceof PolicyFailure)) throw error;
        failures.push(error.message);
      }
    }
  } catch (error) {
    if (!(error instanceof PolicyBudgetError)) throw error;
    failures.push(error.message);
  }
  if (failures.length === 0) return true;
  if (isIgnored) return false;
  throw new PolicyFailure(aggregateText(failures));
}

import {
  aggregateText,
  PolicyBudgetError,
  type PolicyEvaluation,
  type PolicyExpression,
  PolicyFailure,
} from '@wherry/kubeapi';
import { whenAnswered } from './ask-access.ts';

/** Whether conditions hold, that are asked with the failure policy. Rejects with PolicyFailure when that can't be said. */
export async function conditionsHold(
  conditions: readonly PolicyExpression[],
  evaluation: PolicyEvaluation,
  isIgnored: boolean,
): Promise<boolean> {
  const failures: string[] = [];
  try {
    for (const condition of conditions) {
      try {
        if ((await whenAnswered(() => evaluation.run(condition))) === false) return false;
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

import {
  celConditionsCostMax,
  celMessageBytesMax,
  celObjectCostMax,
  PolicyBudgetError,
  type PolicyEvaluation,
  type PolicyExpression,
  PolicyFailure,
  type PolicyInputs,
} from '@wherry/kubeapi';
import { limits } from '../../limits.ts';
import { whenAnswered } from '../expressions/ask-access.ts';
import { conditionsHold } from '../expressions/conditions-hold.ts';
import { errorTypeOf, type PolicyErrorType } from '../figures/policy-figures.ts';
import type { Policy } from './validating-policy.ts';

/** What one validation has come to, where it does not hold. */
export interface Denial {
  /** Of the validation; -1: it is not about one. */
  index: number;
  message: string;
  reason: string | undefined;
  errorType: PolicyErrorType;
}

/** What a policy says of one request, with one parameter. */
export interface PolicyVerdict {
  denials: Denial[];
  /** For the audit, by key. */
  annotations: Map<string, string>;
  /** Failures that the policy ignores. */
  ignored: PolicyErrorType[];
  /** Annotations that can't be worked out: they refuse whatever the binding says. */
  failures: Denial[];
}

/** Asks all expressions of a policy; others have their turn in between. */
export async function applyPolicy(
  policy: Policy,
  inputs: PolicyInputs,
  pause: () => Promise<void>,
): Promise<PolicyVerdict> {
  const isIgnored = policy.definition.spec.failurePolicy === 'Ignore';
  const verdict: PolicyVerdict = { denials: [], ignored: [], annotations: new Map(), failures: [] };
  const fail = (index: number, error: Error) => {
    const errorType = errorTypeOf(error);
    if (isIgnored) verdict.ignored.push(errorType);
    else verdict.denials.push({ index, message: error.message, reason: undefined, errorType });
  };
  const { expressions } = policy;
  // As upstream, conditions do not see the namespace.
  const early = expressions.evaluation({ ...inputs, namespaceObject: null }, celConditionsCostMax);
  try {
    if (!(await conditionsHold(policy.conditions, early, isIgnored))) return verdict;
    const evaluation = expressions.evaluation(inputs, celObjectCostMax);
    for (const [index, { validation, check, message }] of policy.validations.entries()) {
      await pause();
      const outcome = await outcomeOf(evaluation, check);
      if (outcome instanceof PolicyFailure) fail(index, outcome);
      else if (outcome !== true) {
        const told = (message && (await textOf(evaluation, message))) || validation.message?.trim();
        const shown = told || `failed expression: ${validation.expression.trim()}`;
        const reason = validation.reason ?? 'Invalid';
        verdict.denials.push({ index, message: shown, reason, errorType: 'no_error' });
      }
    }
    await annotate(policy, inputs, verdict);
  } catch (error) {
    if (!(error instanceof PolicyBudgetError || error instanceof PolicyFailure)) throw error;
    // As upstream: nothing that was found before counts.
    verdict.denials = [];
    fail(-1, error);
  }
  return verdict;
}

async function outcomeOf(evaluation: PolicyEvaluation, expression: PolicyExpression): Promise<unknown> {
  try {
    return await whenAnswered(() => evaluation.run(expression));
  } catch (error) {
    if (error instanceof PolicyFailure) return error;
    throw error;
  }
}

/** Undefined where it is no message. */
async function textOf(
  evaluation: PolicyEvaluation,
  expression: PolicyExpression,
): Promise<string | undefined> {
  const outcome = await outcomeOf(evaluation, expression);
  const text = typeof outcome === 'string' ? outcome.trim() : '';
  return Buffer.byteLength(text) > celMessageBytesMax || text.includes('\n') ? undefined : text;
}

async function annotate(
  { annotations, expressions, definition }: Policy,
  inputs: PolicyInputs,
  verdict: PolicyVerdict,
) {
  const evaluation = expressions.evaluation(inputs, celObjectCostMax);
  for (const { key, value } of annotations) {
    const outcome = await outcomeOf(evaluation, value);
    if (outcome instanceof PolicyFailure) {
      if (definition.spec.failurePolicy === 'Ignore') continue;
      const { message } = outcome;
      verdict.failures.push({ index: -1, message, reason: undefined, errorType: errorTypeOf(outcome) });
    } else if (typeof outcome === 'string' && outcome.trim() !== '')
      verdict.annotations.set(key, outcome.trim().slice(0, limits.auditValueCharactersMax));
  }
}

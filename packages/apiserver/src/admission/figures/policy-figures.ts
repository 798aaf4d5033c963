import { PolicyBudgetError } from '@wherry/kubeapi';
import type { Counter, Histogram, MetricsRegistry } from '@wherry/telemetry';

/** What a policy's expressions came to, in upstream's words. */
export type PolicyErrorType = 'no_error' | 'invalid_error' | 'out_of_budget' | 'compile_error';

/** What was done about it. */
export type EnforcementAction = 'allow' | 'deny' | 'audit' | 'warn';

/** A policy, and the binding by which it was asked. */
export interface PolicyPlace {
  policy: string;
  binding: string;
}

/** Upper bounds in seconds, as upstream has them. */
const secondsBounds = [5e-7, 0.001, 0.01, 0.1, 1];

/** Counts and times policies in CEL (upstream: admission/plugin/policy). */
export class PolicyFigures {
  readonly #validating: { checks: Counter; seconds: Histogram };
  readonly #mutating: { checks: Counter; seconds: Histogram };

  constructor(metrics: MetricsRegistry) {
    const families = (kind: string, what: string) => ({
      checks: metrics.counter(`apiserver_${kind}_admission_policy_check_total`, `How often ${what}.`),
      seconds: metrics.histogram(
        `apiserver_${kind}_admission_policy_check_duration_seconds`,
        'Time that a policy took.',
        secondsBounds,
      ),
    });
    this.#validating = families('validating', 'something was found by a policy, and what was done about it');
    this.#mutating = families('mutating', 'a policy changed, or could not change, what was written');
  }

  /** A validation did not hold, or could not be said. */
  found(
    { policy, binding }: PolicyPlace,
    { errorType, action }: { errorType: PolicyErrorType; action: EnforcementAction },
    tookMs: number,
  ): void {
    const labels = {
      ...{ policy, policy_binding: binding, error_type: errorType, enforcement_action: action },
    };
    this.#validating.checks.add(1, labels);
    this.#validating.seconds.observe(tookMs / 1000, labels);
  }

  /** Mutations were made, or could not be. */
  changed({ policy, binding }: PolicyPlace, error: Error | undefined, tookMs: number): void {
    const labels = { policy, policy_binding: binding, error_type: errorTypeOf(error) };
    this.#mutating.checks.add(1, labels);
    this.#mutating.seconds.observe(tookMs / 1000, labels);
  }
}

/** Of what an expression has thrown. */
export function errorTypeOf(error: unknown): PolicyErrorType {
  if (error === undefined) return 'no_error';
  return error instanceof PolicyBudgetError ? 'out_of_budget' : 'invalid_error';
}

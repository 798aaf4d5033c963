import {
  fromStatus,
  loadPatternEngine,
  type PolicyInputs,
  type StatusError,
  type ValidatingAdmissionPolicyBinding,
} from '@wherry/kubeapi';
import { expressionTurns } from '../../flow/expression-turns.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { refused } from '../admission.ts';
import type { EnforcementAction, PolicyErrorType } from '../figures/policy-figures.ts';
import type { PluginParts } from '../plugin-parts.ts';
import { everything, isExempt } from '../webhooks/exempt.ts';
import { applyPolicy, type Denial, type PolicyVerdict } from './apply-policy.ts';
import { ConfigurationError, paramsOf } from './params.ts';
import { Policies } from './policies.ts';
import { inputsOf } from './policy-inputs.ts';
import { matchOf } from './scope-match.ts';
import { checksOf, type Policy } from './validating-policy.ts';

const codes: ReadonlyMap<string, number> = new Map([
  ['Forbidden', 403],
  ['Unauthorized', 401],
  ['RequestEntityTooLarge', 413],
]);

const actions = { Deny: 'deny', Audit: 'audit', Warn: 'warn' } as const;

/** With what one policy is applied. */
interface ApplyParts {
  inputs: Omit<PolicyInputs, 'params'>;
  pause: () => Promise<void>;
  /** What all its bindings and parameters say for the audit. */
  annotations: Map<string, Set<string>>;
}

/** Asks policies in CEL that may refuse what is about to be stored. */
export function validatingAdmissionPolicy(parts: PluginParts): AdmissionPlugin {
  const policies = new Policies({
    definitions: parts.caches.policies,
    bindings: parts.caches.policyBindings,
    compile: checksOf,
  });
  const { authorizer, clock, served, params, figures } = parts;
  const sources = { namespaces: parts.caches.namespaces, served, params, authorizer };

  /** What one binding comes to; its denials are told as it says. Returns those that refuse. */
  function tell(
    request: AdmissionRequest,
    {
      policy,
      binding,
      verdict,
    }: { policy: string; binding: ValidatingAdmissionPolicyBinding; verdict: PolicyVerdict },
  ): Denial[] {
    const name = binding.metadata.name ?? '';
    const { validationActions = [] } = binding.spec;
    for (const { message, index } of verdict.denials) {
      if (validationActions.includes('Warn'))
        request.warn(
          `Validation failed for ValidatingAdmissionPolicy '${policy}' with binding '${name}': ${message}`,
        );
      if (validationActions.includes('Audit'))
        request.annotate(
          'validation.policy.admission.k8s.io/validation_failure',
          JSON.stringify([{ message, policy, binding: name, expressionIndex: index, validationActions }]),
        );
    }
    return [...(validationActions.includes('Deny') ? verdict.denials : []), ...verdict.failures];
  }

  function count(
    { definition }: Policy,
    { metadata, spec }: ValidatingAdmissionPolicyBinding,
    { verdict, tookMs }: { verdict: PolicyVerdict; tookMs: number },
  ): void {
    const place = { policy: definition.metadata.name ?? '', binding: metadata.name ?? '' };
    const found = (errorType: PolicyErrorType, action: EnforcementAction) =>
      figures.policies.found(place, { errorType, action }, tookMs);
    for (const errorType of verdict.ignored) found(errorType, 'allow');
    for (const { errorType } of verdict.denials)
      for (const action of spec.validationActions ?? []) found(errorType, actions[action]);
    for (const { errorType } of verdict.failures) found(errorType, 'deny');
  }

  async function apply(
    policy: Policy,
    binding: ValidatingAdmissionPolicyBinding,
    request: AdmissionRequest,
    { inputs, pause, annotations }: ApplyParts,
  ): Promise<Denial[]> {
    const { paramKind, failurePolicy } = policy.definition.spec;
    try {
      const params = await paramsOf(paramKind, binding.spec.paramRef, request.namespace, sources);
      const denials: Denial[] = [];
      for (const param of params) {
        const startedMs = clock.monotonicMs();
        const verdict = await applyPolicy(policy, { ...inputs, params: param }, pause);
        count(policy, binding, { verdict, tookMs: clock.monotonicMs() - startedMs });
        for (const [key, value] of verdict.annotations)
          annotations.set(key, (annotations.get(key) ?? new Set()).add(value));
        denials.push(...tell(request, { policy: policy.definition.metadata.name ?? '', binding, verdict }));
      }
      return denials;
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      const message = `failed to configure binding: ${error.message}`;
      const denial = { index: -1, message, reason: undefined, errorType: 'invalid_error' } as const;
      return failurePolicy === 'Ignore' ? [] : [denial];
    }
  }

  return {
    name: 'ValidatingAdmissionPolicy',
    handles: everything,
    async validate(request) {
      if (policies.isEmpty || isExempt(request)) return;
      await loadPatternEngine();
      const pause = expressionTurns(clock);
      let first: { policy: string; binding: string; denial: Denial } | undefined;
      for (const policy of policies.list()) {
        const match = matchOf(policy.scope, request, sources);
        if (!match) continue;
        const inputs = await inputsOf(match, request, sources);
        const annotations = new Map<string, Set<string>>();
        for (const { binding, scope } of policy.bindings) {
          if (scope && !matchOf(scope, request, sources)) continue;
          const [denial] = await apply(policy, binding, request, { inputs, pause, annotations });
          const names = {
            policy: policy.definition.metadata.name ?? '',
            binding: binding.metadata.name ?? '',
          };
          if (denial) first ??= { ...names, denial };
        }
        for (const [key, values] of annotations)
          request.annotate(`${policy.definition.metadata.name ?? ''}/${key}`, [...values].join(', '));
      }
      if (first) throw refusal(request, first);
    },
  };
}

/** As upstream words it; only the first is told. */
function refusal(
  request: AdmissionRequest,
  { policy, binding, denial }: { policy: string; binding: string; denial: Denial },
): StatusError {
  const why = `ValidatingAdmissionPolicy '${policy}' with binding '${binding}' denied request: ${denial.message}`;
  const { status } = refused(request, why, { message: why });
  const reason = denial.reason ?? 'Invalid';
  return fromStatus({ ...status, reason, code: codes.get(reason) ?? 422 });
}

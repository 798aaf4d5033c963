import {
  celConditionsCostMax,
  celObjectCostMax,
  exactJson,
  fromStatus,
  type JsonObject,
  type JsonValue,
  loadPatternEngine,
  type MutatingAdmissionPolicy,
  type MutatingAdmissionPolicyBinding,
  type PatchType,
  PolicyBudgetError,
  type PolicyExpression,
  PolicyFailure,
  type PolicyInputs,
  patchedObject,
  type StatusError,
} from '@wherry/kubeapi';
import { expressionTurns } from '../../flow/expression-turns.ts';
import { as } from '../../objects/api-object.ts';
import { type AdmissionPlugin, type AdmissionRequest, refused } from '../admission.ts';
import { whenAnswered } from '../expressions/ask-access.ts';
import { conditionsHold } from '../expressions/conditions-hold.ts';
import type { PluginParts } from '../plugin-parts.ts';
import { isExempt } from '../webhooks/exempt.ts';
import { formFor, type Invocation } from '../webhooks/invocation.ts';
import { changeShown } from '../webhooks/webhook-patch.ts';
import { ConfigurationError, paramsOf } from './params.ts';
import { type BoundPolicy, Policies } from './policies.ts';
import { inputsOf } from './policy-inputs.ts';
import { matchOf } from './scope-match.ts';

type Policy = BoundPolicy<MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding> & {
  mutations: readonly { patchType: PatchType; expression: PolicyExpression }[];
};

/** Of one request: what may be applied once more. */
interface Round {
  /** Applied before, and willing to be applied again: policy, binding and parameter. */
  applied: Set<string>;
  /** Of those, the ones after which the object has changed. */
  again: Set<string>;
  /** What the last policy left. */
  left: string;
}

/** One policy, as one binding applies it with one parameter. */
interface Application {
  policy: Policy;
  match: Invocation;
  param: JsonValue | undefined;
}

/** Applies policies in CEL that change what is about to be stored, by their names. */
export function mutatingAdmissionPolicy(parts: PluginParts): AdmissionPlugin {
  const policies = new Policies({
    definitions: parts.caches.mutatingPolicies,
    bindings: parts.caches.mutatingPolicyBindings,
    compile: ({ spec }: MutatingAdmissionPolicy, expressions) => ({
      mutations: (spec.mutations ?? []).map(({ patchType, applyConfiguration, jsonPatch }) => ({
        patchType,
        expression:
          patchType === 'JSONPatch'
            ? expressions.compile((jsonPatch?.expression ?? '').trim(), 'list(JSONPatch)')
            : expressions.compile((applyConfiguration?.expression ?? '').trim(), 'Object'),
      })),
    }),
  });
  const { authorizer, clock, served, params, figures } = parts;
  const sources = { namespaces: parts.caches.namespaces, served, params, authorizer };
  const rounds = new WeakMap<AdmissionRequest, Round>();

  /** True when the object is another one then; `fail` is told what could not be done. */
  async function apply(
    { policy, match, param }: Application,
    request: AdmissionRequest,
    { pause, fail }: { pause: () => Promise<void>; fail: (error: Error) => void },
  ): Promise<boolean> {
    let hasChanged = false;
    for (const { patchType, expression } of policy.mutations) {
      await pause();
      const inputs: PolicyInputs = { ...(await inputsOf(match, request, sources)), params: param };
      try {
        const evaluation = policy.expressions.evaluation(inputs, celObjectCostMax);
        const value = await whenAnswered(() => evaluation.run(expression));
        const form = formFor(match, request, sources);
        const change = (object: JsonObject): JsonObject =>
          patchedObject(value, patchType, object, form.type!);
        if (await changeShown(request, form, change)) hasChanged = true;
      } catch (error) {
        if (!isPolicys(error)) throw error;
        fail(error);
      }
    }
    return hasChanged;
  }

  async function isWanted(
    { policy, match, param }: Application,
    request: AdmissionRequest,
  ): Promise<boolean> {
    const inputs = {
      ...(await inputsOf(match, request, sources)),
      ...{ params: param, namespaceObject: null },
    };
    const evaluation = policy.expressions.evaluation(inputs, celConditionsCostMax);
    return conditionsHold(policy.conditions, evaluation, policy.definition.spec.failurePolicy === 'Ignore');
  }

  return {
    name: 'MutatingAdmissionPolicy',
    keepsDefaults: true,
    handles: [{ operations: ['CREATE', 'UPDATE'], resources: ['*'] }],
    async admit(request) {
      if (policies.isEmpty || isExempt(request) || !request.object) return;
      await loadPatternEngine();
      const pause = expressionTurns(clock);
      const earlier = rounds.get(request);
      const round = earlier ?? { applied: new Set(), again: new Set(), left: '' };
      rounds.set(request, round);
      // Other plug-ins have changed what policies had left.
      if (earlier && exactJson(request.object) !== round.left) round.again = new Set(round.applied);
      const denials: string[] = [];
      for (const policy of policies.list()) {
        const { failurePolicy, paramKind, reinvocationPolicy } = policy.definition.spec;
        const match = matchOf(policy.scope, request, sources);
        if (!match) continue;
        for (const { binding, scope } of policy.bindings) {
          if (scope && !matchOf(scope, request, sources)) continue;
          const names = {
            policy: policy.definition.metadata.name ?? '',
            binding: binding.metadata.name ?? '',
          };
          const fail = ({ message }: Error) => {
            if (failurePolicy === 'Ignore') return;
            denials.push(
              `policy '${names.policy}' with binding '${names.binding}' denied request: ${message}`,
            );
          };
          try {
            for (const param of await paramsOf(
              paramKind,
              binding.spec.paramRef,
              request.namespace,
              sources,
            )) {
              const key = JSON.stringify([names.policy, names.binding, placeOf(param)]);
              const application = { policy, match, param };
              if (!(await isWanted(application, request)) || (earlier && !round.again.has(key))) continue;
              const startedMs = clock.monotonicMs();
              let failure: Error | undefined;
              const failed = (error: Error) => {
                failure ??= error;
                fail(error);
              };
              const hasChanged = await apply(application, request, { pause, fail: failed });
              figures.policies.changed(names, failure, clock.monotonicMs() - startedMs);
              if (hasChanged) {
                round.again = new Set(round.applied);
                request.askAgain();
              }
              if (reinvocationPolicy === 'IfNeeded') round.applied.add(key);
            }
          } catch (error) {
            if (!isPolicys(error)) throw error;
            const isConfiguration = error instanceof ConfigurationError;
            fail(isConfiguration ? new Error(`failed to configure binding: ${error.message}`) : error);
          }
        }
      }
      round.left = exactJson(request.object) ?? '';
      if (denials.length > 0) throw refusal(request, denials);
    },
  };
}

/** As upstream words it: the first is told, all are causes. */
function refusal(request: AdmissionRequest, denials: readonly string[]): StatusError {
  const { status } = refused(request, 'admission request denied by policy');
  const causes = denials.map((message) => ({ message }));
  return fromStatus({
    ...{ ...status, message: denials[0]!, reason: 'Invalid' },
    details: { ...status.details, causes },
  });
}

/** What a policy's failure policy is about. */
function isPolicys(error: unknown): error is Error {
  return (
    error instanceof PolicyFailure ||
    error instanceof PolicyBudgetError ||
    error instanceof ConfigurationError
  );
}

function placeOf(param: JsonValue | undefined): string[] {
  const { metadata = {} } = as<{ metadata?: { namespace?: string; name?: string } }>((param ?? {}) as never);
  return [metadata.namespace ?? '', metadata.name ?? ''];
}

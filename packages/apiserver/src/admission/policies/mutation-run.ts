import {
  celConditionsCostMax,
  celObjectCostMax,
  type JsonObject,
  type JsonValue,
  type MutatingAdmissionPolicy,
  type MutatingAdmissionPolicyBinding,
  type PatchType,
  PolicyBudgetError,
  type PolicyExpression,
  PolicyFailure,
  patchedObject,
} from '@wherry/kubeapi';
import { expressionTurns } from '../../flow/expression-turns.ts';
import { as } from '../../objects/api-object.ts';
import type { AdmissionRequest } from '../admission.ts';
import { whenAnswered } from '../expressions/ask-access.ts';
import { conditionsHold } from '../expressions/conditions-hold.ts';
import type { PluginParts } from '../plugin-parts.ts';
import { formFor, type Invocation } from '../webhooks/invocation.ts';
import { changeShown } from '../webhooks/webhook-patch.ts';
import { ConfigurationError, paramsOf } from './params.ts';
import type { BoundPolicy } from './policies.ts';
import { inputsOf } from './policy-inputs.ts';
import { matchOf } from './scope-match.ts';

/** A policy that changes objects, and where it applies. */
export type MutatingPolicy = BoundPolicy<MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding> & {
  mutations: readonly { patchType: PatchType; expression: PolicyExpression }[];
};

/** Of one request: what may be applied once more. */
export interface Round {
  /** Applied before, and willing to be applied again: policy, binding and parameter. */
  applied: Set<string>;
  /** Of those, the ones after which the object has changed. */
  again: Set<string>;
  /** What the last policy left. */
  left: string;
}

/** What policies look at and are counted by. */
export interface MutationSources
  extends Pick<PluginParts, 'served' | 'params' | 'authorizer' | 'clock' | 'figures'> {
  namespaces: PluginParts['caches']['namespaces'];
}

/** One policy, as one binding applies it with one parameter. */
interface Application {
  policy: MutatingPolicy;
  match: Invocation;
  binding: MutatingAdmissionPolicyBinding;
  param: JsonValue | undefined;
}

/** Applies one policy after the other to what one request is about to store. */
export class MutationRun {
  /** Why the request is refused; empty: it is not. */
  readonly denials: string[] = [];
  readonly #sources: MutationSources;
  readonly #request: AdmissionRequest;
  readonly #round: Round;
  readonly #isFirst: boolean;
  readonly #pause: () => Promise<void>;

  /** `isFirst`: no policy has seen the request yet. */
  constructor(
    sources: MutationSources,
    { request, round, isFirst }: { request: AdmissionRequest; round: Round; isFirst: boolean },
  ) {
    this.#sources = sources;
    this.#request = request;
    this.#round = round;
    this.#isFirst = isFirst;
    this.#pause = expressionTurns(sources.clock);
  }

  /** By each binding that applies, with each of its parameters. */
  async apply(policy: MutatingPolicy): Promise<void> {
    const match = matchOf(policy.scope, this.#request, this.#sources);
    if (!match) return;
    for (const { binding, scope } of policy.bindings) {
      if (scope && !matchOf(scope, this.#request, this.#sources)) continue;
      try {
        const { paramKind } = policy.definition.spec;
        const { namespace } = this.#request;
        for (const param of await paramsOf(paramKind, binding.spec.paramRef, namespace, this.#sources))
          await this.#applyOnce({ policy, match, binding, param });
      } catch (error) {
        if (!isPolicys(error)) throw error;
        const isConfiguration = error instanceof ConfigurationError;
        const message = isConfiguration ? `failed to configure binding: ${error.message}` : error.message;
        this.#fail(policy, binding, message);
      }
    }
  }

  async #applyOnce(application: Application): Promise<void> {
    const { policy, binding, param } = application;
    const { clock, figures } = this.#sources;
    const names = namesOf(policy, binding);
    const key = JSON.stringify([names.policy, names.binding, placeOf(param)]);
    if (!(await this.#isWanted(application)) || !(this.#isFirst || this.#round.again.has(key))) return;
    const startedMs = clock.monotonicMs();
    const { hasChanged, failure } = await this.#change(application);
    figures.policies.changed(names, failure, clock.monotonicMs() - startedMs);
    if (hasChanged) {
      this.#round.again = new Set(this.#round.applied);
      this.#request.askAgain();
    }
    if (policy.definition.spec.reinvocationPolicy === 'IfNeeded') this.#round.applied.add(key);
  }

  async #isWanted({ policy, match, param }: Application): Promise<boolean> {
    const inputs = await inputsOf(match, this.#request, this.#sources);
    const evaluation = policy.expressions.evaluation(
      { ...inputs, params: param, namespaceObject: null },
      celConditionsCostMax,
    );
    return conditionsHold(policy.conditions, evaluation, policy.definition.spec.failurePolicy === 'Ignore');
  }

  /** Whether the object is another one then, and what could not be done first. */
  async #change({ policy, match, binding, param }: Application) {
    let hasChanged = false;
    let failure: Error | undefined;
    for (const { patchType, expression } of policy.mutations) {
      await this.#pause();
      const inputs = await inputsOf(match, this.#request, this.#sources);
      try {
        const evaluation = policy.expressions.evaluation({ ...inputs, params: param }, celObjectCostMax);
        const value = await whenAnswered(() => evaluation.run(expression));
        const form = formFor(match, this.#request, this.#sources);
        const change = (object: JsonObject): JsonObject =>
          patchedObject(value, patchType, object, form.type!);
        if (await changeShown(this.#request, form, change)) hasChanged = true;
      } catch (error) {
        if (!isPolicys(error)) throw error;
        failure ??= error;
        this.#fail(policy, binding, error.message);
      }
    }
    return { hasChanged, failure };
  }

  #fail(policy: MutatingPolicy, binding: MutatingAdmissionPolicyBinding, message: string): void {
    if (policy.definition.spec.failurePolicy === 'Ignore') return;
    const names = namesOf(policy, binding);
    this.denials.push(`policy '${names.policy}' with binding '${names.binding}' denied request: ${message}`);
  }
}

const namesOf = ({ definition }: MutatingPolicy, { metadata }: MutatingAdmissionPolicyBinding) => ({
  policy: definition.metadata.name ?? '',
  binding: metadata.name ?? '',
});

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

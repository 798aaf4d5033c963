import { exactJson, internalError, type JsonValue, loadPatternEngine, StatusError } from '@wherry/kubeapi';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import type { PluginParts } from '../plugin-parts.ts';
import { type CallParts, callWebhook } from './call-webhook.ts';
import { isWanted } from './conditions.ts';
import { everything, isExempt } from './exempt.ts';
import { type Hook, Hooks } from './hook.ts';
import { type Form, formFor, invocationOf } from './invocation.ts';
import { readWebhookUsers } from './webhook-admission.ts';
import { applyWebhookPatch } from './webhook-patch.ts';

/** Of one request: who may be asked once more. */
interface Round {
  /** Asked before, and willing to be asked again. */
  asked: Set<string>;
  /** Of those, the ones after which the object has changed. */
  again: Set<string>;
  /** What the last webhook left. */
  left: string;
}

/** Asks webhooks that may change what is written, one after the other, by the names of their configurations. */
export function mutatingAdmissionWebhook(parts: PluginParts): AdmissionPlugin {
  const hooks = new Hooks(parts.caches.mutatingWebhooks);
  const rounds = new WeakMap<AdmissionRequest, Round>();
  const sources = { namespaces: parts.caches.namespaces, served: parts.served };
  const { clock, logger, figures, authorizer } = parts;
  const calls: CallParts = { client: parts.webhooks, clock, logger, figures: figures.webhooks };
  const conditions = { authorizer, clock, figures: figures.conditions, type: 'admit' } as const;

  /** Whether it has changed the object; undefined: it is not about this request. */
  async function ask(hook: Hook, request: AdmissionRequest, place: string): Promise<boolean | undefined> {
    const invocation = invocationOf(hook, request, sources);
    if (!invocation) return undefined;
    const form = formFor(invocation, request, sources);
    if (!(await isWanted(invocation, request, { form, ...conditions }))) return undefined;
    const names = { configuration: hook.configuration, webhook: hook.webhook.name };
    let mutated = false;
    const askedMs = clock.monotonicMs();
    try {
      const asking = callWebhook(invocation, request, { form, isMutating: true, place, parts: calls });
      const verdict = await asking.finally(() => request.waited(clock.monotonicMs() - askedMs));
      if (!verdict?.patch || (Array.isArray(verdict.patch) && verdict.patch.length === 0)) return false;
      mutated = await applyPatch(request, hook, { patch: verdict.patch, form });
      const patch = exactJson({ ...names, patch: verdict.patch, patchType: 'JSONPatch' });
      request.annotate(`patch.webhook.admission.k8s.io/${place}`, patch, 'Request');
      return mutated;
    } finally {
      request.annotate(`mutation.webhook.admission.k8s.io/${place}`, JSON.stringify({ ...names, mutated }));
    }
  }

  async function applyPatch(
    request: AdmissionRequest,
    hook: Hook,
    { patch, form }: { patch: JsonValue; form: Form },
  ): Promise<boolean> {
    try {
      return await applyWebhookPatch(request, patch, form);
    } catch (error) {
      if (error instanceof StatusError) throw error;
      const why = error instanceof Error ? error.message : String(error);
      throw internalError(new Error(`admission webhook ${JSON.stringify(hook.webhook.name)}: ${why}`));
    }
  }

  return {
    name: 'MutatingAdmissionWebhook',
    keepsDefaults: true,
    handles: everything,
    configure(given) {
      calls.users = readWebhookUsers(given, clock);
    },
    async admit(request) {
      if (hooks.isEmpty || isExempt(request)) return;
      await loadPatternEngine();
      const known = hooks.list();
      const earlier = rounds.get(request);
      const round = earlier ?? { asked: new Set(), again: new Set(), left: '' };
      rounds.set(request, round);
      // Other plug-ins have changed what webhooks had seen.
      if (earlier && exactJson(request.object) !== round.left) round.again = new Set(round.asked);
      for (const [index, hook] of known.entries()) {
        const place = `round_${earlier ? 1 : 0}_index_${index}`;
        if (earlier && !round.again.has(hook.id)) continue;
        const hasChanged = await ask(hook, request, place);
        // Nobody is asked for the first time in a later round, as upstream.
        if (hasChanged === undefined) continue;
        if (hasChanged) {
          round.again = new Set(round.asked);
          request.askAgain();
        }
        if (hook.webhook.reinvocationPolicy === 'IfNeeded') round.asked.add(hook.id);
      }
      round.left = exactJson(request.object) ?? '';
    },
  };
}

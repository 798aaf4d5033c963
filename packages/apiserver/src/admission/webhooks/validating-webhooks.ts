import { loadPatternEngine } from '@wherry/kubeapi';
import type { AdmissionPlugin } from '../admission.ts';
import type { PluginParts } from '../plugin-parts.ts';
import { type CallParts, callWebhook } from './call-webhook.ts';
import { isWanted } from './conditions.ts';
import { everything, isExempt } from './exempt.ts';
import { Hooks } from './hook.ts';
import { formFor, invocationOf } from './invocation.ts';
import { readWebhookUsers } from './webhook-admission.ts';

/** Asks webhooks that may refuse what is about to be stored, all at once. */
export function validatingAdmissionWebhook(parts: PluginParts): AdmissionPlugin {
  const hooks = new Hooks(parts.caches.validatingWebhooks);
  const sources = { namespaces: parts.caches.namespaces, served: parts.served };
  const { clock, logger, figures, authorizer } = parts;
  const calls: CallParts = { client: parts.webhooks, clock, logger, figures: figures.webhooks };
  const conditions = { authorizer, clock, figures: figures.conditions, type: 'validate' } as const;
  return {
    name: 'ValidatingAdmissionWebhook',
    handles: everything,
    configure(given) {
      calls.users = readWebhookUsers(given, clock);
    },
    async validate(request) {
      if (hooks.isEmpty || isExempt(request)) return;
      await loadPatternEngine();
      const known = hooks.list();
      const matching = known
        .map((hook) => invocationOf(hook, request, sources))
        .filter((invocation) => invocation !== undefined)
        .map((invocation) => ({ invocation, form: formFor(invocation, request, sources) }));
      const wanted: typeof matching = [];
      for (const each of matching) {
        const { invocation, form } = each;
        if (await isWanted(invocation, request, { form, ...conditions })) wanted.push(each);
      }
      const askedMs = clock.monotonicMs();
      const outcomes = await Promise.allSettled(
        wanted.map(({ invocation, form }, index) =>
          callWebhook(invocation, request, {
            ...{ form, isMutating: false, place: `round_0_index_${index}`, parts: calls },
          }),
        ),
      );
      if (wanted.length > 0) request.waited(clock.monotonicMs() - askedMs);
      const refusal = outcomes.find((outcome) => outcome.status === 'rejected');
      if (refusal) throw refusal.reason;
    },
  };
}

import { loadPatternEngine } from '@wherry/kubeapi';
import type { AdmissionPlugin } from '../admission.ts';
import type { PluginParts } from '../plugin-parts.ts';
import { callWebhook } from './call-webhook.ts';
import { isWanted } from './conditions.ts';
import { everything, isExempt } from './exempt.ts';
import { Hooks } from './hook.ts';
import { formFor, invocationOf } from './invocation.ts';

/** Asks webhooks that may refuse what is about to be stored, all at once. */
export function validatingAdmissionWebhook(parts: PluginParts): AdmissionPlugin {
  const hooks = new Hooks(parts.caches.validatingWebhooks);
  const sources = { namespaces: parts.caches.namespaces, served: parts.served };
  const calls = { client: parts.webhooks, clock: parts.clock, logger: parts.logger };
  return {
    name: 'ValidatingAdmissionWebhook',
    handles: everything,
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
        if (await isWanted(invocation, request, { form, authorizer: parts.authorizer })) wanted.push(each);
      }
      const askedMs = parts.clock.monotonicMs();
      const outcomes = await Promise.allSettled(
        wanted.map(({ invocation, form }, index) =>
          callWebhook(invocation, request, {
            ...{ form, isMutating: false, place: `round_0_index_${index}`, parts: calls },
          }),
        ),
      );
      if (wanted.length > 0) request.waited(parts.clock.monotonicMs() - askedMs);
      const refusal = outcomes.find((outcome) => outcome.status === 'rejected');
      if (refusal) throw refusal.reason;
    },
  };
}

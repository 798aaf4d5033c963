import type { Namespace } from '@wherry/kubeapi';
import { as } from '../../objects/api-object.ts';
import type { Strategy } from '../../objects/strategy.ts';
import { sendSnapshot } from '../../responses/responder.ts';
import { finalizeNamespace } from '../../subresources/finalize.ts';
import { answer } from '../answers.ts';
import type { ServedKind } from '../definition.ts';

/** Namespaces: held back by spec.finalizers until the namespace controller has emptied them. */
export const namespaceStrategy: Strategy = {
  prepareCreate(object) {
    const finalizers = as<Namespace>(object).spec?.finalizers ?? [];
    const isHeld = finalizers.includes('kubernetes');
    object.spec = { finalizers: isHeld ? finalizers : [...finalizers, 'kubernetes'] };
    object.status = { phase: 'Active' };
    // Every namespace can be selected by its name.
    const { labels, name = '' } = object.metadata;
    object.metadata.labels = { ...labels, 'kubernetes.io/metadata.name': name };
  },
  prepareUpdate(next, previous) {
    next.status = previous.status!;
    next.spec = previous.spec!;
    const { labels, name = '' } = next.metadata;
    next.metadata.labels = { ...labels, 'kubernetes.io/metadata.name': name };
  },
  prepareDelete(object) {
    object.status = { ...object.status, phase: 'Terminating' };
  },
  marksAlone: true,
  isHeldBack: (object) => (as<Namespace>(object).spec?.finalizers ?? []).length > 0,
};

/** Namespaces. */
export const namespace: ServedKind = {
  group: '',
  kind: 'Namespace',
  strategy: namespaceStrategy,
  handlers: ({ core }) => ({
    finalize: {
      verbs: ['update'],
      async serve(request, wire) {
        const snapshot = await finalizeNamespace(core('namespaces'), request);
        sendSnapshot(snapshot, answer(request, wire.response(), 200));
      },
    },
  }),
};

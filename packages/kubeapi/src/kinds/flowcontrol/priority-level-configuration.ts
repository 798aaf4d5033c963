/** Queues of requests. */
import type { KindDefinition } from '../definition.ts';

/** Queues of requests. */
export const priorityLevelConfiguration: KindDefinition = {
  group: 'flowcontrol.apiserver.k8s.io',
  kind: 'PriorityLevelConfiguration',
  defaults: {
    ExemptPriorityLevelConfiguration: { nominalConcurrencyShares: 0, lendablePercent: 0 },
    LimitedPriorityLevelConfiguration: { nominalConcurrencyShares: 30, lendablePercent: 0 },
    QueuingConfiguration: { handSize: 8, queues: 64, queueLengthLimit: 50 },
  },
};

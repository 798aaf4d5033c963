import type { ServedKind } from '../definition.ts';

/** Replication controllers, which nothing here acts on. */
export const replicationController: ServedKind = {
  group: '',
  kind: 'ReplicationController',
  strategy: { createsOnUpdate: true, orphansByDefault: true },
  unanswered: ['scale'],
};

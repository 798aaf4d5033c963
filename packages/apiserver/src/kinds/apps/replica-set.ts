import type { ServedKind } from '../definition.ts';

/** Replica sets, which nothing here acts on. */
export const replicaSet: ServedKind = {
  group: 'apps',
  kind: 'ReplicaSet',
  unanswered: ['scale'],
};

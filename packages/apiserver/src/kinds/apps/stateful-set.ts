import type { ServedKind } from '../definition.ts';

/** Stateful sets, which nothing here acts on. */
export const statefulSet: ServedKind = {
  group: 'apps',
  kind: 'StatefulSet',
  unanswered: ['scale'],
};

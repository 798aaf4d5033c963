import type { ServedKind } from '../definition.ts';

/** Priority classes: one generation, as their values never change. */
export const priorityClass: ServedKind = {
  group: 'scheduling.k8s.io',
  kind: 'PriorityClass',
  strategy: { desired: () => null },
};

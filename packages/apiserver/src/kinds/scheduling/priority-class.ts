import type { ServedKind } from '../definition.ts';

/** Priority classes. */
export const priorityClass: ServedKind = {
  group: 'scheduling.k8s.io',
  kind: 'PriorityClass',
  isServed: true,
};

import type { ServedKind } from '../definition.ts';

/** Runtime classes. */
export const runtimeClass: ServedKind = {
  group: 'node.k8s.io',
  kind: 'RuntimeClass',
  strategy: { createsOnUpdate: true, needsVersionOnUpdate: true },
};

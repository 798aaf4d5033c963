import type { ServedKind } from '../definition.ts';

/** Config maps. */
export const configMap: ServedKind = {
  group: '',
  kind: 'ConfigMap',
  isServed: true,
};

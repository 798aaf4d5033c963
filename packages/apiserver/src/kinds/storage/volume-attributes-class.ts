import type { ServedKind } from '../definition.ts';

/** Volume attributes classes. */
export const volumeAttributesClass: ServedKind = {
  group: 'storage.k8s.io',
  kind: 'VolumeAttributesClass',
  strategy: { returnsDeleted: true },
};

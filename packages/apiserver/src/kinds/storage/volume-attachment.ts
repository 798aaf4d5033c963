import type { ServedKind } from '../definition.ts';

/** Attachments of volumes to nodes. */
export const volumeAttachment: ServedKind = {
  group: 'storage.k8s.io',
  kind: 'VolumeAttachment',
  strategy: { returnsDeleted: true, needsVersionOnUpdate: true, statusKeeps: 'metadata' },
};

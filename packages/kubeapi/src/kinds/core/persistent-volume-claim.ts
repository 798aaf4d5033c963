/** Claims on persistent volumes. */
import type { PersistentVolumeClaim } from '../../generated/types.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, nameColumn, type Printer, wide } from '../../table/printer.ts';
import type { KindDefinition } from '../definition.ts';
import { modeText } from './persistent-volume.ts';

const printer: Printer<PersistentVolumeClaim> = {
  columns: [
    ...[nameColumn, column('Status'), column('Volume'), column('Capacity'), column('Access Modes')],
    ...[column('StorageClass'), column('VolumeAttributesClass'), ageColumn, wide('VolumeMode')],
  ],
  cells: ({ metadata, spec, status }, nowMs) => [
    ...[
      metadata.name ?? '',
      metadata.deletionTimestamp ? 'Terminating' : (status?.phase ?? ''),
      spec.volumeName ?? '',
    ],
    spec.volumeName ? (status?.capacity?.['storage'] ?? '0') : '',
    spec.volumeName ? modeText(status?.accessModes) : '',
    ...[spec.storageClassName ?? '', spec.volumeAttributesClassName ?? '<unset>'],
    ...[age(metadata.creationTimestamp, nowMs), spec.volumeMode ?? '<unset>'],
  ],
};

/** Claims on persistent volumes. */
export const persistentVolumeClaim: KindDefinition<PersistentVolumeClaim> = {
  group: '',
  kind: 'PersistentVolumeClaim',
  printer,
  defaults: {
    PersistentVolumeClaimStatus: { phase: 'Pending' },
    PersistentVolumeClaimSpec: { volumeMode: 'Filesystem' },
  },
  descriptions: {
    PersistentVolumeClaim: { '': 'A wish for storage.' },
  },
};

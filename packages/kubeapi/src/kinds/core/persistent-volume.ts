/** Persistent volumes. */
import { object } from '../../defaults/parts.ts';
import type { PersistentVolume } from '../../generated/types.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, nameColumn, type Printer, wide } from '../../table/printer.ts';
import type { KindDefinition } from '../definition.ts';

const accessModes: Record<string, string> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};
/** Access modes as kubectl shortens them. */
export const modeText = (modes: readonly string[] | undefined) =>
  Object.entries(accessModes)
    .filter(([mode]) => modes?.includes(mode))
    .map(([, short]) => short)
    .join(',');

const printer: Printer<PersistentVolume> = {
  columns: [
    ...[nameColumn, column('Capacity'), column('Access Modes'), column('Reclaim Policy'), column('Status')],
    ...[
      column('Claim'),
      column('StorageClass'),
      column('VolumeAttributesClass'),
      column('Reason'),
      ageColumn,
    ],
    wide('VolumeMode'),
  ],
  cells: ({ metadata, spec, status }, nowMs) => [
    ...[metadata.name ?? '', spec.capacity?.['storage'] ?? '0', modeText(spec.accessModes)],
    ...[
      spec.persistentVolumeReclaimPolicy ?? '',
      metadata.deletionTimestamp ? 'Terminating' : (status?.phase ?? ''),
    ],
    spec.claimRef ? `${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}` : '',
    ...[spec.storageClassName ?? '', spec.volumeAttributesClassName ?? '<unset>', status?.reason ?? ''],
    ...[age(metadata.creationTimestamp, nowMs), spec.volumeMode ?? '<unset>'],
  ],
};

/** Persistent volumes. */
export const persistentVolume: KindDefinition<PersistentVolume> = {
  group: '',
  kind: 'PersistentVolume',
  printer,
  defaults: {
    PersistentVolumeStatus: { phase: 'Pending' },
  },
  computedDefaults: {
    PersistentVolume: (volume) => {
      const spec = object(volume['spec']);
      spec['persistentVolumeReclaimPolicy'] ||= 'Retain';
      spec['volumeMode'] ??= 'Filesystem';
    },
  },
  descriptions: {
    PersistentVolume: { '': 'Storage of the cluster.' },
  },
};

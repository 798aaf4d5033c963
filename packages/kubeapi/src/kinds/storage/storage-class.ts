/** Storage classes. */
import type { StorageClass } from '../../generated/types.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, nameColumn, type Printer } from '../../table/printer.ts';
import type { KindDefinition } from '../definition.ts';

const defaultClass = 'storageclass.kubernetes.io/is-default-class';

const printer: Printer<StorageClass> = {
  columns: [
    ...[nameColumn, column('Provisioner'), column('ReclaimPolicy'), column('VolumeBindingMode')],
    ...[column('AllowVolumeExpansion'), ageColumn],
  ],
  cells: ({ metadata, provisioner, reclaimPolicy, volumeBindingMode, allowVolumeExpansion }, nowMs) => [
    `${metadata.name ?? ''}${metadata.annotations?.[defaultClass] === 'true' ? ' (default)' : ''}`,
    ...[
      provisioner,
      reclaimPolicy ?? 'Delete',
      volumeBindingMode ?? 'Immediate',
      allowVolumeExpansion ?? false,
    ],
    age(metadata.creationTimestamp, nowMs),
  ],
};

/** Storage classes. */
export const storageClass: KindDefinition<StorageClass> = {
  group: 'storage.k8s.io',
  kind: 'StorageClass',
  printer,
  defaults: {
    StorageClass: { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' },
  },
  descriptions: {
    StorageClass: { '': 'A kind of storage that can be asked for.' },
  },
};

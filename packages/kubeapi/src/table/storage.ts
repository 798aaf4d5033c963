/** Rows of volumes, claims and what provides them. */
import type {
  CSIDriver,
  CSINode,
  PersistentVolume,
  PersistentVolumeClaim,
  StorageClass,
  VolumeAttachment,
} from '../generated/types.ts';
import { age } from './human-duration.ts';
import { ageColumn, column, nameColumn, orNone, type Printer, wide } from './printer.ts';

const accessModes: Record<string, string> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};
const modeText = (modes: readonly string[] | undefined) =>
  Object.entries(accessModes)
    .filter(([mode]) => modes?.includes(mode))
    .map(([, short]) => short)
    .join(',');

/** Prints persistent volumes. */
export const persistentVolumePrinter: Printer<PersistentVolume> = {
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

/** Prints claims on persistent volumes. */
export const persistentVolumeClaimPrinter: Printer<PersistentVolumeClaim> = {
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

const defaultClass = 'storageclass.kubernetes.io/is-default-class';

/** Prints storage classes. */
export const storageClassPrinter: Printer<StorageClass> = {
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

/** Prints which CSI drivers a node has. */
export const csiNodePrinter: Printer<CSINode> = {
  columns: [nameColumn, column('Drivers', 'integer'), ageColumn],
  cells: ({ metadata, spec }, nowMs) => [
    ...[metadata.name ?? '', spec.drivers.length, age(metadata.creationTimestamp, nowMs)],
  ],
};

/** Prints CSI drivers. */
export const csiDriverPrinter: Printer<CSIDriver> = {
  columns: [
    ...[nameColumn, column('AttachRequired', 'boolean'), column('PodInfoOnMount', 'boolean')],
    ...[
      column('StorageCapacity', 'boolean'),
      column('TokenRequests'),
      column('RequiresRepublish', 'boolean'),
    ],
    ...[column('Modes'), ageColumn],
  ],
  cells: ({ metadata, spec }, nowMs) => [
    ...[
      metadata.name ?? '',
      spec.attachRequired ?? true,
      spec.podInfoOnMount ?? false,
      spec.storageCapacity ?? false,
    ],
    spec.tokenRequests?.map(({ audience }) => audience).join(',') ?? '<unset>',
    ...[spec.requiresRepublish ?? false, orNone(spec.volumeLifecycleModes?.join(','))],
    age(metadata.creationTimestamp, nowMs),
  ],
};

/** Prints attachments of volumes to nodes. */
export const volumeAttachmentPrinter: Printer<VolumeAttachment> = {
  columns: [
    ...[nameColumn, { ...column('Attacher'), format: 'name' }, column('PV'), column('Node')],
    ...[column('Attached', 'boolean'), ageColumn],
  ],
  cells: ({ metadata, spec, status }, nowMs) => [
    ...[metadata.name ?? '', spec.attacher, spec.source.persistentVolumeName ?? '', spec.nodeName],
    ...[status?.attached ?? false, age(metadata.creationTimestamp, nowMs)],
  ],
};

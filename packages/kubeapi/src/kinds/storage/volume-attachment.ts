/** Attachments of volumes to nodes. */
import type { VolumeAttachment } from '../../generated/types.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, nameColumn, type Printer } from '../../table/printer.ts';
import type { KindDefinition } from '../definition.ts';

const printer: Printer<VolumeAttachment> = {
  columns: [
    ...[nameColumn, { ...column('Attacher'), format: 'name' }, column('PV'), column('Node')],
    ...[column('Attached', 'boolean'), ageColumn],
  ],
  cells: ({ metadata, spec, status }, nowMs) => [
    ...[metadata.name ?? '', spec.attacher, spec.source.persistentVolumeName ?? '', spec.nodeName],
    ...[status?.attached ?? false, age(metadata.creationTimestamp, nowMs)],
  ],
};

/** Attachments of volumes to nodes. */
export const volumeAttachment: KindDefinition<VolumeAttachment> = {
  group: 'storage.k8s.io',
  kind: 'VolumeAttachment',
  printer,
};

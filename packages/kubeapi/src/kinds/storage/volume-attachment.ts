/** Attachments of volumes to nodes. */

import type { VolumeAttachment, VolumeAttachmentSource, VolumeError } from '../../generated/types.ts';
import type { JsonValue } from '../../json/json-value.ts';
import {
  child,
  type FieldError,
  forbiddenField,
  invalidValue,
  required,
  tooLong,
} from '../../status/field-error.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, nameColumn, type Printer } from '../../table/printer.ts';
import { dnsSubdomain, inclusiveRange } from '../../validation/formats.ts';
import { check, immutable } from '../../validation/metadata.ts';
import { validateCsiDriverName } from '../../validation/references.ts';
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
  validate: validateAttachment,
  validateUpdate: (next, previous) => [
    ...validateAttachment(next),
    ...immutable('spec', next.spec as unknown as JsonValue, previous.spec as unknown as JsonValue),
  ],
};

const metadataBytesMax = 256 * 1024;
const messageBytesMax = 1024;
const int32Max = 2 ** 31 - 1;

function validateAttachment({ spec, status }: VolumeAttachment): FieldError[] {
  const { attacher, source, nodeName } = spec ?? {};
  const { attachmentMetadata = {}, attachError, detachError } = status ?? {};
  const bytes = Object.entries(attachmentMetadata).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  return [
    ...validateCsiDriverName('spec.attacher', attacher),
    ...validateSource(source ?? {}),
    ...check('spec.nodeName', nodeName ?? '', dnsSubdomain),
    ...(bytes > metadataBytesMax ? [tooLong('status.attachmentMetadata', metadataBytesMax)] : []),
    ...validateError(attachError, 'status.attachError'),
    ...validateError(detachError, 'status.detachError'),
  ];
}

function validateSource({
  inlineVolumeSpec,
  persistentVolumeName: name,
}: VolumeAttachmentSource): FieldError[] {
  const field = 'spec.source';
  const detail = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  const place = child(field, 'persistentVolumeName');
  const malformed = name === undefined ? [] : check(place, name, dnsSubdomain);
  if (!inlineVolumeSpec && name === undefined) return [required(field, detail)];
  if (inlineVolumeSpec && name !== undefined) return [forbiddenField(field, detail), ...malformed];
  return [...(name === '' ? [required(place)] : []), ...malformed];
}

function validateError(error: VolumeError | undefined, field: string): FieldError[] {
  const { message = '', errorCode = 0 } = error ?? {};
  return [
    ...(Buffer.byteLength(message) > messageBytesMax
      ? [tooLong(child(field, 'message'), metadataBytesMax)]
      : []),
    ...(errorCode < 0
      ? [invalidValue(child(field, 'errorCode'), errorCode, inclusiveRange(0, int32Max))]
      : []),
  ];
}

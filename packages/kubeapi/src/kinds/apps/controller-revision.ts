/** Revisions of what a controller keeps. */

import type { ControllerRevision } from '../../generated/types.ts';
import { exactJson } from '../../json/exact-json.ts';
import { isJsonObject, type JsonValue } from '../../json/json-value.ts';
import { type FieldError, invalidValue, required } from '../../status/field-error.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, nameColumn, type Printer } from '../../table/printer.ts';
import { nonNegative } from '../../validation/metadata.ts';
import type { KindDefinition } from '../definition.ts';

const printer: Printer<ControllerRevision> = {
  columns: [nameColumn, column('Controller'), column('Revision'), ageColumn],
  cells: ({ metadata, revision }, nowMs) => {
    const owner = metadata?.ownerReferences?.find(({ controller }) => controller);
    const group = owner?.apiVersion?.includes('/') ? `.${owner.apiVersion.split('/', 1)[0]}` : '';
    return [
      ...[metadata?.name ?? '', owner ? `${owner.kind.toLowerCase()}${group}/${owner.name}` : '<none>'],
      ...[revision ?? 0, age(metadata?.creationTimestamp, nowMs)],
    ];
  },
};

/** Revisions of what a controller keeps. */
export const controllerRevision: KindDefinition<ControllerRevision> = {
  group: 'apps',
  kind: 'ControllerRevision',
  printer,
  validate: (revision) => [...validateNumber(revision), ...validateData(revision)],
  validateUpdate: (next, previous) => [...validateNumber(next), ...dataKept(next, previous)],
  descriptions: {
    ControllerRevision: { '': 'What a stateful set or a daemon set looked like at some time.' },
  },
};

const validateNumber = ({ revision }: ControllerRevision): FieldError[] => nonNegative('revision', revision);

/** The same text: fields in another order are another one, as upstream, which keeps what was sent. */
const dataKept = (
  { data: next }: ControllerRevision,
  { data: previous }: ControllerRevision,
): FieldError[] =>
  exactJson(next) === exactJson(previous)
    ? []
    : [invalidValue('data', next as JsonValue | undefined, 'field is immutable')];

function validateData({ data }: ControllerRevision): FieldError[] {
  if (isJsonObject(data as JsonValue | undefined)) return [];
  const isAbsent = data === undefined || data === null;
  return [required('data', isAbsent ? 'data is mandatory' : 'data must be a valid JSON object')];
}

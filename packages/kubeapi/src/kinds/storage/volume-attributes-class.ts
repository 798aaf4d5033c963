/** Volume attributes classes (upstream: pkg/apis/storage/validation). */

import type { VolumeAttributesClass } from '../../generated/types.ts';
import { jsonEqual } from '../../json/json-value.ts';
import { type FieldError, forbiddenField, required } from '../../status/field-error.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, nameColumn, type Printer } from '../../table/printer.ts';
import type { KindDefinition } from '../definition.ts';
import { validateDriver, validateParameters } from './parameters.ts';

const printer: Printer<VolumeAttributesClass> = {
  columns: [nameColumn, column('DriverName'), ageColumn],
  cells: ({ metadata, driverName }, nowMs) => [
    ...[metadata?.name ?? '', driverName],
    age(metadata?.creationTimestamp, nowMs),
  ],
};

/** What a volume can be asked for while it is in use. */
export const volumeAttributesClass: KindDefinition<VolumeAttributesClass> = {
  group: 'storage.k8s.io',
  kind: 'VolumeAttributesClass',
  printer,
  validate: validateClass,
  validateUpdate: (next, previous) => [
    ...(next.driverName === previous.driverName ? [] : [forbiddenField('driverName', 'it stays as it is')]),
    ...(jsonEqual(next.parameters, previous.parameters)
      ? []
      : [forbiddenField('parameters', 'they stay as they are')]),
    ...validateClass(next),
  ],
  descriptions: {
    VolumeAttributesClass: {
      '': 'Attributes of volumes that can be changed while they are in use.',
      driverName: 'The CSI driver that knows the parameters.',
    },
  },
};

function validateClass({ driverName, parameters = {} }: VolumeAttributesClass): FieldError[] {
  const isEmpty = Object.keys(parameters).length === 0;
  return [
    ...validateDriver('driverName', driverName),
    ...validateParameters(parameters),
    ...(isEmpty ? [required('parameters', 'must contain at least one key/value pair')] : []),
  ];
}

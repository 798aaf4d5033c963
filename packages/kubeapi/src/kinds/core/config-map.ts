/** Config maps. */

import type { ConfigMap } from '../../generated/types.ts';
import { at, type FieldError, invalidValue, tooLong } from '../../status/field-error.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, nameColumn, type Printer } from '../../table/printer.ts';
import { configMapKey } from '../../validation/formats.ts';
import { base64Bytes, dataBytesMax, frozen } from '../../validation/keyed-data.ts';
import { check } from '../../validation/metadata.ts';
import type { KindDefinition } from '../definition.ts';

const printer: Printer<ConfigMap> = {
  columns: [nameColumn, column('Data'), ageColumn],
  cells: ({ metadata, data, binaryData }, nowMs) => [
    metadata.name ?? '',
    Object.keys(data ?? {}).length + Object.keys(binaryData ?? {}).length,
    age(metadata.creationTimestamp, nowMs),
  ],
};

/** Config maps. */
export const configMap: KindDefinition<ConfigMap> = {
  group: '',
  kind: 'ConfigMap',
  printer,
  validate: validateConfigMap,
  validateUpdate: validateConfigMapUpdate,
  descriptions: {
    ConfigMap: {
      '': 'Names and values for pods to read.',
      data: 'Values as text.',
      binaryData: 'Values as base64.',
      immutable: 'True forbids changes for good.',
    },
  },
};

/** Violations in a config map. */
function validateConfigMap({ data = {}, binaryData = {} }: ConfigMap): FieldError[] {
  const errors: FieldError[] = [];
  let bytes = 0;
  for (const [key, value] of Object.entries(data)) {
    errors.push(...check(at('data', key), key, configMapKey));
    if (Object.hasOwn(binaryData, key)) {
      errors.push(invalidValue(at('data', key), key, 'duplicate of key present in binaryData'));
    }
    bytes += Buffer.byteLength(value);
  }
  for (const [key, value] of Object.entries(binaryData)) {
    errors.push(...check(at('binaryData', key), key, configMapKey));
    bytes += base64Bytes(value);
  }
  return bytes > dataBytesMax ? [...errors, tooLong('[]', dataBytesMax)] : errors;
}

/** Violations in a change of a config map. */
function validateConfigMapUpdate(next: ConfigMap, previous: ConfigMap): FieldError[] {
  return [...frozen(next, previous, ['data', 'binaryData']), ...validateConfigMap(next)];
}

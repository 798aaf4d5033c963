/** Secrets. */
import { object } from '../../defaults/parts.ts';
import type { Secret } from '../../generated/types.ts';
import { isJsonObject, type JsonObject, ownValue } from '../../json/json-value.ts';
import { at, type FieldError, required, tooLong } from '../../status/field-error.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, nameColumn, type Printer } from '../../table/printer.ts';
import { configMapKey } from '../../validation/formats.ts';
import { base64Bytes, dataBytesMax, frozen } from '../../validation/keyed-data.ts';
import { check, immutable } from '../../validation/metadata.ts';
import type { KindDefinition } from '../definition.ts';

const requiredKeys: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
};
const accountAnnotation = 'kubernetes.io/service-account.name';

const printer: Printer<Secret> = {
  columns: [nameColumn, column('Type'), column('Data'), ageColumn],
  cells: ({ metadata, type, data }, nowMs) => [
    ...[metadata.name ?? '', type ?? '', Object.keys(data ?? {}).length],
    age(metadata.creationTimestamp, nowMs),
  ],
};

/** Secrets. */
export const secret: KindDefinition<Secret> = {
  group: '',
  kind: 'Secret',
  printer,
  fieldLabels: { type: '' },
  validate: validateSecret,
  validateUpdate: validateSecretUpdate,
  defaults: {
    Secret: { type: 'Opaque' },
  },
  computedDefaults: {
    Secret: defaultSecretData,
  },
  descriptions: {
    Secret: {
      '': 'Like a config map, for what should not be seen.',
      data: 'Values as base64.',
      stringData: 'Values as text; written into data when stored.',
      type: 'What it holds; Opaque unless said otherwise.',
      immutable: 'True forbids changes for good.',
    },
  },
};

/** Violations in a secret. */
function validateSecret({ metadata, type = '', data = {} }: Secret): FieldError[] {
  const errors = Object.keys(data).flatMap((key) => check(at('data', key), key, configMapKey));
  const bytes = Object.values(data).reduce((sum, value) => sum + base64Bytes(value), 0);
  if (bytes > dataBytesMax) errors.push(tooLong('data', dataBytesMax));
  const absent = (ownValue(requiredKeys, type) ?? []).filter((key) => !Object.hasOwn(data, key));
  errors.push(...absent.map((key) => required(at('data', key))));
  if (
    type === 'kubernetes.io/basic-auth' &&
    data['username'] === undefined &&
    data['password'] === undefined
  ) {
    errors.push(required(at('data', 'username')), required(at('data', 'password')));
  }
  if (type === 'kubernetes.io/service-account-token' && !metadata.annotations?.[accountAnnotation]) {
    errors.push(required(at('metadata.annotations', accountAnnotation)));
  }
  return errors;
}

/** Violations in a change of a secret. */
function validateSecretUpdate(next: Secret, previous: Secret): FieldError[] {
  return [
    ...immutable('type', next.type, previous.type),
    ...frozen(next, previous, ['data']),
    ...validateSecret(next),
  ];
}

/** Texts become data, and are never stored as texts. */
function defaultSecretData(secret: JsonObject): void {
  const { stringData } = secret;
  delete secret['stringData'];
  if (!isJsonObject(stringData)) return;
  const encoded = Object.entries(stringData).map(([key, text]) => [
    key,
    Buffer.from(typeof text === 'string' ? text : '').toString('base64'),
  ]);
  secret['data'] = { ...object(secret['data']), ...Object.fromEntries(encoded) };
}

/** Secrets. */
import { object } from '../../defaults/parts.ts';
import type { Secret } from '../../generated/types.ts';
import { describeSyntaxError } from '../../json/json-scan.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  notOfGoType,
  ownValue,
} from '../../json/json-value.ts';
import { at, type FieldError, invalidValue, required, tooLong } from '../../status/field-error.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, nameColumn, type Printer } from '../../table/printer.ts';
import { configMapKey } from '../../validation/formats.ts';
import { base64Bytes, dataBytesMax, frozen } from '../../validation/keyed-data.ts';
import { check, immutable } from '../../validation/metadata.ts';
import type { KindDefinition } from '../definition.ts';

const sshKey = 'ssh-privatekey';
const logInKeys: Readonly<Record<string, string>> = {
  'kubernetes.io/dockercfg': '.dockercfg',
  'kubernetes.io/dockerconfigjson': '.dockerconfigjson',
};
const requiredKeys: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/ssh-auth': [sshKey],
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
  const absent = (ownValue(requiredKeys, type) ?? []).filter((key) => isAbsent(data, key));
  errors.push(...absent.map((key) => required(at('data', key))), ...logInErrors(type, data));
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

/** A key for SSH has to be there and has to be one. */
function isAbsent(data: Readonly<Record<string, string>>, key: string): boolean {
  return !Object.hasOwn(data, key) || (key === sshKey && ownValue(data, key) === '');
}

/** What registries are logged in to by is an object in JSON. No part of it is shown. */
function logInErrors(type: string, data: Readonly<Record<string, string>>): FieldError[] {
  const key = ownValue(logInKeys, type);
  const encoded = key === undefined ? undefined : ownValue(data, key);
  if (key === undefined || encoded === undefined) return [];
  const text = Buffer.from(encoded, 'base64').toString();
  const problem = objectProblem(text);
  return problem ? [invalidValue(at('data', key), '<secret contents redacted>', problem)] : [];
}

function objectProblem(text: string): string | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isJsonObject(value) || value === null ? undefined : notOfGoType(value, 'map[string]interface {}');
  } catch {
    return describeSyntaxError(text);
  }
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

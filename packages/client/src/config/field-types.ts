/** What a field of a kubeconfig entry may hold. */
import { ownValue } from '@wherry/kubeapi/objects';

type FieldType = 'text' | 'base64' | 'switch' | 'texts' | 'textLists' | 'mapping' | 'list';

/** The fields of each kind of entry that are read; others are left alone, as kubectl does. */
export const fieldTypes = {
  cluster: {
    server: 'text',
    'tls-server-name': 'text',
    'insecure-skip-tls-verify': 'switch',
    'certificate-authority': 'text',
    'certificate-authority-data': 'base64',
    'proxy-url': 'text',
    'disable-compression': 'switch',
    extensions: 'list',
  },
  user: {
    'client-certificate': 'text',
    'client-certificate-data': 'base64',
    'client-key': 'text',
    'client-key-data': 'base64',
    token: 'text',
    tokenFile: 'text',
    username: 'text',
    password: 'text',
    as: 'text',
    'as-uid': 'text',
    'as-groups': 'texts',
    'as-user-extra': 'textLists',
    exec: 'mapping',
    'auth-provider': 'mapping',
  },
  context: { cluster: 'text', user: 'text', namespace: 'text' },
  exec: {
    apiVersion: 'text',
    command: 'text',
    args: 'texts',
    env: 'list',
    installHint: 'text',
    provideClusterInfo: 'switch',
    interactiveMode: 'text',
  },
} as const satisfies Record<string, Record<string, FieldType>>;

const descriptions: Record<FieldType, string> = {
  text: 'a string',
  base64: 'base64',
  switch: 'true or false',
  texts: 'a list of strings',
  textLists: 'a mapping to lists of strings',
  mapping: 'a mapping',
  list: 'a list',
};

const base64 = /^[A-Za-z0-9+/\s]*={0,2}\s*$/;

const isText = (value: unknown) => typeof value === 'string';
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText);

const checks: Record<FieldType, (value: unknown) => boolean> = {
  text: isText,
  base64: (value) => typeof value === 'string' && base64.test(value),
  switch: (value) => typeof value === 'boolean',
  texts: isTexts,
  textLists: (value) => isRecord(value) && Object.values(value).every(isTexts),
  mapping: isRecord,
  list: Array.isArray,
};

/** Names the first field that does not hold what it must (`server must be a string`); undefined when all do. */
export function wrongField(
  entry: Record<string, unknown>,
  kind: keyof typeof fieldTypes,
): string | undefined {
  for (const [field, type] of Object.entries<FieldType>(fieldTypes[kind])) {
    const value = ownValue(entry, field);
    if (value !== undefined && value !== null && !checks[type](value))
      return `${field} must be ${descriptions[type]}`;
  }
  return undefined;
}

/** True for a mapping. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { dirname, resolve } from 'node:path';
import { goYaml, ownValue } from '@wherry/kubeapi/objects';
import { parse } from 'yaml';
import { ClientError } from '../errors.ts';
import { type fieldTypes, isRecord, wrongField } from './field-types.ts';
import type { Kubeconfig, KubeconfigCluster, KubeconfigContext, KubeconfigUser } from './kubeconfig.ts';

const pathFields = ['certificate-authority', 'client-certificate', 'client-key', 'tokenFile'] as const;

/**
 * Parses one kubeconfig; relative paths inside are resolved against the folder of `path`. An empty file is an empty
 * kubeconfig. Throws `ClientError` `bad-config` that names the file and the field.
 */
export function parseKubeconfig(text: string, path: string): Kubeconfig {
  try {
    return parseDocument(text, resolve(path));
  } catch (error) {
    throw new ClientError('bad-config', `error loading config file "${path}": ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function parseDocument(text: string, path: string): Kubeconfig {
  const folder = dirname(path);
  const document: unknown = parse(text, goYaml) ?? {};
  if (!isRecord(document)) throw new TypeError('it is not a mapping');
  const kind = textOf(document, 'kind') || 'Config';
  const version = textOf(document, 'apiVersion') || 'v1';
  if (kind !== 'Config' || version !== 'v1')
    throw new TypeError(`no kind "${kind}" is registered for version "${version}" among configurations`);
  const current = textOf(document, 'current-context');
  const users = entriesOf<KubeconfigUser>(document, 'users', 'user', folder);
  return {
    currentContext: current,
    clusters: entriesOf<KubeconfigCluster>(document, 'clusters', 'cluster', folder),
    users,
    userFiles: new Map([...users.keys()].map((name) => [name, path])),
    contexts: entriesOf<KubeconfigContext>(document, 'contexts', 'context', folder),
  };
}

function textOf(document: Record<string, unknown>, field: string): string {
  const value = ownValue(document, field) ?? '';
  if (typeof value !== 'string') throw new TypeError(`${field} must be a string`);
  return value;
}

function entriesOf<T>(
  document: Record<string, unknown>,
  list: string,
  kind: 'cluster' | 'user' | 'context',
  folder: string,
): Map<string, T> {
  const found = new Map<string, T>();
  const entries: unknown = ownValue(document, list) ?? [];
  if (!Array.isArray(entries)) throw new TypeError(`${list} must be a list`);
  for (const [index, entry] of entries.entries()) {
    const name: unknown = isRecord(entry) ? entry['name'] : undefined;
    if (typeof name !== 'string') throw new TypeError(`${list}[${index}].name must be a string`);
    if (found.has(name)) throw new TypeError(`duplicate name "${name}" in ${list}`);
    const value: unknown = (isRecord(entry) ? entry[kind] : undefined) ?? {};
    if (!isRecord(value)) throw new TypeError(`${list}[${index}].${kind} must be a mapping`);
    check(value, kind, `${list}[${index}].${kind}`);
    found.set(name, withAbsolutePaths(value, folder) as T);
  }
  return found;
}

function check(entry: Record<string, unknown>, kind: keyof typeof fieldTypes, where: string): void {
  const wrong = wrongField(entry, kind);
  if (wrong) throw new TypeError(`${where}.${wrong}`);
  if (kind === 'user' && isRecord(entry['exec'])) check(entry['exec'], 'exec', `${where}.exec`);
}

function withAbsolutePaths(entry: Record<string, unknown>, folder: string): Record<string, unknown> {
  const copy = Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null));
  for (const field of pathFields) {
    const value = copy[field];
    if (typeof value === 'string' && value !== '') copy[field] = resolve(folder, value);
  }
  const exec = copy['exec'];
  if (isRecord(exec) && typeof exec['command'] === 'string') {
    copy['exec'] = { ...exec, command: commandPath(exec['command'], folder) };
  }
  return copy;
}

/** A bare name is looked up in PATH when it is run; anything with a slash is a path like the others. */
function commandPath(command: string, folder: string): string {
  return command.includes('/') ? resolve(folder, command) : command;
}

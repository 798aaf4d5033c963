import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import { ClientError } from './errors.ts';

/** A cluster entry, fields as in the file format v1. Paths are absolute after loading. */
export interface KubeconfigCluster {
  server: string;
  'certificate-authority'?: string;
  'certificate-authority-data'?: string;
  'insecure-skip-tls-verify'?: boolean;
  'tls-server-name'?: string;
}

/** A user entry. `exec` and `auth-provider` are refused when the user is chosen. */
export interface KubeconfigUser {
  'client-certificate'?: string;
  'client-certificate-data'?: string;
  'client-key'?: string;
  'client-key-data'?: string;
  token?: string;
  tokenFile?: string;
  username?: string;
  password?: string;
  as?: string;
  'as-groups'?: string[];
  exec?: unknown;
  'auth-provider'?: unknown;
}

/** A context entry: which user talks to which cluster. */
export interface KubeconfigContext {
  cluster: string;
  user: string;
  namespace?: string;
}

/** A kubeconfig, or several merged: the first file that names an entry wins. */
export interface Kubeconfig {
  currentContext: string;
  clusters: Map<string, KubeconfigCluster>;
  users: Map<string, KubeconfigUser>;
  contexts: Map<string, KubeconfigContext>;
}

const pathFields = ['certificate-authority', 'client-certificate', 'client-key', 'tokenFile'] as const;

/** The kubeconfig files that apply: `path`, else each of `$KUBECONFIG`, else `~/.kube/config`. */
export function kubeconfigPaths(path?: string, environment: NodeJS.ProcessEnv = process.env): string[] {
  if (path) return [path];
  const listed = environment['KUBECONFIG']?.split(delimiter).filter((entry) => entry !== '') ?? [];
  return listed.length > 0 ? listed : [resolve(homedir(), '.kube/config')];
}

/**
 * Reads and merges kubeconfig files. Files of `$KUBECONFIG` that don't exist are skipped, as kubectl does.
 * Throws `ClientError` `bad-config` when a named file can't be read or parsed, or when none is there.
 */
export function loadKubeconfig(path?: string): Kubeconfig {
  const paths = kubeconfigPaths(path);
  const present = paths.filter((entry) => path !== undefined || existsSync(entry));
  if (present.length === 0) {
    throw new ClientError(
      'bad-config',
      `no kubeconfig at ${paths.map((entry) => JSON.stringify(entry)).join(', ')}; pass --kubeconfig or set KUBECONFIG`,
    );
  }
  return present.map((entry) => parseKubeconfig(readText(entry), entry)).reduce(merge);
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ClientError('bad-config', `reading kubeconfig "${path}": ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** Parses one kubeconfig; relative paths inside are resolved against the folder of `path`. */
export function parseKubeconfig(text: string, path: string): Kubeconfig {
  let document: unknown;
  try {
    document = parse(text);
  } catch (error) {
    throw new ClientError('bad-config', `kubeconfig "${path}" is not YAML: ${(error as Error).message}`, {
      cause: error,
    });
  }
  if (!isRecord(document)) throw new ClientError('bad-config', `kubeconfig "${path}" is not a mapping`);
  const folder = dirname(resolve(path));
  return {
    currentContext: typeof document['current-context'] === 'string' ? document['current-context'] : '',
    clusters: entriesOf<KubeconfigCluster>(document, 'clusters', 'cluster', path, folder),
    users: entriesOf<KubeconfigUser>(document, 'users', 'user', path, folder),
    contexts: entriesOf<KubeconfigContext>(document, 'contexts', 'context', path, folder),
  };
}

function entriesOf<T>(
  document: Record<string, unknown>,
  list: string,
  field: string,
  path: string,
  folder: string,
): Map<string, T> {
  const found = new Map<string, T>();
  const entries: unknown = document[list] ?? [];
  if (!Array.isArray(entries))
    throw new ClientError('bad-config', `kubeconfig "${path}": ${list} is not a list`);
  for (const entry of entries) {
    const value: unknown = isRecord(entry) ? entry[field] : undefined;
    if (!isRecord(entry) || typeof entry['name'] !== 'string' || !isRecord(value)) {
      throw new ClientError('bad-config', `kubeconfig "${path}": an entry of ${list} lacks name or ${field}`);
    }
    if (!found.has(entry['name'])) found.set(entry['name'], withAbsolutePaths(value, folder) as T);
  }
  return found;
}

function withAbsolutePaths(entry: Record<string, unknown>, folder: string): Record<string, unknown> {
  const copy = { ...entry };
  for (const field of pathFields) {
    const value = copy[field];
    if (typeof value === 'string' && value !== '') copy[field] = resolve(folder, value);
  }
  return copy;
}

function merge(first: Kubeconfig, second: Kubeconfig): Kubeconfig {
  return {
    currentContext: first.currentContext || second.currentContext,
    clusters: new Map([...second.clusters, ...first.clusters]),
    users: new Map([...second.users, ...first.users]),
    contexts: new Map([...second.contexts, ...first.contexts]),
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

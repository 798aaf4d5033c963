import { CommandError } from '../../errors.ts';
import type { List } from '../../kubeconfig/lists.ts';

/** How a field is written on a command line. */
export type PropertyType = 'text' | 'switch' | 'bytes' | 'other';

/** What a path such as `clusters.NAME.server` leads to. */
export type Property =
  | { kind: 'current-context' }
  | { kind: 'colors' }
  | { kind: 'preferences' }
  | { kind: 'list'; list: List }
  | { kind: 'entry'; list: List; name: string }
  | { kind: 'field'; list: List; name: string; field: string; type: PropertyType };

const texts = (...names: string[]) => names.map((name) => [name, 'text'] as const);

/** The fields of entries by the names that paths have for them, which of users are not always those of the file. */
const fieldTypes: Record<List, ReadonlyMap<string, PropertyType>> = {
  clusters: new Map([
    ...texts('server', 'tls-server-name', 'certificate-authority', 'proxy-url'),
    ['insecure-skip-tls-verify', 'switch'],
    ['disable-compression', 'switch'],
    ['certificate-authority-data', 'bytes'],
    ['extensions', 'other'],
  ]),
  users: new Map([
    ...texts('client-certificate', 'client-key', 'token', 'tokenFile', 'act-as', 'act-as-uid'),
    ...texts('username', 'password'),
    ['client-certificate-data', 'bytes'],
    ['client-key-data', 'bytes'],
    ...(['act-as-groups', 'act-as-user-extra', 'auth-provider', 'exec', 'extensions'] as const).map(
      (name) => [name, 'other'] as const,
    ),
  ]),
  contexts: new Map([...texts('cluster', 'user', 'namespace'), ['extensions', 'other']]),
};

/**
 * Reads a path. A name may have dots in it: it reaches to the first word behind it that is a field of its kind. Throws `CommandError`
 * for what leads nowhere.
 */
export function readProperty(path: string): Property {
  const [first = '', ...rest] = path.split('.');
  const list = (['clusters', 'users', 'contexts'] as const).find((one) => one === first);
  if (list) return listProperty(path, list, rest);
  if (first === 'current-context' && rest.length === 0) return { kind: 'current-context' };
  if (first === 'preferences' && rest.length === 0) return { kind: 'preferences' };
  if (first === 'preferences' && rest.length === 1 && rest[0] === 'colors') return { kind: 'colors' };
  if (['current-context', 'preferences'].includes(first)) throw tooDeep(path);
  if (['kind', 'apiVersion', 'extensions'].includes(first))
    throw new CommandError(`"${first}" of a kubeconfig is not to be set`);
  throw new CommandError(
    `unable to parse ${path}: it begins with none of clusters, users, contexts, current-context, preferences`,
  );
}

function listProperty(path: string, list: List, words: readonly string[]): Property {
  if (words.length === 0) return { kind: 'list', list };
  const types = fieldTypes[list];
  const at = words.findIndex((word, index) => index > 0 && types.has(word));
  if (at === -1) return { kind: 'entry', list, name: words.join('.') };
  if (at < words.length - 1) throw tooDeep(path);
  const word = words[at] ?? '';
  const field = list === 'users' ? word.replace(/^act-/, '') : word;
  return { kind: 'field', list, name: words.slice(0, at).join('.'), field, type: types.get(word) ?? 'other' };
}

const tooDeep = (path: string): CommandError =>
  new CommandError(`unable to parse one or more field values of ${path}`);

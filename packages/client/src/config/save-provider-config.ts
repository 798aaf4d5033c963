import {
  closeSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { isMap, isSeq, parseDocument } from 'yaml';
import { systemMessage } from './system-message.ts';

/** What to change in a kubeconfig. */
export interface ProviderChanges {
  file: string;
  userName: string;
  /** Fields of the user's `auth-provider.config`; the others stay. */
  changes: Readonly<Record<string, string>>;
}

/**
 * Writes new tokens into a kubeconfig, comments and all else left as they are, under the lock file that kubectl takes.
 * Throws `Error`.
 */
export function saveProviderConfig({ file, userName, changes }: ProviderChanges): void {
  try {
    const path = realpathSync(file);
    const lock = `${path}.lock`;
    closeSync(openSync(lock, 'wx', 0));
    try {
      const text = withChanges(readFileSync(path, 'utf8'), userName, changes);
      const draft = `${path}.draft`;
      writeFileSync(draft, text, { mode: statSync(path).mode });
      renameSync(draft, path);
    } finally {
      rmSync(lock, { force: true });
    }
  } catch (error) {
    throw new Error(`could not persist new tokens: ${systemMessage(error)}`, { cause: error });
  }
}

function withChanges(text: string, userName: string, changes: ProviderChanges['changes']): string {
  const document = parseDocument(text);
  const users = document.get('users');
  const index = isSeq(users)
    ? users.items.findIndex((user) => isMap(user) && user.get('name') === userName)
    : -1;
  if (index === -1) throw new Error(`user "${userName}" is gone`);
  for (const [field, value] of Object.entries(changes)) {
    document.setIn(['users', index, 'user', 'auth-provider', 'config', field], value);
  }
  return document.toString();
}

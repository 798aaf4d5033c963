import {
  chownSync,
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
 * Writes new tokens into a kubeconfig, comments and all else left as they are, under the lock that kubectl takes: `FILE.lock`, also
 * of a link, which stays. Throws `Error`.
 */
export function saveProviderConfig({ file, userName, changes }: ProviderChanges): void {
  try {
    const lock = `${file}.lock`;
    closeSync(openSync(lock, 'wx', 0));
    try {
      const path = realpathSync(file);
      replaceFile(path, withChanges(readFileSync(path, 'utf8'), userName, changes));
    } finally {
      rmSync(lock, { force: true });
    }
  } catch (error) {
    throw new Error(`could not persist new tokens: ${systemMessage(error)}`, { cause: error });
  }
}

/** By a rename, so that nobody reads half of it; it stays whose it is. */
function replaceFile(path: string, text: string): void {
  const { mode, uid, gid } = statSync(path);
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text, { mode, flag: 'wx' });
  try {
    if (process.getuid?.() === 0) chownSync(draft, uid, gid);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
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

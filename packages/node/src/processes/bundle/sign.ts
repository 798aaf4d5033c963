import { statSync } from 'node:fs';

/** What changes with a file: its size, and when it was written. Nothing where it is not there. */
export function signOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.size} ${found.mtimeMs}`;
}

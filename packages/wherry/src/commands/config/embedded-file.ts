import { existsSync } from 'node:fs';
import { CommandError } from '../../errors.ts';

/** Throws `CommandError` for a file that is to be embedded and is not there. `flag` names it. */
export function requireFile(flag: string, path: string | undefined): void {
  if (path && !existsSync(path))
    throw new CommandError(`could not stat ${flag} file ${path}: stat ${path}: no such file or directory`);
}

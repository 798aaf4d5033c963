import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The command `wherry` of a clone, or of a folder that wherry is installed in. Throws where there is none. */
export function commandOf(tree: string): string {
  const candidates = [
    'packages/wherry/bin/wherry.cjs',
    'node_modules/.bin/wherry',
    'packages/wherry/bin/wherry.js',
  ];
  const found = candidates.map((path) => join(tree, path)).find((path) => existsSync(path));
  if (!found) throw new Error(`no wherry in "${tree}"`);
  return found;
}

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cacheFolder } from './compile-cache.ts';
import { modulesOf } from './source-modules.ts';

const packages = fileURLToPath(new URL('../../../', import.meta.url));
const program = fileURLToPath(new URL('./strip-types.ts', import.meta.url));

/**
 * Makes a folder with each module of the workspace without its types, for the processes of a node that runs from a clone;
 * quick where no source has changed. Nothing where the packages are compiled, and where no folder is safe to take code
 * from.
 *
 * One process strips for all. Left to Node, each loads the parser at a first start and stays 15 MiB larger; at later ones
 * it keeps a second copy of each module's text and its compiled form in memory, 3 to 10 MiB (Node's compile cache).
 */
export async function strippedModules(): Promise<string | undefined> {
  const cache = import.meta.url.endsWith('.ts') ? cacheFolder() : undefined;
  if (cache === undefined) return undefined;
  const folder = join(cache, `stripped-${digestOf(packages)}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const state = join(folder, `all-${digestOf(describeSources())}`);
  if (!existsSync(state)) {
    const words = ['--disable-warning=ExperimentalWarning', program, packages, state];
    await promisify(execFile)(process.execPath, words);
  }
  return folder;
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** The modules, their sizes and when they were changed. */
function describeSources(): string {
  const lines = modulesOf(packages).map((path) => {
    const { size, mtimeMs } = statSync(join(packages, path));
    return `${path} ${size} ${mtimeMs}`;
  });
  return [process.version, ...lines].join('\n');
}

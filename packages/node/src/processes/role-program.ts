import { fileURLToPath } from 'node:url';
import { cacheFolder } from './compile-cache.ts';
import { keptBundle } from './kept-bundle.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));
const packages = fileURLToPath(new URL('../../../', import.meta.url));
const lockfile = fileURLToPath(new URL('../../../../package-lock.json', import.meta.url));

/**
 * The program of a node's processes. In a clone it is a bundle of all its modules: a few large files load in a third of the
 * time that a thousand small ones take, and need no TypeScript parser, which would stay in each process with 12 MiB.
 * Where the packages are compiled, where there is no bundler, and where no folder is safe to take code from, it is the
 * program as it stands.
 */
export async function roleProgram(): Promise<string> {
  const cache = main.endsWith('.ts') ? cacheFolder() : undefined;
  if (cache === undefined) return main;
  return (await keptBundle({ program: main, packages, lockfile, cache })) ?? main;
}

import { fileURLToPath } from 'node:url';
import { cacheFolder } from './compile-cache.ts';
import { keptBundle } from './kept-bundle.ts';
import { shippedBundle } from './shipped-bundle.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));
const packages = fileURLToPath(new URL('../../../', import.meta.url));
const lockfile = fileURLToPath(new URL('../../../../package-lock.json', import.meta.url));

/**
 * The program of a node's processes: a bundle of all its modules, since a few large files load in a third of the time that
 * a thousand small ones take. A clone makes its own, which also needs no TypeScript parser: that would stay in each process
 * with 12 MiB. Where there is no bundle, no bundler, and no folder that is safe to take code from, it is the program as it
 * stands.
 */
export async function roleProgram(): Promise<string> {
  if (!main.endsWith('.ts')) return shippedBundle() ?? main;
  const cache = cacheFolder();
  if (cache === undefined) return main;
  return (await keptBundle({ program: main, packages, lockfile, cache })) ?? main;
}

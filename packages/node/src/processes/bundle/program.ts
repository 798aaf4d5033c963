import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { cacheFolder } from './compile-cache.ts';
import { keptBundle } from './kept-bundle.ts';
import { shippedBundle } from './shipped-bundle.ts';

/**
 * What to run for a program of one of our packages, `PACKAGE/src/NAME.ts` in a clone and `PACKAGE/dist/NAME.js` where it is
 * installed: a bundle of all its modules, since a few large files load in a third of the time that a thousand small ones
 * take. A clone makes its own, which also needs no TypeScript parser: that would stay in each process with 12 MiB. Where
 * there is no bundle, no bundler, and no folder that is safe to take code from, it is the program as it stands. `onMake` is told
 * when one has to be made, which takes seconds.
 */
export async function bundled(program: URL, onMake?: () => void): Promise<string> {
  const main = fileURLToPath(program);
  if (!main.endsWith('.ts')) return shippedBundle(program) ?? main;
  const pathOf = (path: string) => fileURLToPath(new URL(path, program));
  const lockfile = pathOf('../../../package-lock.json');
  const cache = cacheFolder();
  if (cache === undefined || !existsSync(lockfile)) return main;
  const request = { program: main, packages: pathOf('../../'), lockfile, cache, onMake };
  return (await keptBundle(request)) ?? main;
}

/** The program of a node's processes, as it is best run. */
export const roleProgram = (onMake?: () => void): Promise<string> =>
  bundled(new URL('../../main.ts', import.meta.url), onMake);

/** What differs between two versions of a program: of a bundle, whose main file names its other ones by their content. */
export const programSign = (program: string): string =>
  createHash('sha256').update(readFileSync(program)).digest('hex').slice(0, 16);

/** Runs this process's command line, `wherry ROLE --FLAG=VALUE…`, as the program of a node's processes does. */
export async function runRoleProgram(): Promise<void> {
  await import(pathToFileURL(await roleProgram()).href);
}

/** Keeps out what Node would load into this process although no part of ours uses it. Before anything else is loaded. */
export function stayLean(): void {
  createRequire(import.meta.url)('../../../bin/lean.cjs');
}

import { createHash, randomUUID } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { systemClock } from '@wherry/clock';
import { limits } from '../limits.ts';
import { modulesOf } from './source-modules.ts';

/** What is bundled, and where the bundle is kept. */
export interface BundleOptions {
  /** The module that is run. */
  program: string;
  /** Folder of the packages whose modules it may load. */
  packages: string;
  /** File that changes with the packages from elsewhere. */
  lockfile: string;
  /** Folder that only this user can write. */
  cache: string;
}

/**
 * The bundle of a program, made once for each state of the sources. Nothing where nobody has installed the bundler. Bundles
 * that no start has used for `limits.compiledUnusedMs` are removed; a process may load from its own as long as it runs.
 */
export async function keptBundle(options: BundleOptions): Promise<string | undefined> {
  const folder = join(options.cache, `bundle-${digestOf(describe(options))}`);
  if (!existsSync(folder) && !(await make(folder, options))) return undefined;
  const now = new Date(systemClock.nowMs());
  utimesSync(folder, now, now);
  return join(folder, basename(options.program).replace(/\.ts$/, '.js'));
}

/** Makes the folder as a whole. Of several first starts at once the first one's stays: the others' are the same. */
async function make(folder: string, { program, packages, cache }: BundleOptions): Promise<boolean> {
  const bundler = await import('./bundle.ts').catch(ifNotInstalled);
  if (!bundler) return false;
  const unfinished = `${folder}.${randomUUID()}`;
  try {
    mkdirSync(unfinished, { recursive: true, mode: 0o700 });
    await bundler.bundle({ program, packages, folder: unfinished, externals: 'absolute' });
    renameSync(unfinished, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  removeUnused(cache);
  return true;
}

function ifNotInstalled(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
}

function removeUnused(cache: string): void {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    if (name.startsWith('bundle-') && systemClock.nowMs() - lstatSync(path).mtimeMs > limits.compiledUnusedMs)
      rmSync(path, { recursive: true, force: true });
  }
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** Who runs them, which packages are installed, and of each module its size and when it was changed. */
function describe({ packages, lockfile }: BundleOptions): string {
  const paths = modulesOf(packages).map((path) => join(packages, path));
  const lines = [lockfile, ...paths].map((path) => {
    const { size, mtimeMs } = statSync(path);
    return `${path} ${size} ${mtimeMs}`;
  });
  return [process.version, ...lines].join('\n');
}

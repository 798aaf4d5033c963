import { createHash, randomUUID } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@wherry/clock';
import { signOf } from './sign.ts';
import { removeUnused } from './unused.ts';

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
  /** Is told when it has to be made anew, which takes seconds. */
  onMake?: (() => void) | undefined;
}

/** What was kept of a program last: a folder beside this note, made of files that looked so. */
interface Note {
  folder: string;
  signs: Record<string, string>;
}

const prefix = 'bundle-';

/** The modules that say what a bundle looks like. */
const makers = [new URL('./bundle.ts', import.meta.url), new URL('./direct-imports.ts', import.meta.url)].map(
  (url) => fileURLToPath(url),
);

/**
 * The bundle of a program, made anew when a file has changed that is in it. Nothing where nobody has installed the bundler,
 * or where the folder takes no files. Bundles that no start has used for `limits.compiledUnusedMs` are removed; a process
 * may load from its own as long as it runs.
 */
export async function keptBundle(options: BundleOptions): Promise<string | undefined> {
  const note = join(options.cache, `${prefix}${digestOf([process.version, options.program])}.json`);
  try {
    const folder = lastMade(note, options) ?? (await make(note, options));
    return folder && join(folder, basename(options.program).replace(/\.ts$/, '.js'));
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) return undefined;
    throw error;
  }
}

/** The bundle that the note tells of, if it is there and nothing that is in it has changed. */
function lastMade(path: string, { cache }: BundleOptions): string | undefined {
  const note = readNote(path);
  const folder = note && join(cache, note.folder);
  if (!folder || !existsSync(folder)) return undefined;
  if (!Object.entries(note.signs).every(([file, sign]) => signOf(file) === sign)) return undefined;
  for (const used of [path, folder]) noteUse(used);
  return folder;
}

function readNote(path: string): Note | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Note;
  } catch {
    return undefined;
  }
}

/** Where nothing can be written nothing is removed either. */
function noteUse(path: string): void {
  const now = new Date(systemClock.nowMs());
  try {
    utimesSync(path, now, now);
  } catch {}
}

/** Makes the folder as a whole. Of several first starts at once the first one's stays: the others' are the same. */
async function make(
  note: string,
  { program, packages, lockfile, cache, onMake }: BundleOptions,
): Promise<string | undefined> {
  const bundler = await import('./bundle.ts').catch(ifNotInstalled);
  if (!bundler) return undefined;
  onMake?.();
  const unfinished = join(cache, `${prefix}${randomUUID()}`);
  try {
    mkdirSync(unfinished, { recursive: true, mode: 0o700 });
    const manifests = globSync('*/package.json', { cwd: packages }).map((path) => join(packages, path));
    const before = [lockfile, ...manifests, ...makers].map((path): [string, string] => [
      path,
      signOf(path) ?? '',
    ]);
    // Without this Node finds out what each file is, and for that reads all of it once more.
    writeFileSync(join(unfinished, 'package.json'), '{"type":"module"}');
    const { files } = await bundler.bundle({ program, packages, folder: unfinished, externals: 'absolute' });
    const signs = Object.fromEntries([...before, ...files].sort());
    const name = `${prefix}${digestOf([process.version, program, JSON.stringify(signs)])}`;
    keep(unfinished, join(cache, name));
    const draft = `${unfinished}.json`;
    writeFileSync(draft, JSON.stringify({ folder: name, signs } satisfies Note), { mode: 0o600 });
    renameSync(draft, note);
    removeUnused(cache, prefix);
    return join(cache, name);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

function keep(unfinished: string, folder: string): void {
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    noteUse(folder);
  }
}

function ifNotInstalled(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
}

const digestOf = (words: readonly string[]) =>
  createHash('sha256').update(words.join('\n')).digest('hex').slice(0, 16);

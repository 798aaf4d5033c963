/** Sources of programs as Go's proxy gives them, without the parts that need what the proxy does not have. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const bin = join(dirname(import.meta.dirname), 'bin');
/** Where neither the formatter nor the compiler of this project looks. */
const cache = join(bin, '../../.cache/sources');

/** A module, and how its copy differs from it. */
export interface Source {
  module: string;
  version: string;
  /** Files that are other ones in the copy, by their paths: what they are, by what they were ('' for nothing). */
  changed?: Readonly<Record<string, (text: string) => string>>;
  /** Paths that the copy has not. */
  without?: readonly string[];
  /** Modules that stand for others, by their names: a path or `module@version`. */
  replaced?: Readonly<Record<string, string>>;
}

/** The folder of a module of the proxy, which has to give it. */
export async function folderOfModule(module: string, version: string): Promise<string> {
  const { stdout } = await execute('go', ['mod', 'download', '-json', `${module}@${version}`], { cwd: '/' });
  return (JSON.parse(stdout) as { Dir: string }).Dir;
}

/** A copy of a module in a folder of its own, made once for each version. */
export async function sourceOf(name: string, source: Source): Promise<string> {
  const folder = join(cache, `${name}@${source.version}`);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.part`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(dirname(unfinished), { recursive: true });
  cpSync(await folderOfModule(source.module, source.version), unfinished, { recursive: true });
  await execute('chmod', ['-R', 'u+w', unfinished]);
  for (const path of source.without ?? []) rmSync(join(unfinished, path), { recursive: true });
  for (const [path, change] of Object.entries(source.changed ?? {})) {
    const file = join(unfinished, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, change(existsSync(file) ? readFileSync(file, 'utf8') : ''));
  }
  const words = Object.entries(source.replaced ?? {}).map(([module, by]) => `-replace=${module}=${by}`);
  if (words.length > 0) await execute('go', ['mod', 'edit', ...words], { cwd: unfinished });
  renameSync(unfinished, folder);
  return folder;
}

/** A program of a source. */
export interface Build {
  name: string;
  /** Its package. */
  path: string;
  /** Build tags, with commas between them. */
  tags?: string;
}

/** Builds a package of a source and answers the program's path. The first time it compiles for minutes. */
export async function buildFrom(folder: string, { name, path, tags = '' }: Build): Promise<string> {
  const binary = join(bin, name);
  const env = {
    ...process.env,
    CGO_ENABLED: '0',
    GOFLAGS: `${process.env['GOFLAGS'] ?? ''} -mod=mod`.trim(),
  };
  await execute('go', ['build', '-tags', tags, '-o', binary, path], {
    cwd: folder,
    env,
    maxBuffer: 16 << 20,
  });
  return binary;
}

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { TestingError } from '../errors.ts';

const oldestMajor = 24;
const askTimeoutMs = 10_000;
const isNewEnough = (version: string) => Number.parseInt(version, 10) >= oldestMajor;

/** What {@link nodeProgram} goes by; all of this process unless a test says otherwise. */
export interface NodeProgramOptions {
  /** As `process.versions`. */
  versions?: Readonly<Record<string, string | undefined>>;
  from?: string;
  /** Folders of programs, as in `PATH`. */
  path?: string;
}

/**
 * The Node.js that API server and node run with: this one, or where it is too old, or the tests run on Bun or Deno, that of the npm
 * package `node` beside the project, or the first on the `PATH`. Throws `TestingError` `needs-newer-node`.
 */
export function nodeProgram({
  versions = process.versions,
  from = process.cwd(),
  path = process.env['PATH'] ?? '',
}: NodeProgramOptions = {}): string {
  const { bun, deno, node = '0' } = versions;
  if (!bun && !deno && isNewEnough(node)) return process.execPath;
  const program = besideProject(from) ?? onPath(path);
  if (program) return program;
  const runtime = (bun && `Bun ${bun}`) || (deno && `Deno ${deno}`) || `Node.js ${node}`;
  throw new TestingError(
    'needs-newer-node',
    `tests run on ${runtime}, and API server and node need Node.js ${oldestMajor} or newer; ` +
      `add one to this project: npm install --save-dev node@${oldestMajor}`,
  );
}

function besideProject(from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const home = join(folder, 'node_modules', 'node');
    const program = join(home, 'bin', 'node');
    if (existsSync(program) && isNewEnough(versionOf(home))) return program;
    if (folder === dirname(folder)) return undefined;
  }
}

function onPath(path: string): string | undefined {
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  const program = folders.map((folder) => join(folder, 'node')).find((file) => existsSync(file));
  if (program === undefined) return undefined;
  try {
    const said = execFileSync(program, ['--version'], { encoding: 'utf8', timeout: askTimeoutMs });
    return isNewEnough(said.replace(/^v/, '')) ? program : undefined;
  } catch {
    return undefined;
  }
}

function versionOf(home: string): string {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
    return (manifest as { version: string }).version;
  } catch {
    return '0';
  }
}

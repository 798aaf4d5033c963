import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Tarball } from '../../tools/release/tarballs.ts';
import { stretched } from '../slowness.ts';

const execute = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const commandTimeoutMs = 120_000;
/** Several hundred packages, over a network that may be slow. */
const installTimeoutMs = 400_000;

/** The folder of the programs of Node `major`; another one than ours is fetched from npm once, and kept. */
export async function programsOfNode(major: number): Promise<string> {
  if (process.versions.node.startsWith(`${major}.`)) return dirname(process.execPath);
  const home = join(root, `node_modules/.cache/node-${major}`);
  const name = `node-${process.platform}-${process.arch}`;
  const programs = join(home, 'node_modules', name, 'bin');
  if (!existsSync(join(programs, 'node')))
    await execute('npm', ['install', '--no-audit', '--no-fund', '--prefix', home, `${name}@${major}`]);
  return programs;
}

/** The compiler of TypeScript `version` (`5.6`), which is fetched from npm once, and kept. */
export async function compilerOf(version: string): Promise<string> {
  const home = join(root, `node_modules/.cache/typescript-${version}`);
  const compiler = join(home, 'node_modules/.bin/tsc');
  if (!existsSync(compiler))
    await execute('npm', [
      'install',
      '--no-audit',
      '--no-fund',
      '--prefix',
      home,
      `typescript@~${version}.0`,
    ]);
  return compiler;
}

/** A project of somebody else: an empty folder outside of the workspace, and one version of Node. */
export class Project {
  readonly folder = mkdtempSync(join(tmpdir(), 'wherry-project-'));
  readonly #programs: string;

  constructor(programs: string) {
    this.#programs = programs;
    this.write('package.json', JSON.stringify({ name: 'project', private: true, type: 'module' }));
  }

  /** Installs tarballs, and what they need from npm. No script is run, and a package for another Node fails. */
  async install(tarballs: readonly Tarball[]): Promise<void> {
    const flags = ['--engine-strict', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
    const words = ['install', ...flags, ...tarballs.map(({ file }) => file)];
    await this.#run('npm', words, installTimeoutMs);
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  /** Runs a program in the folder and gives back what it printed. Rejects with what it said when it fails. */
  run(program: string, ...words: string[]): Promise<string> {
    return this.#run(program, words, commandTimeoutMs);
  }

  async #run(program: string, words: string[], timeoutMs: number): Promise<string> {
    const path = [this.#programs, process.env['PATH']].join(delimiter);
    const env = { ...process.env, PATH: path, NODE_COMPILE_CACHE: '', NODE_OPTIONS: '' };
    const options = { cwd: this.folder, env, timeout: stretched(timeoutMs) };
    return (await execute(program, words, options)).stdout;
  }

  /** Type-checks and compiles `name` strictly, declarations of packages too; by our compiler unless another is named. */
  async compile(
    name: string,
    more: Readonly<Record<string, unknown>> = {},
    compiler = join(root, 'node_modules/.bin/tsc'),
  ): Promise<void> {
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noPropertyAccessFromIndexSignature: true,
      skipLibCheck: false,
      module: 'nodenext',
      target: 'es2024',
      ...more,
    };
    this.write('tsconfig.json', JSON.stringify({ compilerOptions, files: [name] }));
    await this.run(compiler, '-p', '.');
  }

  /** Bundles `name` for Node as CommonJS, by rules that all bundlers share: what is imported is JavaScript. */
  async bundle(name: string, outfile: string): Promise<void> {
    const flags = [
      '--bundle',
      '--platform=node',
      '--format=cjs',
      '--loader:.json=js',
      `--outfile=${outfile}`,
    ];
    await this.run(join(root, 'node_modules/.bin/esbuild'), name, '--log-level=warning', ...flags);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

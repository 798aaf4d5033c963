import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** A quoted path to a TypeScript file: what is imported, and what is started as a process or thread by its URL. */
const sourcePath = /(['"])(\.{1,2}\/[^'"\n]+)\.ts\1/g;

/**
 * Compiles all packages of the workspace at `root`, each from `packages/X/src` to `into/X/dist`. Paths to TypeScript files
 * become paths to what was made of them, also in declarations and in `new URL('./x.ts', import.meta.url)`, and must be
 * there. Throws with the compiler's complaints.
 */
export function compilePackages(root: string, into: string): void {
  compile(root, ['--outDir', into]);
  for (const file of globSync('*/src/**/*.{js,d.ts}', { cwd: into }))
    pointAtCompiled(join(into, file), (path) => {
      throw new Error(`${file}: nothing is made of "${path}"`);
    });
  for (const file of globSync('*/src/**/*.map', { cwd: into })) pointAtSource(root, into, file);
}

/** Writes only the declarations to `into/X/src`; paths in them stay as they are. */
export function emitDeclarations(root: string, into: string, { comments }: { comments: boolean }): void {
  const quiet = ['--removeComments', String(!comments), '--sourceMap', 'false', '--declarationMap', 'false'];
  compile(root, ['--outDir', into, '--emitDeclarationOnly', ...quiet]);
}

function compile(root: string, flags: readonly string[]): void {
  const compiler = join(root, 'node_modules/.bin/tsc');
  const words = ['-p', join(root, 'tools/release/tsconfig.json'), ...flags];
  const { status, stdout, error } = spawnSync(compiler, words, { encoding: 'utf8' });
  if (error || status !== 0) throw new Error(`packages do not compile: ${error?.message ?? stdout}`);
}

/** Makes a compiled file lead to compiled files. What nothing was made of is given to `absent`, and stays as it is. */
export function pointAtCompiled(file: string, absent: (path: string) => void = () => {}): void {
  const before = readFileSync(file, 'utf8');
  let after = before.replaceAll(sourcePath, (quoted, quote: string, path: string) => {
    if (existsSync(join(dirname(file), `${path}.js`))) return `${quote}${path}.js${quote}`;
    absent(`${path}.ts`);
    return quoted;
  });
  if (file.endsWith('.d.ts') && needsTypesOfNode(after)) after = `/// <reference types="node" />\n${after}`;
  if (after !== before) writeFileSync(file, after);
}

/** Whether a declaration names what only the types of Node declare: a consumer may have none loaded by itself. */
export function needsTypesOfNode(declaration: string): boolean {
  return /\bfrom 'node:|\bNodeJS\.|\bBuffer\b|\b(Async)?Disposable(Stack)?\b|Symbol\.(d|asyncD)ispose/.test(
    declaration,
  );
}

/** A package carries its sources: its maps lead to those, not to where the compiler found them. */
function pointAtSource(root: string, into: string, file: string): void {
  const path = join(into, file);
  const map: { sources: string[] } = JSON.parse(readFileSync(path, 'utf8'));
  map.sources = map.sources.map((source) => {
    const original = relative(join(root, 'packages'), resolve(dirname(path), source));
    return relative(dirname(file).replace('/src', '/dist'), original);
  });
  writeFileSync(path, JSON.stringify(map));
}

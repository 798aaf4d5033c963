import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pointAtCompiled } from './compile.ts';
import type { Member } from './workspace.ts';

/** What to compile of the workspace. */
export interface TestsToCompile {
  /** The packages whose tests are wanted. */
  tested: readonly Member[];
  /** All packages: tests start servers of packages that their own does not depend on. */
  all: readonly Member[];
}

/**
 * Compiles packages of the workspace at `root` with their tests to `into/X`, where they find each other. `into` must lie
 * below the root, for the packages from npm. Gives back the test files. Throws with the compiler's complaints.
 */
export function compileTests(root: string, { tested, all }: TestsToCompile, into: string): string[] {
  mkdirSync(join(into, 'node_modules/@wherry'), { recursive: true });
  const include = tested.flatMap(({ folder }) => ['src', 'test'].map((name) => join(root, folder, name)));
  const files = all
    .flatMap(({ folder }) => globSync(join(root, folder, 'src/**/*.ts')))
    .filter((file) => !file.endsWith('.test.ts') && !file.includes('/console/src/page/'));
  const compilerOptions = {
    noEmit: false,
    noEmitOnError: true,
    rewriteRelativeImportExtensions: true,
    rootDir: join(root, 'packages'),
    outDir: into,
    typeRoots: [join(root, 'node_modules/@types')],
  };
  const config = join(into, 'tsconfig.json');
  const base = join(root, 'tsconfig.json');
  writeFileSync(config, JSON.stringify({ extends: base, compilerOptions, include, files }));
  const compiler = join(root, 'node_modules/.bin/tsc');
  const { status, stdout } = spawnSync(compiler, ['-p', config], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`tests do not compile: ${stdout}`);
  for (const member of all) place(root, member, into);
  return tested
    .flatMap(({ folder }) => globSync(join(into, basename(folder), '**/*.test.js')))
    .filter((file) => !file.endsWith('.long.test.js'));
}

function place(root: string, { folder, manifest }: Member, into: string): void {
  const home = join(into, basename(folder));
  const exports = JSON.parse(JSON.stringify(manifest.exports).replaceAll('.ts"', '.js"'));
  writeFileSync(join(home, 'package.json'), JSON.stringify({ ...manifest, exports }));
  for (const file of ['README.md', 'examples', 'test'])
    if (existsSync(join(root, folder, file)))
      cpSync(join(root, folder, file), join(home, file), { recursive: true });
  for (const file of globSync('**/*.js', { cwd: home })) pointAtCompiled(join(home, file));
  symlinkSync(home, join(into, 'node_modules', manifest.name));
}

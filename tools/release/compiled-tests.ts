import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pointAtCompiled } from './compile.ts';
import type { Member } from './workspace.ts';

/**
 * Compiles packages of the workspace at `root` with their tests to `into/X`, where they find each other. `into` must lie
 * below the root, for the packages from npm. Gives back the test files. Throws with the compiler's complaints.
 */
export function compileTests(root: string, members: readonly Member[], into: string): string[] {
  mkdirSync(join(into, 'node_modules/@wherry'), { recursive: true });
  const include = members.flatMap(({ folder }) => ['src', 'test'].map((name) => join(root, folder, name)));
  const compilerOptions = {
    noEmit: false,
    rewriteRelativeImportExtensions: true,
    rootDir: join(root, 'packages'),
    outDir: into,
    typeRoots: [join(root, 'node_modules/@types')],
  };
  const config = join(into, 'tsconfig.json');
  writeFileSync(config, JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include }));
  const compiler = join(root, 'node_modules/.bin/tsc');
  const { status, stdout } = spawnSync(compiler, ['-p', config], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`tests do not compile: ${stdout}`);
  for (const member of members) place(root, member, into);
  return members
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

/**
 * Forbids modules of ours that are imported for what they do: each package says that it has none (`sideEffects`), so that
 * bundles, ours and those of users, leave out what nobody uses of it.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const importedForEffect = /^import\s*['"](?:\.|@wherry\/)[^'"]*['"]/m;

/** What is wrong with the packages below `root`. */
export function moduleEffects(root: string): string[] {
  const modules = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root }).sort();
  const manifests = globSync('packages/*/package.json', { cwd: root }).sort();
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  return [
    ...modules
      .filter((file) => importedForEffect.test(read(file)))
      .map((file) => `${file}: imports a module for what that does; give it a function, and call it`),
    ...manifests
      .filter((file) => JSON.parse(read(file)).sideEffects !== false)
      .map((file) => `${file}: "sideEffects" has to be false`),
  ];
}

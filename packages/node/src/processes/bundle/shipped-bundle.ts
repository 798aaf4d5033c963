import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The bundle that came with the package of `PACKAGE/dist/NAME.js`, unless one of our packages that are in it was installed
 * in another version since, as a patch of that one alone would be.
 */
export function shippedBundle(program: URL): string | undefined {
  const folder = new URL('../bundle/', program);
  const { resolve } = createRequire(program);
  try {
    const versions = readJson<Record<string, string>>(fileURLToPath(new URL('versions.json', folder)));
    const isInstalled = ([name, version]: [string, string]) =>
      readJson<{ version: string }>(resolve(`${name}/package.json`)).version === version;
    return Object.entries(versions).every(isInstalled)
      ? fileURLToPath(new URL(basename(program.pathname), folder))
      : undefined;
  } catch {
    return undefined;
  }
}

const readJson = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8'));

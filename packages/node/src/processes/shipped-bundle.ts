import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = new URL('../../bundle/', import.meta.url);

/**
 * The bundle that came with this package, unless one of our packages that are in it was installed in another version since,
 * as a patch of that one alone would be.
 */
export function shippedBundle(): string | undefined {
  try {
    const versions = readJson<Record<string, string>>(new URL('versions.json', folder).href);
    const isInstalled = ([name, version]: [string, string]) =>
      readJson<{ version: string }>(import.meta.resolve(`${name}/package.json`)).version === version;
    return Object.entries(versions).every(isInstalled)
      ? fileURLToPath(new URL('main.js', folder))
      : undefined;
  } catch {
    return undefined;
  }
}

const readJson = <T>(url: string): T => JSON.parse(readFileSync(fileURLToPath(url), 'utf8'));

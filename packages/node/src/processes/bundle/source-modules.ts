import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Paths of the modules in a folder of packages, relative to it; tests and declarations are none. */
export function modulesOf(packages: string): string[] {
  return readdirSync(packages).flatMap((name) => {
    const sources = join(name, 'src');
    if (!existsSync(join(packages, sources))) return [];
    return readdirSync(join(packages, sources), { recursive: true, encoding: 'utf8' })
      .filter((path) => /(?<!\.test|\.d)\.ts$/.test(path))
      .map((path) => join(sources, path));
  });
}

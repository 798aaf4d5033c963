import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** One TypeScript file of a package, and what it imports. */
export interface SourceFile {
  /** From the root of the repository: `packages/ROOM/…`. */
  path: string;
  /** The package's folder below `packages`. */
  room: string;
  /** Below `src`, and no test. */
  isShipped: boolean;
  /** `generated` is in its path. */
  isGenerated: boolean;
  /** As written: `./x.ts`, `node:fs`, `@wherry/bytes`. Imports of types count. */
  specifiers: string[];
}

const importPattern =
  /^(?:import|export)\b[^'"`;]*?\bfrom\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm;

/** All TypeScript files of the packages below `root`, by path. */
export function sourceFiles(root: string): SourceFile[] {
  return globSync('packages/*/**/*.ts', { cwd: root, exclude: ['**/node_modules'] })
    .sort()
    .map((path) => sourceFile(path, readFileSync(join(root, path), 'utf8')));
}

function sourceFile(path: string, text: string): SourceFile {
  const room = path.split('/')[1] ?? '';
  return {
    path,
    room,
    isShipped: path.startsWith(`packages/${room}/src/`) && !path.endsWith('.test.ts'),
    isGenerated: /\bgenerated\b/.test(path),
    specifiers: [...text.matchAll(importPattern)].map(
      ([, from, bare, dynamic]) => from ?? bare ?? dynamic ?? '',
    ),
  };
}

/** The files of the same package that a file imports, as paths from the root. */
export function neighbours({ path, specifiers }: SourceFile): string[] {
  return specifiers
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => join(dirname(path), specifier));
}

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { TestingError } from '../errors.ts';

const oldestMajor = 24;
const majorOf = (version: string) => Number.parseInt(version, 10);

/**
 * The Node.js that API server and node run with: this one, or where it is too old that of the npm package `node` beside the
 * project. Throws `TestingError` `needs-newer-node`.
 */
export function nodeProgram(version = process.versions.node, from = process.cwd()): string {
  if (majorOf(version) >= oldestMajor) return process.execPath;
  for (let folder = from; ; folder = dirname(folder)) {
    const home = join(folder, 'node_modules', 'node');
    const program = join(home, 'bin', 'node');
    if (existsSync(program) && majorOf(versionOf(home)) >= oldestMajor) return program;
    if (folder === dirname(folder)) break;
  }
  throw new TestingError(
    'needs-newer-node',
    `tests run on Node.js ${version}, and API server and node need ${oldestMajor} or newer; ` +
      `add one to this project: npm install --save-dev node@${oldestMajor}`,
  );
}

function versionOf(home: string): string {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
    return (manifest as { version: string }).version;
  } catch {
    return '0';
  }
}

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { it } from 'node:test';
import { promisify } from 'node:util';

/**
 * Runs every example in a package's `examples` folder (call it from a test there with `import.meta.dirname`): it must
 * exit with 0, print what its trailing `// Prints:` comment says, and an example that the README shows must be there
 * word for word.
 */
export function describeExamples(folder: string): void {
  const readme = readFileSync(join(dirname(folder), 'README.md'), 'utf8');
  for (const file of readdirSync(folder).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  )) {
    const source = readFileSync(join(folder, file), 'utf8');
    it(`${file} prints what it says`, async () => {
      const { stdout } = await promisify(execFile)(process.execPath, [join(folder, file)]);
      assert.equal(stdout.trim(), expectedOutput(source));
    });
    if (readme.includes(`examples/${basename(file)}`)) {
      it(`${file} stands in the README as it is`, () => assert.ok(readme.includes(source)));
    }
  }
}

function expectedOutput(source: string): string {
  const [, comment = ''] = source.split('// Prints:\n');
  return comment.replaceAll(/^\/\/ ?/gm, '').trim();
}

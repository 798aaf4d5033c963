/** The example of the README, run. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';

it('the example of the README prints what it says', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  const folder = mkdtempSync(join(import.meta.dirname, 'readme-'));
  try {
    const file = join(folder, 'example.ts');
    writeFileSync(file, example);
    const printed = execFileSync(process.execPath, [file]).toString();
    const told = example.slice(example.indexOf('// Prints:\n') + 11).replaceAll(/^\/\/ /gm, '');
    assert.equal(printed, told);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);
const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
const blocks = [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code = '']) => code);

assert.ok(blocks.length >= 2);
for (const [index, code] of blocks.entries()) {
  test(`program ${index + 1} of the README runs`, { timeout: 60_000 }, async () => {
    // A test of the README's own reports to nobody but this one.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const { stdout } = await run(process.execPath, ['--input-type=module-typescript', '-e', code], {
      cwd: import.meta.dirname,
      env,
    });
    assert.doesNotMatch(stdout, /^not ok|^✖/m);
  });
}

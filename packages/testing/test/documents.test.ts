import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');

for (const [document, cwd, count] of [
  ['packages/testing/README.md', import.meta.dirname, 2],
  ['docs/testing-your-operator.md', join(root, 'examples/operator'), 4],
] as const) {
  const text = readFileSync(join(root, document), 'utf8');
  const blocks = [...text.matchAll(/(?<!^<!-- not run: .*-->\n)^```ts\n(.*?)^```/gms)].map(
    ([, code = '']) => code,
  );
  assert.equal(blocks.length, count);
  for (const [index, code] of blocks.entries()) {
    test(`program ${index + 1} of ${document} runs`, { timeout: 60_000 }, async (context) => {
      // A test of the document's own reports to nobody but this one.
      const { NODE_TEST_CONTEXT: _, ...env } = process.env;
      const temporary = mkdtempSync(join(tmpdir(), 'wherry-document-'));
      context.after(() => rmSync(temporary, { recursive: true, force: true, maxRetries: 5 }));
      const words = ['--input-type=module-typescript', '-e', code];
      const { stdout } = await run(process.execPath, words, { cwd, env: { ...env, TMPDIR: temporary } });
      assert.doesNotMatch(stdout, /^not ok|^✖/m);
    });
  }
}

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);
const program = join(import.meta.dirname, '../bin/wherry.cjs');

/** Prints each module that is loaded. */
const hook = `
import { registerHooks } from 'node:module';
registerHooks({ load: (url, context, next) => (console.error('loaded ' + url), next(url, context)) });
`;

test('a command that needs nothing of the kernel does not load what calls it', async () => {
  const { stdout, stderr } = await run(process.execPath, [
    '--import',
    `data:text/javascript,${encodeURIComponent(hook)}`,
    ...[program, '--version'],
  ]);
  assert.match(stdout, /^\d+\.\d+\.\d+/);
  assert.match(stderr, /loaded .*wherry\.cjs/);
  assert.doesNotMatch(stderr, /koffi/);
});

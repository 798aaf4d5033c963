import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { container, pod, record } from '../../../test/builders.ts';
import { nextRestartCount } from './restart-count.ts';

const of = pod({ containers: [container('a')] });

test('without a record the logs that are there tell how often a container was started, rotated ones too', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-restarts-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const next = () => nextRestartCount(record(of, []), 'a', folder);
  assert.equal(await next(), 0);
  mkdirSync(join(folder, 'a'));
  assert.equal(await next(), 0);
  for (const name of ['5.log.20260101', '6.log', 'x.log', '-42.log', '23a.log', 'rotated.23.log'])
    writeFileSync(join(folder, 'a', name), '');
  assert.equal(await next(), 7);
});

test('what is no log of a container, or has a number that nobody counts to, is passed over', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-restarts-'));
  context.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'a', '9.log'), { recursive: true });
  for (const name of ['9223372036854775808.log', '2.log']) writeFileSync(join(folder, 'a', name), '');
  assert.equal(await nextRestartCount(record(of, []), 'a', folder), 3);
  const known = record(of, [{ name: 'a', state: 'exited', restartCount: 4 }]);
  assert.equal(await nextRestartCount(known, 'a', folder), 5);
});

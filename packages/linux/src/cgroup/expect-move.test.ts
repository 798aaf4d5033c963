import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { expectCgroupMove } from './expect-move.ts';
import { detectCgroups } from './layout.ts';

const groups = () => readFileSync('/proc/self/cgroup', 'utf8');

test('expecting a move moves this process nowhere, and calls at once share one', async () => {
  const before = groups();
  const layout = detectCgroups();
  assert.equal(expectCgroupMove(layout), expectCgroupMove(layout));
  await expectCgroupMove(layout);
  assert.equal(groups(), before);
});

test('a machine whose groups can not be written is no reason to fail', async () => {
  await expectCgroupMove({ version: 'v2', controllers: new Map(), unified: '/nowhere' });
  await expectCgroupMove({ version: 'v2', controllers: new Map(), unified: null });
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { CgroupMoves } from './expect-move.ts';
import { detectCgroups } from './layout.ts';

const groups = () => readFileSync('/proc/self/cgroup', 'utf8');

test('expecting a move moves this process nowhere, and calls at once share one', async () => {
  const before = groups();
  const moves = new CgroupMoves(detectCgroups());
  const first = moves.expect();
  assert.equal(moves.expect(), first);
  await first;
  assert.notEqual(moves.expect(), first, 'a later one is another');
  await moves.expect();
  assert.equal(groups(), before);
});

test('a machine whose groups can not be written is no reason to fail', async () => {
  await new CgroupMoves({ version: 'v2', controllers: new Map(), unified: '/nowhere' }).expect();
  await new CgroupMoves({ version: 'v2', controllers: new Map(), unified: null }).expect();
});

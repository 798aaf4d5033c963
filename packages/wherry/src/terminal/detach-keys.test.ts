import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { DetachKeys, parseDetachKeys } from './detach-keys.ts';

async function type(...chunks: string[]): Promise<{ passed: string; detached: boolean }> {
  let detached = false;
  const keys = new DetachKeys(parseDetachKeys('ctrl-p,ctrl-q'), () => {
    detached = true;
  });
  const passed = buffer(keys);
  for (const chunk of chunks) keys.write(chunk);
  keys.end();
  return { passed: (await passed).toString(), detached };
}

test('the detach keys are found in one piece and across pieces', async () => {
  assert.deepEqual(await type('ab\x10\x11cd'), { passed: 'ab', detached: true });
  assert.deepEqual(await type('ab\x10', '\x11', 'cd'), { passed: 'ab', detached: true });
});

test('a first key without the second reaches the process', async () => {
  assert.deepEqual(await type('a\x10b'), { passed: 'a\x10b', detached: false });
  assert.deepEqual(await type('\x10\x10\x11'), { passed: '\x10', detached: true });
});

test('a key that is neither a character nor ctrl-<character> is refused', () => {
  assert.throws(() => parseDetachKeys('ctrl-p,escape'), /"escape" in --detach-keys/);
});

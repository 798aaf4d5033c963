import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Certainty } from './certainty.ts';
import type { Container } from './container-record.ts';

const made = { id: 'a', state: 'created', pid: 0, startTicks: 0 } as Container;

test('whether a container runs whose start was not answered is open until a monitor has told all it has', () => {
  let isThere = false;
  const certainty = new Certainty(() => isThere);
  assert.equal(certainty.shown(made).state, 'created');
  certainty.startUnanswered('a');
  assert.equal(certainty.shown(made).state, 'unknown');
  assert.throws(() => certainty.known(made), { code: 'UNAVAILABLE', message: /may have been started/ });
  isThere = true;
  assert.equal(certainty.known(made).state, 'created');
  certainty.monitorTold();
  isThere = false;
  assert.equal(certainty.known(made).state, 'created');
});

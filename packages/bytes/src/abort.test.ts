import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { aborted, onAbort, orAborted } from './abort.ts';

test('acts once with the reason, at once when the signal has aborted, and never after it was taken back', () => {
  const controller = new AbortController();
  const seen: unknown[] = [];
  onAbort(controller.signal, (reason) => seen.push(['kept', reason]));
  const leave = onAbort(controller.signal, () => seen.push('taken back'));
  leave();
  leave();
  controller.abort('stop');
  onAbort(controller.signal, (reason) => seen.push(['late', reason]));
  onAbort(undefined, () => seen.push('no signal'))();
  assert.deepEqual(seen, [
    ['kept', 'stop'],
    ['late', 'stop'],
  ]);
});

test('waits for a promise or the signal, whichever is first, and leaves no listener behind', async () => {
  const { signal } = new AbortController();
  assert.equal(await orAborted(Promise.resolve(7), signal), 7);
  await assert.rejects(orAborted(Promise.reject(new Error('broken')), signal), /broken/);
  assert.equal(getEventListeners(signal, 'abort').length, 0);
  const reason = new Error('enough');
  await assert.rejects(orAborted(new Promise(() => {}), AbortSignal.abort(reason)), reason);
  assert.equal(await aborted(AbortSignal.abort(reason)), reason);
});

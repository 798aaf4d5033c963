import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Pod, timeFromMs } from '@wherry/kubeapi';
import { recordAfter, remainingMs } from './pod-backoff.ts';

const nowMs = 1_700_000_000_000;
const ended = (second: number): Pod => {
  const terminated = { exitCode: 1, finishedAt: timeFromMs(nowMs + second * 1000) };
  const main = { name: 'main', image: '', imageID: '', ready: false, restartCount: 0, state: { terminated } };
  return { metadata: { name: 'pod' }, spec: { containers: [] }, status: { containerStatuses: [main] } };
};

it('a failure makes the next pod wait, twice as long after each further one, up to ten minutes', () => {
  const waits = [1, 2, 3, 6, 7, 8, 40].map(
    (failures) => remainingMs({ failures, lastMs: nowMs }, nowMs) / 1000,
  );
  assert.deepEqual(waits, [10, 20, 40, 320, 600, 600, 600]);
  assert.equal(remainingMs({ failures: 2, lastMs: nowMs }, nowMs + 15_000), 5_000);
  assert.equal(remainingMs(undefined, nowMs), 0);
});

it('failures add up until a pod succeeds; those after the last success count', () => {
  const first = recordAfter(undefined, [], [ended(1), ended(2)]);
  assert.deepEqual(first, { failures: 2, lastMs: nowMs + 2000 });
  assert.deepEqual(recordAfter(first, [], [ended(5)]), { failures: 3, lastMs: nowMs + 5000 });
  assert.deepEqual(recordAfter(first, [ended(6)], [ended(5), ended(7)]), {
    failures: 1,
    lastMs: nowMs + 7000,
  });
  assert.equal(recordAfter(first, [ended(6)], [ended(5)]), undefined);
  assert.deepEqual(recordAfter(first, [], []), first);
});

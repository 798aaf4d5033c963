import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SharedWork } from './shared-work.ts';

/** Work whose steps a test decides. */
function controlled() {
  const starts: { signal: AbortSignal; finish: (value: string) => void }[] = [];
  const work = (signal: AbortSignal) =>
    new Promise<string>((resolve, reject) => {
      starts.push({ signal, finish: resolve });
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  return { starts, work };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('work goes on when the one who began it leaves and another waits', async () => {
  const shared = new SharedWork<string>();
  const { starts, work } = controlled();
  const first = new AbortController();
  const one = shared.run('key', first.signal, work);
  const two = shared.run('key', new AbortController().signal, work);
  await turn();
  first.abort(new Error('gone'));
  await assert.rejects(one, /gone/);
  assert.equal(starts.length, 1);
  assert.equal(starts[0]?.signal.aborted, false);
  starts[0]?.finish('done');
  assert.equal(await two, 'done');
});

test('work stops when the last one leaves, and the next one starts anew after it has ended', async () => {
  const shared = new SharedWork<string>();
  const { starts, work } = controlled();
  const [first, second] = [new AbortController(), new AbortController()];
  let hasEnded = false;
  const slow = async (signal: AbortSignal) => {
    try {
      return await work(signal);
    } finally {
      await turn();
      hasEnded = true;
    }
  };
  const one = assert.rejects(shared.run('key', first.signal, slow));
  const two = assert.rejects(shared.run('key', second.signal, slow));
  await turn();
  first.abort();
  second.abort();
  await Promise.all([one, two]);
  assert.equal(starts[0]?.signal.aborted, true);
  const three = shared.run('key', undefined, (signal) => {
    assert.ok(hasEnded);
    return work(signal);
  });
  while (starts.length < 2) await turn();
  starts[1]?.finish('anew');
  assert.equal(await three, 'anew');
});

test('a failure reaches everyone who waits, and is not kept', async () => {
  const shared = new SharedWork<string>();
  const fail = async () => {
    throw new Error('broken');
  };
  const both = [shared.run('key', undefined, fail), shared.run('key', undefined, fail)];
  for (const outcome of await Promise.allSettled(both)) assert.equal(outcome.status, 'rejected');
  assert.equal(await shared.run('key', undefined, async () => 'fine'), 'fine');
});

test('one who comes with a signal that has fired starts nothing', async () => {
  const shared = new SharedWork<string>();
  const { starts, work } = controlled();
  await assert.rejects(shared.run('key', AbortSignal.abort(new Error('late')), work), /late/);
  await turn();
  assert.equal(starts.length, 0);
});

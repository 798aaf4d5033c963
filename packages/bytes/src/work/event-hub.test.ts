import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventHub } from './event-hub.ts';

const eventsMax = 1_000;

async function take<Event>(events: AsyncGenerator<Event>, count: number): Promise<Event[]> {
  const taken: Event[] = [];
  while (taken.length < count) {
    const { value, done } = await events.next();
    if (done) break;
    taken.push(value);
  }
  return taken;
}

test('each reader gets every event in order', async () => {
  const hub = new EventHub<number>(eventsMax);
  const { signal } = new AbortController();
  const readers = [hub.subscribe(signal), hub.subscribe(signal)];
  const reading = readers.map((reader) => take(reader, 3));
  await Promise.resolve();
  for (const event of [1, 2, 3]) hub.publish(event);
  assert.deepEqual(await Promise.all(reading), [
    [1, 2, 3],
    [1, 2, 3],
  ]);
});

test('a reader that does not read is cut off, and nobody waits for it', async () => {
  const hub = new EventHub<number>(eventsMax);
  const { signal } = new AbortController();
  const dead = hub.subscribe(signal);
  const first = dead.next();
  hub.publish(0);
  await first;
  for (let event = 1; event <= eventsMax + 5; event++) hub.publish(event);
  await assert.rejects(take(dead, eventsMax + 5), /events behind/);
  assert.equal(hub.hasReaders, false);
});

test('a reader ends when its signal aborts, also while it waits', async () => {
  const hub = new EventHub<number>(eventsMax);
  const stop = new AbortController();
  const waiting = hub.subscribe(stop.signal).next();
  stop.abort();
  assert.equal((await waiting).done, true);
  assert.equal(hub.hasReaders, false);
});

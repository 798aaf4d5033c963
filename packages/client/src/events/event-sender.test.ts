import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { type Event, StatusError } from '@wherry/kubeapi/objects';
import * as kinds from '../generated/kinds.ts';
import type { HttpRequest } from '../http/door.ts';
import { limits } from '../limits.ts';
import type { EventFacts } from './event.ts';
import { eventObjectOf } from './event.ts';
import { type EventLoss, EventSender } from './event-sender.ts';

/** A server of events alone, that may refuse. */
class Events {
  readonly clock = new FakeClock();
  readonly namespace = 'default';
  readonly stored = new Map<string, Event>();
  /** What the next requests are refused with. */
  readonly refusals: number[] = [];
  /** The answers to so many requests are lost, after what they asked for was done. */
  answersToLose = 0;

  async request<T>({ method, path, body }: HttpRequest): Promise<T> {
    const code = this.refusals.shift();
    if (code) throw new StatusError({ code, reason: 'InternalError', message: `refused with ${code}` });
    const sent = JSON.parse(String(body)) as Event;
    if (method === 'POST') {
      const name = sent.metadata.name ?? '';
      if (this.stored.has(name)) throw new StatusError({ code: 409, reason: 'AlreadyExists', message: name });
      this.stored.set(name, sent);
      if (this.answersToLose-- > 0) throw new Error('the connection was torn');
      return sent as T;
    }
    const name = path.split('/').at(-1) ?? '';
    const known = this.stored.get(name);
    if (!known) throw new StatusError({ code: 404, reason: 'NotFound', message: `no ${name}` });
    this.stored.set(name, { ...known, ...sent });
    return sent as T;
  }

  stream(): Promise<never> {
    throw new Error('events are not streamed');
  }

  told(): [message: string | undefined, count: number | undefined][] {
    return [...this.stored.values()].map(({ message, count }) => [message, count]);
  }
}

const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', namespace: 'shop', uid: 'u1' } };
const fact = (message: string, name = 'web'): EventFacts => ({
  object: { ...eventObjectOf(kinds.pods, pod), name },
  ...{ type: 'Warning', reason: 'BackOff', message },
});

function sender() {
  const server = new Events();
  const lost: EventLoss[] = [];
  const events = new EventSender({
    ...{ client: server, clock: server.clock, component: 'test' },
    onLost: (_, loss) => lost.push(loss),
  });
  return { server, lost, events, clock: server.clock };
}

test('an event may have happened before it is told of', async () => {
  const { events, server, clock } = sender();
  clock.advance(90_000);
  events.record({ ...fact('earlier'), seenMs: clock.nowMs() - 60_000 });
  await clock.advanceAsync(0);
  const [stored] = server.stored.values();
  assert.equal(Date.parse(stored?.firstTimestamp ?? ''), Math.trunc((clock.nowMs() - 60_000) / 1000) * 1000);
});

test('the same words about one object raise the count of one event', async () => {
  const { server, events, clock } = sender();
  for (const message of ['a', 'a', 'b', 'a']) events.record(fact(message));
  events.record(fact('a', 'other'));
  await clock.advanceAsync(0);
  assert.deepEqual(server.told(), [
    ['a', 3],
    ['b', 1],
    ['a', 1],
  ]);
  const [first] = server.stored.values();
  assert.equal(first?.metadata.namespace, 'shop');
  assert.match(first?.metadata.name ?? '', /^web\.[0-9a-f]+$/);
});

test('many similar events become one, and an object that floods is cut off', async () => {
  const { server, lost, events, clock } = sender();
  for (let at = 0; at < limits.eventBurst + 3; at++) events.record(fact(`try ${at}`));
  await clock.advanceAsync(0);
  const combined = server.told().filter(([message]) => message?.startsWith('(combined from similar events)'));
  assert.equal(server.stored.size, limits.similarEventsMax);
  assert.deepEqual(
    combined.map(([, count]) => count),
    [limits.eventBurst - limits.similarEventsMax + 1],
  );
  assert.deepEqual(lost, ['too-many', 'too-many', 'too-many']);
});

test('an event that was combined from similar ones says what happened last', async () => {
  const { server, events, clock } = sender();
  for (let at = 1; at <= limits.similarEventsMax + 1; at++) events.record(fact(`try ${at}`));
  await clock.advanceAsync(0);
  assert.deepEqual(server.told().at(-1), [
    `(combined from similar events): try ${limits.similarEventsMax + 1}`,
    2,
  ]);
});

test('times that were not told are counted, and the next event that may be sent tells of them', async () => {
  const { server, events, clock } = sender();
  for (let at = 0; at < limits.eventBurst + 10; at++) events.record(fact('again'));
  await clock.advanceAsync(0);
  assert.deepEqual(server.told(), [['again', limits.eventBurst]]);
  await clock.advanceAsync(limits.eventRefillMs);
  events.record(fact('again'));
  await clock.advanceAsync(0);
  assert.deepEqual(server.told(), [['again', limits.eventBurst + 11]]);
});

test('all containers of a pod share its allowance, and the same words of two of them are two events', async () => {
  const { server, events, lost, clock } = sender();
  const ofContainer = (name: string): EventFacts => {
    const { object, ...rest } = fact('again');
    return { ...rest, object: { ...object, fieldPath: `spec.containers{${name}}` } };
  };
  for (let at = 0; at < limits.eventBurst + 1; at++) events.record(ofContainer(at % 2 ? 'a' : 'b'));
  await clock.advanceAsync(0);
  assert.deepEqual([server.stored.size, lost], [2, ['too-many']]);
});

test('an event whose answer was lost is sent again under its name, and is there once', async () => {
  const { server, events, lost, clock } = sender();
  server.answersToLose = 1;
  events.record(fact('a'));
  await clock.advanceAsync(limits.eventRetryMs);
  events.record(fact('a'));
  await clock.advanceAsync(0);
  assert.deepEqual([server.told(), lost], [[['a', 2]], []]);
});

test('an event has a name that the server takes, whatever its object is called', async () => {
  const { server, events, clock } = sender();
  events.record(fact('a', 'system:node'));
  events.record(fact('b', 'x'.repeat(253)));
  events.record(fact('c', 'web.example.com'));
  await clock.advanceAsync(0);
  const [colon, long, dotted] = server.stored.keys();
  const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
  assert.match(colon ?? '', uuid);
  assert.match(long ?? '', uuid);
  assert.match(dotted ?? '', /^web\.example\.com\.[0-9a-f]+$/);
  assert.deepEqual(
    [...server.stored.values()].map(({ involvedObject }) => involvedObject.name),
    ['system:node', 'x'.repeat(253), 'web.example.com'],
  );
});

test('an event that the server has forgotten is made anew with its count and its beginning', async () => {
  const { server, events, clock } = sender();
  const firstMs = clock.nowMs();
  events.record(fact('a'));
  await clock.advanceAsync(0);
  server.stored.clear();
  clock.advance(60_000);
  events.record(fact('a'));
  await clock.advanceAsync(0);
  assert.deepEqual(server.told(), [['a', 2]]);
  const [{ firstTimestamp = '', lastTimestamp = '' } = {}] = server.stored.values();
  assert.equal(Date.parse(firstTimestamp), Math.trunc(firstMs / 1000) * 1000);
  assert.equal(Date.parse(lastTimestamp) - Date.parse(firstTimestamp), 60_000);
});

test('a server that fails is asked again, one that refuses is not', async () => {
  const { server, lost, events, clock } = sender();
  server.refusals.push(503, 429, 503);
  events.record(fact('late'));
  await clock.advanceAsync(3 * limits.eventRetryMs);
  assert.deepEqual(server.told(), [['late', 1]]);
  server.refusals.push(403);
  events.record(fact('forbidden'));
  await clock.advanceAsync(0);
  server.refusals.push(...Array.from({ length: limits.eventTriesMax }, () => 500));
  events.record(fact('never'));
  await clock.advanceAsync(limits.eventTriesMax * limits.eventRetryMs);
  assert.deepEqual(lost, ['refused', 'unreachable']);
  assert.equal(clock.pendingTimers, 0);
});

test('a sender that is closed sends no more, and leaves no timer', async () => {
  const { server, lost, events, clock } = sender();
  server.refusals.push(500);
  events.record(fact('a'));
  await clock.advanceAsync(0);
  events.close();
  events.record(fact('b'));
  await clock.advanceAsync(60_000);
  assert.deepEqual([server.told(), lost, clock.pendingTimers], [[], [], 0]);
});

test('a sender is settled once all that it was told is sent or lost', async () => {
  const { server, events, lost, clock } = sender();
  await events.settled();
  server.refusals.push(500);
  events.record(fact('a'));
  server.refusals.push(403);
  events.record(fact('b', 'other'));
  let isSettled = false;
  const settled = events.settled().then(() => {
    isSettled = true;
  });
  await clock.advanceAsync(limits.eventRetryMs - 1);
  assert.equal(isSettled, false, 'the first is to be tried again');
  await clock.advanceAsync(1);
  await settled;
  assert.deepEqual([server.told().length, lost], [1, ['refused']]);
});

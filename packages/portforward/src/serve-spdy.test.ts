import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { channelPair, collect } from '@wherry/bytes';
import { FakeClock, systemClock } from '@wherry/clock';
import { createSpdySession, SpdyError, type SpdySession, type SpdyStream } from '@wherry/spdy';
import { silentLogger } from '@wherry/telemetry';
import { serveSpdyPortForward } from './serve-spdy.ts';
import type { PortForwardService } from './serve-types.ts';

/** A server in memory that answers each connection with its port, and a session whose streams a test opens. */
function start(service: Partial<PortForwardService> = {}) {
  const clock = new FakeClock();
  const [client, server] = channelPair();
  const served = serveSpdyPortForward(server, {
    podName: 'web',
    streamCreationTimeoutMs: 30_000,
    idleTimeoutMs: 14_400_000,
    clock,
    logger: silentLogger,
    async dial(port) {
      const [near, far] = channelPair();
      far.receive({ data() {}, end() {}, closed() {} });
      far.write(Buffer.from(`port ${port}`));
      far.end();
      return near;
    },
    ...service,
  });
  return {
    clock,
    served,
    session: createSpdySession({ transport: client, role: 'client', clock: systemClock }),
  };
}

type Headers = Record<string, string>;
const error = (session: SpdySession, headers: Headers) =>
  session.createStream({ streamtype: 'error', ...headers }, { fin: true });
const data = (session: SpdySession, headers: Headers) =>
  session.createStream({ streamtype: 'data', ...headers });
const text = async (stream: SpdyStream) => Buffer.from(await collect(stream)).toString();
const isReset = (reason: unknown) => reason instanceof SpdyError && reason.code === 'reset';

test('52: the halves of a pair find each other by requestID, whichever comes first', async () => {
  const { session } = start();
  const first = await error(session, { port: '80', requestid: '0' });
  const second = await data(session, { port: '81', requestid: '1' });
  const third = await error(session, { port: '81', requestid: '1' });
  const fourth = await data(session, { port: '80', requestid: '0' });
  for (const stream of [second, fourth]) stream.end();
  assert.deepEqual(await Promise.all([first, second, third, fourth].map(text)), [
    '',
    'port 81',
    '',
    'port 80',
  ]);
  session.close();
});

test('53: without a requestID the data stream belongs to the error stream just before it', async () => {
  const { session } = start();
  const streams = [await error(session, { port: '80' }), await data(session, { port: '80' })];
  const more = [await error(session, { port: '81' }), await data(session, { port: '81' })];
  for (const stream of [streams[1], more[1]]) stream?.end();
  assert.deepEqual(await Promise.all([...streams, ...more].map(text)), ['', 'port 80', '', 'port 81']);
  session.close();
});

test('114: a requestID can come again once its pair is complete', async () => {
  const { session, served } = start();
  for (let round = 0; round < 3; round++) {
    const half = await error(session, { port: '80', requestid: '7' });
    const other = await data(session, { port: '80', requestid: '7' });
    other.end();
    assert.deepEqual(await Promise.all([text(half), text(other)]), ['', 'port 80']);
  }
  session.close();
  assert.deepEqual(await served, { connections: 3, failures: 0, error: null });
});

test('114: a second half of a type before the pair is complete is reset, and the error stream says why', async () => {
  const { session } = start();
  const half = await error(session, { port: '80', requestid: '7' });
  const duplicate = await error(session, { port: '80', requestid: '7' });
  assert.ok(isReset(await duplicate.closed));
  const other = await data(session, { port: '80', requestid: '7' });
  other.end();
  assert.equal(await text(other), 'port 80');
  assert.equal(await text(half), 'error processing stream for request 7: error stream already assigned');
  session.close();
});

for (const headers of [
  { requestid: '1' },
  { port: '0' },
  { port: '65536' },
  { port: 'x' },
  { port: '-1' },
  { port: '80', streamtype: 'bogus' },
] as Headers[]) {
  test(`54: a stream with ${JSON.stringify(headers)} is reset alone`, async () => {
    const { session } = start();
    await assert.rejects(session.createStream({ streamtype: 'data', ...headers }), isReset);
    const half = await error(session, { port: '80', requestid: '2' });
    const other = await data(session, { port: '80', requestid: '2' });
    other.end();
    assert.deepEqual(await Promise.all([text(half), text(other)]), ['', 'port 80']);
    session.close();
  });
}

test('55: after 30 s a lone error stream gets a text, a lone data stream just ends, and the session lives', async () => {
  const { session, clock } = start();
  const lone = await error(session, { port: '80', requestid: '1' });
  const other = await data(session, { port: '80', requestid: '2' });
  const ended = Promise.all([text(lone), text(other)]);
  await clock.advanceAsync(31_000);
  assert.deepEqual(await ended, ['(conn=, request=1) timed out waiting for streams', '']);
  const half = await error(session, { port: '80', requestid: '1' });
  const next = await data(session, { port: '80', requestid: '1' });
  next.end();
  assert.deepEqual(await Promise.all([text(half), text(next)]), ['', 'port 80']);
  session.close();
});

test('113: a Go client, which ends its own side only after the error stream, sees that end when the pod ends', async () => {
  const { session } = start();
  const half = await error(session, { port: '80', requestid: '1' });
  const other = await data(session, { port: '80', requestid: '1' });
  assert.deepEqual(await Promise.all([text(other), text(half)]), ['port 80', '']);
  other.end();
  session.close();
});

test('56: a client that did not ask for more sees a refused port end both streams empty', async () => {
  const { session, served } = start({ dial: () => Promise.reject(new Error('connection refused')) });
  const half = await error(session, { port: '80', requestid: '1' });
  const other = await data(session, { port: '80', requestid: '1' });
  assert.deepEqual(await Promise.all([text(half), text(other)]), ['', '']);
  session.close();
  assert.deepEqual(await served, { connections: 1, failures: 1, error: null });
});

test('56: a client that asks for it gets the text of a refused port, and a reset', async () => {
  const { session } = start({ dial: () => Promise.reject(new Error('connection refused')) });
  const half = await error(session, { port: '80', requestid: '1', 'wherry-errors': 'text' });
  const other = await data(session, { port: '80', requestid: '1' });
  assert.equal(await text(half), 'error forwarding port 80 to pod web, uid : connection refused');
  assert.ok(isReset(await other.closed));
  session.close();
});

test('a client that gives a connection up before it was made aborts the dial', async () => {
  const aborted = Promise.withResolvers<void>();
  const { session } = start({
    dial: (_port, { signal }) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => {
          aborted.resolve();
          reject(signal.reason);
        });
      }),
  });
  await error(session, { port: '80', requestid: '1' });
  (await data(session, { port: '80', requestid: '1' })).reset();
  await aborted.promise;
  session.close();
});

test("a session's end ends its connections and leaves no timer", async () => {
  const target = channelPair();
  const { session, clock, served } = start({ dial: async () => target[0] });
  target[1].receive({ data() {}, end() {}, closed() {} });
  await error(session, { port: '80', requestid: '1' });
  await data(session, { port: '80', requestid: '1' });
  await error(session, { port: '80', requestid: '2' });
  session.close();
  assert.ok(await target[1].closed);
  await served;
  assert.equal(clock.pendingTimers, 0);
});

test('a client that resets the error stream it wants texts on ends that connection alone', async () => {
  const refusal = Promise.withResolvers<never>();
  const { session, served } = start({ dial: () => refusal.promise });
  const half = await session.createStream({
    streamtype: 'error',
    port: '80',
    requestid: '1',
    'wherry-errors': 'text',
  });
  const other = await data(session, { port: '80', requestid: '1' });
  half.reset();
  await delay(20);
  refusal.reject(new Error('connection refused'));
  assert.ok(isReset(await other.closed));
  session.close();
  assert.deepEqual(await served, { connections: 1, failures: 1, error: null });
});

test('a session that ends while a connection is being made leaves nothing unheard', async () => {
  const { session, served } = start({
    dial: (_port, { signal }) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
  });
  await error(session, { port: '80', requestid: '1', 'wherry-errors': 'text' });
  await data(session, { port: '80', requestid: '1' });
  session.close();
  await served;
  await delay(20);
});

test('55: a half that its client has reset is forgotten, and its time that runs out hurts nobody', async () => {
  const { session, clock } = start({ idleTimeoutMs: 0 });
  const half = await session.createStream({ streamtype: 'error', port: '80', requestid: '1' });
  half.reset();
  await delay(20);
  assert.equal(clock.pendingTimers, 0);
  await clock.advanceAsync(31_000);
  session.close();
});

test('114: a second half whose first one its client has reset is no duplicate', async () => {
  const { session } = start();
  (await session.createStream({ streamtype: 'error', port: '80', requestid: '1' })).reset();
  await delay(20);
  const half = await error(session, { port: '80', requestid: '1' });
  const other = await data(session, { port: '80', requestid: '1' });
  other.end();
  assert.deepEqual(await Promise.all([text(half), text(other)]), ['', 'port 80']);
  session.close();
});

test('55: what a client sent on data streams that it has reset is not held', async () => {
  const { session } = start();
  for (let round = 0; round < 20; round++) {
    const half = await data(session, { port: '80', requestid: `lone-${round}` });
    half.write(Buffer.alloc(1_000_000));
    half.reset();
  }
  const half = await error(session, { port: '80', requestid: '1' });
  const other = await data(session, { port: '80', requestid: '1' });
  other.end();
  assert.deepEqual(await Promise.all([text(half), text(other)]), ['', 'port 80']);
  session.close();
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { acceptor, listen } from '../../test/acceptor.ts';
import { bench, type RawPeer, settle } from '../../test/raw-peer.ts';
import { defaultLimits, encodeData, encodePing, type SpdySession, type SpdyStream } from '../index.ts';

const pingIntervalMs = 5_000;
const silenceTimeoutMs = 61_000;
const options = { pingIntervalMs, silenceTimeoutMs };

/** The code of the session's end, if it has ended. */
async function endOf(session: SpdySession): Promise<string | undefined> {
  const error = await Promise.race([session.closed, settle().then(() => undefined)]);
  return (error as { code?: string } | null | undefined)?.code;
}

/** Lets the time pass in ping intervals; `each` is called after each. */
async function pass(clock: { advanceAsync(ms: number): Promise<void> }, durationMs: number, each = () => {}) {
  for (let passedMs = 0; passedMs < durationMs; passedMs += pingIntervalMs) {
    await clock.advanceAsync(pingIntervalMs);
    each();
    await settle();
  }
}

/** Answers the last ping that was not answered. */
function answerer(peer: RawPeer): () => void {
  let answered = 0;
  return () => {
    const pings = peer.lines.filter((line) => line.startsWith('PING '));
    for (; answered < pings.length; answered++) peer.send(encodePing(Number(pings[answered]?.slice(5))));
  };
}

describe('a peer that is gone without a word', () => {
  it('is noticed by a client within its time-out and one interval, and what had come is delivered', async () => {
    const { session, peer, clock } = bench('client', options);
    const creation = session.createStream({});
    await settle();
    peer.reply(1);
    const stream = await creation;
    peer.send(encodeData(1, Buffer.from('last words'), false));
    await settle();
    await pass(clock, silenceTimeoutMs - pingIntervalMs);
    assert.equal(await endOf(session), undefined);
    await pass(clock, 2 * pingIntervalMs);
    assert.equal(await endOf(session), 'peer-silent');
    const events = listen(stream);
    await settle();
    assert.deepEqual(events, ['last words', '<peer-silent>']);
    assert.deepEqual(peer.ends, ['broken']);
    assert.equal(clock.pendingTimers, 0);
  });

  it('is not one that answers, or sends anything at all', async () => {
    const { session, peer, clock } = bench('client', options);
    await pass(clock, 10 * silenceTimeoutMs, answerer(peer));
    await pass(clock, 10 * silenceTimeoutMs, () => peer.send(encodePing(2)));
    assert.equal(await endOf(session), undefined);
  });

  it('is not a server that takes no input: it does not read pings either', async () => {
    const { session, peer, clock } = bench('client', options);
    const creation = session.createStream({});
    await settle();
    peer.reply(1);
    const stream = await creation;
    await pass(clock, pingIntervalMs, answerer(peer));
    stream.write(Buffer.alloc(100 * 1024));
    await pass(clock, 10 * silenceTimeoutMs);
    assert.equal(await endOf(session), undefined);
  });

  it('is noticed by a client in the middle of its input if the server used to ping', async () => {
    const { session, peer, clock } = bench('client', options);
    const creation = session.createStream({});
    await settle();
    peer.reply(1);
    const stream = await creation;
    peer.send(encodePing(2));
    stream.write(Buffer.alloc(100 * 1024));
    await pass(clock, silenceTimeoutMs + 2 * pingIntervalMs);
    assert.equal(await endOf(session), 'peer-silent');
  });

  it('is not one that does not read: it pings on', async () => {
    const { streams, onStream } = acceptor();
    const { peer, clock } = bench('server', { ...options, onStream });
    peer.open(1);
    peer.send(encodePing(1));
    for (let sent = 0; sent < 20; sent++) peer.send(encodeData(1, Buffer.alloc(64 * 1024), false));
    await settle();
    await pass(clock, 5 * pingIntervalMs);
    assert.equal(streams.length, 1);
    assert.equal(peer.lines.filter((line) => line.startsWith('PING ')).length - 1, 6);
  });

  it('is noticed by a server whose client used to ping, once all it was sent is known to be taken', async () => {
    const { streams, onStream } = acceptor();
    const { session, peer, clock } = bench('server', { ...options, onStream });
    peer.open(1);
    peer.send(encodePing(1));
    await settle();
    streams[0]?.write(Buffer.from('x'));
    await pass(clock, 2 * pingIntervalMs, answerer(peer));
    await pass(clock, silenceTimeoutMs + pingIntervalMs);
    assert.equal(await endOf(session), 'peer-silent');
  });

  it('is not a client that may just not read its output, nor one that never pinged', async () => {
    const { streams, onStream } = acceptor();
    const resting = bench('server', { ...options, onStream });
    resting.peer.open(1);
    resting.peer.send(encodePing(1));
    await settle();
    await pass(resting.clock, 2 * pingIntervalMs, answerer(resting.peer));
    streams[0]?.write(Buffer.from('x'));
    await pass(resting.clock, 10 * silenceTimeoutMs);
    assert.equal(await endOf(resting.session), undefined);
    const quiet = bench('server', options);
    await pass(quiet.clock, 10 * silenceTimeoutMs);
    assert.equal(await endOf(quiet.session), undefined);
    assert.deepEqual(quiet.peer.lines, []);
  });

  it('shows at a server that does not read, whose client never came to ping: there it is pinged', async () => {
    const { peer, clock } = bench('server', { ...options, onStream: (stream) => stream.reply() });
    peer.open(1);
    peer.send(encodeData(1, new Uint8Array(2 * defaultLimits.streamReceiveBytesMax), false));
    await settle();
    const pings = () => peer.lines.filter((line) => line.startsWith('PING ')).length;
    assert.equal(pings(), 0);
    await pass(clock, 10 * silenceTimeoutMs);
    assert.equal(pings(), (10 * silenceTimeoutMs) / pingIntervalMs);
  });

  it('is pinged no more by a server that reads again', async () => {
    const streams: SpdyStream[] = [];
    const { session, peer, clock } = bench('server', {
      ...options,
      onStream: (stream) => {
        stream.reply();
        streams.push(stream);
      },
    });
    peer.open(1);
    peer.send(encodeData(1, new Uint8Array(2 * defaultLimits.streamReceiveBytesMax), false));
    await settle();
    await pass(clock, 2 * pingIntervalMs);
    if (streams[0]) listen(streams[0]);
    await settle();
    const pings = peer.lines.filter((line) => line.startsWith('PING ')).length;
    await pass(clock, 10 * silenceTimeoutMs);
    assert.equal(peer.lines.filter((line) => line.startsWith('PING ')).length, pings);
    assert.equal(await endOf(session), undefined);
    assert.equal(clock.pendingTimers, 0);
  });
});

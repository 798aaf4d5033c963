import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { ByteChannel } from './channel.ts';
import { collect } from './collect.ts';
import { ChannelClosedError } from './errors.ts';

/** Two ends of one connection, and the way to let go of what is under them. */
export interface ChannelEnds {
  left: ByteChannel;
  right: ByteChannel;
  cleanup(): Promise<void> | void;
}

/** What a receiver saw, in order. */
interface Seen {
  bytes: number;
  events: string[];
  closed: Promise<Error | null>;
}

function watch(channel: ByteChannel): Seen {
  const { promise, resolve } = Promise.withResolvers<Error | null>();
  const seen: Seen = { bytes: 0, events: [], closed: promise };
  const note = (event: string) => {
    if (seen.events.at(-1) !== event) seen.events.push(event);
  };
  channel.receive({
    data(chunk) {
      seen.bytes += chunk.length;
      note('data');
    },
    end() {
      note('end');
    },
    closed(error) {
      note(error ? 'closed with error' : 'closed');
      resolve(error);
    },
  });
  return seen;
}

/** Bytes that tell where they belong. */
function numbered(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at + 4 <= length; at += 4) bytes.writeUInt32BE(at, at);
  return bytes;
}

/** Writes until the peer's pause has come all the way back; returns how many bytes were taken. */
async function fill(channel: ByteChannel): Promise<number> {
  const chunk = Buffer.alloc(64 * 1024);
  for (let written = chunk.length; written <= 256 * 1024 * 1024; written += chunk.length) {
    if (!channel.write(chunk) && !(await drainsSoon(channel))) return written;
  }
  throw new Error('the channel never asked to wait');
}

/** Looks again over twenty turns of the event loop, so that a busy machine does not pass for a full channel. */
async function drainsSoon(channel: ByteChannel): Promise<boolean> {
  let drained = false;
  const ignore = () => {};
  channel.drained().then(() => {
    drained = true;
  }, ignore);
  for (let turns = 0; turns < 20 && !drained; turns++) await sleep(5);
  return drained;
}

/** What a kind of channel can't do. */
export interface ChannelSuiteOptions {
  /** False when the transport knows no reset, so that the peer of an aborted side sees its end. Default true. */
  tellsReset?: boolean | undefined;
}

/** The behaviour that every `ByteChannel` owes; run it on each implementation. `make` opens a fresh pair. */
export function describeByteChannel(
  name: string,
  make: () => Promise<ChannelEnds> | ChannelEnds,
  { tellsReset = true }: ChannelSuiteOptions = {},
): void {
  const withEnds = (body: (ends: ChannelEnds) => Promise<void>) => async () => {
    const ends = await make();
    try {
      await body(ends);
    } finally {
      await ends.cleanup();
    }
  };

  describe(`${name} as a ByteChannel`, () => {
    it(
      'delivers what came before the receiver, in order and never inside receive()',
      withEnds(async ({ left, right }) => {
        const sent = numbered(1024 * 1024);
        const collected = (async () => {
          await turn();
          return collect(right);
        })();
        for (let at = 0; at < sent.length; at += 10_000) {
          if (!left.write(sent.subarray(at, at + 10_000))) await left.drained();
        }
        left.end();
        assert.ok(sent.equals(await collected));
        right.write(Buffer.from('x'));
        let inside = true;
        const called = new Promise<boolean>((resolve) => {
          left.receive({ data: () => resolve(inside), end: () => {}, closed: () => {} });
        });
        inside = false;
        assert.equal(await called, false);
      }),
    );

    it(
      'half-closes: the other direction still delivers 1 MiB',
      withEnds(async ({ left, right }) => {
        left.end();
        const seen = watch(right);
        const back = collect(left);
        await turn();
        const sent = numbered(1024 * 1024);
        if (!right.write(sent)) await right.drained();
        right.end();
        assert.ok(sent.equals(await back));
        assert.equal(await seen.closed, null);
        assert.deepEqual(seen.events, ['end', 'closed']);
        assert.equal(await left.closed, null);
        assert.equal(await right.closed, null);
      }),
    );

    it(
      'holds bytes back while paused, makes the writer wait, and loses none',
      withEnds(async ({ left, right }) => {
        const seen = watch(right);
        right.pause();
        const written = await fill(left);
        let drained = false;
        const drain = left.drained().then(() => {
          drained = true;
        });
        for (let round = 0; round < 20; round++) await turn();
        assert.equal(seen.bytes, 0);
        assert.equal(drained, false);
        right.resume();
        await drain;
        left.end();
        right.end();
        left.receive({ data: () => {}, end: () => {}, closed: () => {} });
        assert.equal(await seen.closed, null);
        assert.equal(seen.bytes, written);
      }),
    );

    it(
      'refuses writes after end, and takes a second end',
      withEnds(async ({ left }) => {
        left.end();
        left.end();
        assert.throws(() => left.write(Buffer.from('late')), { name: 'ChannelClosedError', code: 'ended' });
      }),
    );

    it(
      'has one receiver',
      withEnds(async ({ left }) => {
        watch(left);
        assert.throws(() => watch(left), { name: 'ChannelClosedError', code: 'already-receiving' });
      }),
    );

    it(
      'lets a waiter go by its signal',
      withEnds(async ({ left, right }) => {
        right.pause();
        watch(right);
        await fill(left);
        const reason = new Error('no patience');
        await assert.rejects(left.drained({ signal: AbortSignal.abort(reason) }), reason);
        const controller = new AbortController();
        const drain = left.drained({ signal: controller.signal });
        controller.abort(reason);
        await assert.rejects(drain, reason);
      }),
    );

    it(
      'tears both sides down on abort, without an end',
      withEnds(async ({ left, right }) => {
        const here = watch(left);
        const there = watch(right);
        const reason = new Error('enough');
        left.abort(reason);
        left.abort(new Error('twice'));
        assert.equal(await here.closed, reason);
        assert.equal(await left.closed, reason);
        assert.deepEqual(here.events, ['closed with error']);
        if (tellsReset) {
          assert.ok((await there.closed) instanceof Error);
          assert.ok((await right.closed) instanceof Error);
          assert.ok(!there.events.includes('end'));
        }
        assert.throws(() => left.write(Buffer.from('late')), ChannelClosedError);
        await assert.rejects(left.drained(), ChannelClosedError);
      }),
    );

    it(
      'refuses those who wait when it is torn down',
      withEnds(async ({ left, right }) => {
        watch(left);
        right.pause();
        watch(right);
        await fill(left);
        const drain = left.drained();
        left.abort(new Error('enough'));
        await assert.rejects(drain, ChannelClosedError);
      }),
    );
  });
}

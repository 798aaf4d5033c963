import assert from 'node:assert/strict';
import { channelPair } from '@wherry/bytes';
import { FakeClock } from '@wherry/clock';
import { SpdyError } from '../src/frames/errors.ts';
import { defaultLimits } from '../src/limits.ts';
import type { SpdySession, SpdyStream } from '../src/session/contract.ts';
import { createSpdySession } from '../src/session/session.ts';
import { damagedConversation, seededRandom } from './mutate.ts';

/** How a session took its damaged conversation. */
export interface FuzzOutcome {
  /** It refused to go on, with a `SpdyError`. */
  refused: boolean;
}

/** Streams that a client under test opens, so that replies, data and resets find them. */
const openedStreams = 8;

/**
 * Feeds one damaged conversation, cut anywhere, to a session (a server for even seeds, a client for odd ones) and
 * checks what must hold whatever comes.
 */
export async function fuzzSession(seed: number, frames: number): Promise<FuzzOutcome> {
  const [near, far] = channelPair();
  const clock = new FakeClock();
  const random = seededRandom(seed ^ 0x5bd1e995);
  const role = seed % 2 === 0 ? 'server' : 'client';
  const session = createSpdySession({
    transport: near,
    role,
    clock,
    idleTimeoutMs: 1000,
    onStream: (stream) => handle(stream, random(4)),
  });
  far.receive({ data() {}, end() {}, closed() {} });
  if (role === 'client') openStreams(session, random);
  try {
    for (const piece of cut(Buffer.concat(damagedConversation(seed, frames)), random)) {
      far.write(piece);
      if (random(8) === 0) await Promise.resolve();
    }
    far.end();
    await turn();
    clock.advance(defaultLimits.lingerMs + 1000);
    const outcome = await session.closed;
    assert.ok(outcome === null || outcome instanceof SpdyError, `outcome ${outcome}`);
    assert.equal(session.streamCount, 0);
    assert.equal(clock.pendingTimers, 0);
    assert.ok(session.heldBytes <= defaultLimits.sessionReceiveBytesMax);
    return { refused: outcome instanceof SpdyError && outcome.code !== 'transport-closed' };
  } catch (error) {
    throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

function openStreams(session: SpdySession, random: (below: number) => number): void {
  for (let count = 0; count < openedStreams; count++) {
    session.createStream({ streamType: 'data' }).then(
      (stream) => handle(stream, random(4) === 0 ? 0 : 1),
      (error) => assert.ok(error instanceof SpdyError, `creation failed with ${error}`),
    );
  }
}

/** Four kinds of handlers: a reader, one that rejects, one that never answers, one that answers and ends. */
function handle(stream: SpdyStream, kind: number): void {
  if (kind === 0) stream.reset();
  if (kind === 1) stream.receive({ data() {}, end() {}, closed() {} });
  if (kind >= 2) stream.reply();
  if (kind === 3) stream.end();
}

function* cut(bytes: Buffer, random: (below: number) => number): Generator<Buffer> {
  for (let from = 0; from < bytes.length; ) {
    const to = Math.min(bytes.length, from + 1 + random(400));
    yield bytes.subarray(from, to);
    from = to;
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Half-close and reset against a model that fits on a page: any sequence of calls on both ends of several streams. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { sessionPair, settle } from '../../test/raw-peer.ts';
import type { SpdyStream } from './contract.ts';

type Side = 'client' | 'server';
type Action = { stream: number; side: Side; kind: 'write' | 'end' | 'reset'; bytes: number };

/** What one end of a stream should have done and seen. */
interface ModelEnd {
  ended: boolean;
  /** Outcome code once the end is gone. */
  gone: string | undefined;
  seenBytes: number;
  seenEnd: boolean;
}

type ModelStream = Record<Side, ModelEnd>;

const newEnd = (): ModelEnd => ({ ended: false, gone: undefined, seenBytes: 0, seenEnd: false });
const otherSide = (side: Side): Side => (side === 'client' ? 'server' : 'client');

/** Applies an action to the model; returns whether the call should throw. */
function applyToModel(stream: ModelStream, { side, kind, bytes }: Action): boolean {
  const own = stream[side];
  const peer = stream[otherSide(side)];
  if (kind === 'write') {
    if (own.gone || own.ended) return true;
    if (!peer.gone) peer.seenBytes += bytes;
  } else if (kind === 'end' && !own.gone && !own.ended) {
    own.ended = true;
    if (!peer.gone) peer.seenEnd = true;
    for (const end of [own, peer]) if (own.ended && peer.ended) end.gone ??= 'in order';
    // An end that left behind its own FIN never hears of the other's.
    if (own.seenEnd) own.gone ??= 'in order';
  } else if (kind === 'reset' && !own.gone) {
    if (!own.ended) peer.gone ??= 'reset';
    own.gone = 'cancelled';
  }
  return false;
}

/** What one end of a real stream has seen. */
class Witness {
  readonly stream: SpdyStream;
  seenBytes = 0;
  seenEnd = false;
  gone: string | undefined;

  constructor(stream: SpdyStream) {
    this.stream = stream;
    stream.receive({
      data: (chunk) => {
        assert.equal(this.seenEnd, false, 'data behind the end');
        assert.equal(this.gone, undefined, 'data behind closed');
        this.seenBytes += chunk.length;
      },
      end: () => {
        assert.equal(this.seenEnd || this.gone !== undefined, false, 'end twice or behind closed');
        this.seenEnd = true;
      },
      closed: (error) => {
        assert.equal(this.gone, undefined, 'closed twice');
        this.gone = error ? String((error as { code?: string }).code) : 'in order';
      },
    });
  }
}

function applyToStream({ stream }: Witness, { kind, bytes }: Action): void {
  if (kind === 'write') stream.write(Buffer.alloc(bytes));
  else if (kind === 'end') stream.end();
  else stream.reset();
}

const streamCount = 3;
const action: fc.Arbitrary<Action> = fc.record({
  stream: fc.nat(streamCount - 1),
  side: fc.constantFrom<Side>('client', 'server'),
  kind: fc.constantFrom('write' as const, 'write' as const, 'end' as const, 'reset' as const),
  bytes: fc.integer({ min: 1, max: 5000 }),
});

it('does what the model says, after every call on either end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 20 }), async (actions) => {
      const accepted: SpdyStream[] = [];
      const { client, server } = sessionPair({
        server: {
          onStream(stream) {
            accepted.push(stream);
            stream.reply();
          },
        },
      });
      const opened = await Promise.all(Array.from({ length: streamCount }, () => client.createStream({})));
      const real = opened.map((stream, index) => ({
        client: new Witness(stream),
        server: new Witness(accepted[index]!),
      }));
      const model: ModelStream[] = opened.map(() => ({ client: newEnd(), server: newEnd() }));
      for (const step of actions) {
        const shouldThrow = applyToModel(model[step.stream]!, step);
        const call = () => applyToStream(real[step.stream]![step.side], step);
        if (shouldThrow) assert.throws(call, { name: 'ChannelClosedError' });
        else call();
        await settle(2);
        compare(real, model);
      }
      const openEnds = (side: Side) => model.filter((stream) => !stream[side].gone).length;
      assert.equal(client.streamCount, openEnds('client'));
      assert.equal(server.streamCount, openEnds('server'));
    }),
    { numRuns: 300 },
  );
});

function compare(real: Record<Side, Witness>[], model: ModelStream[]): void {
  for (const [index, stream] of real.entries()) {
    for (const side of ['client', 'server'] as const) {
      const { seenBytes, seenEnd, gone } = stream[side];
      const expected = model[index]![side];
      assert.deepEqual(
        { seenBytes, seenEnd, gone },
        { seenBytes: expected.seenBytes, seenEnd: expected.seenEnd, gone: expected.gone },
        `stream ${index}, ${side}`,
      );
    }
  }
}

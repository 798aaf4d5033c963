import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FrameDecoder } from './frames/decode.ts';
import {
  encodeData,
  encodeGoAway,
  encodePing,
  encodeRstStream,
  HeaderFrameEncoder,
} from './frames/encode.ts';
import { defaultLimits } from './limits.ts';
import { ReplyAhead } from './reply-ahead.ts';

/** A relay whose two sides are kept. */
function relay() {
  const toBackend: Buffer[] = [];
  const toClient: Buffer[] = [];
  const ahead = new ReplyAhead({
    toBackend: (bytes) => toBackend.push(Buffer.from(bytes)),
    toClient: (bytes) => toClient.push(Buffer.from(bytes)),
  });
  return { ahead, toBackend, toClient };
}

/** The frames in a stream of bytes, one word each, data joined. */
function framesIn(bytes: Buffer): string[] {
  const seen: string[] = [];
  const decoder = new FrameDecoder(
    {
      synStream: ({ streamId }) => seen.push(`syn ${streamId}`),
      synReply: ({ streamId }) => seen.push(`reply ${streamId}`),
      headers: ({ streamId }) => seen.push(`headers ${streamId}`),
      rstStream: (streamId, status) => seen.push(`rst ${streamId} ${status}`),
      ping: (id) => seen.push(`ping ${id}`),
      goAway: (_, status) => seen.push(`goaway ${status}`),
      data: (streamId, piece, fin) => seen.push(`data ${streamId} ${Buffer.from(piece)}${fin ? ' fin' : ''}`),
    },
    defaultLimits,
  );
  decoder.push(bytes);
  return seen;
}

const header = (fields: { streamId: number; fin?: boolean }) => ({
  headers: { streamtype: 'data' },
  fin: false,
  ...fields,
});

test('a stream is answered before the backend says anything, and the backend gets its SYN_STREAM as it was', () => {
  const { ahead, toBackend, toClient } = relay();
  const syn = new HeaderFrameEncoder(defaultLimits).synStream(header({ streamId: 1 }));
  ahead.fromClient(syn);
  assert.deepEqual(framesIn(Buffer.concat(toClient)), ['reply 1']);
  assert.deepEqual(Buffer.concat(toBackend), syn);
});

test("the backend's own replies are left out, everything else passes", () => {
  const { ahead, toClient } = relay();
  const client = new HeaderFrameEncoder(defaultLimits);
  const backend = new HeaderFrameEncoder(defaultLimits);
  ahead.fromClient(client.synStream(header({ streamId: 1 })));
  ahead.fromClient(client.synStream(header({ streamId: 3 })));
  for (const frame of [
    backend.synReply(header({ streamId: 1 })),
    encodeRstStream(3, 3),
    encodePing(2),
    encodeData(1, Buffer.from('out'), true),
    encodeGoAway(0, 0),
  ]) {
    ahead.fromBackend(frame);
  }
  const expected = ['reply 1', 'reply 3', 'rst 3 3', 'ping 2', 'data 1 out fin', 'goaway 0'];
  assert.deepEqual(framesIn(Buffer.concat(toClient)), expected);
});

test('a reply that ends its direction becomes the end of that direction', () => {
  const { ahead, toClient } = relay();
  ahead.fromClient(new HeaderFrameEncoder(defaultLimits).synStream(header({ streamId: 1 })));
  ahead.fromBackend(new HeaderFrameEncoder(defaultLimits).synReply(header({ streamId: 1, fin: true })));
  assert.deepEqual(framesIn(Buffer.concat(toClient)), ['reply 1', 'data 1  fin']);
});

test('a reply waits for the end of a frame that is on its way to the client, and for no more', () => {
  const { ahead, toClient } = relay();
  const encoder = new HeaderFrameEncoder(defaultLimits);
  const [one, two] = [encodeData(1, Buffer.from('abcdef'), false), encodeData(1, Buffer.from('ghi'), false)];
  ahead.fromBackend(one.subarray(0, 10));
  ahead.fromClient(encoder.synStream(header({ streamId: 3 })));
  ahead.fromBackend(Buffer.concat([one.subarray(10), two.subarray(0, 9)]));
  ahead.fromBackend(two.subarray(9));
  const seen = framesIn(Buffer.concat(toClient)).join(' ').replaceAll(' data 1', '');
  assert.equal(seen, 'data 1 abcdef reply 3 ghi');
});

test('short frames that a client writes in pieces go on whole, and long ones are not held', () => {
  const { ahead, toBackend } = relay();
  const short = encodeData(1, Buffer.from('GET / HTTP/1.0'), false);
  for (const byte of short) ahead.fromClient(Buffer.from([byte]));
  assert.deepEqual(toBackend, [short]);
  const long = encodeData(1, Buffer.alloc(60_000, 'x'), false);
  ahead.fromClient(long.subarray(0, 100));
  assert.equal(Buffer.concat(toBackend).length, short.length + 100);
});

test('headers from the backend end the session: they are packed with a history that the client has not', () => {
  const { ahead } = relay();
  const frame = new HeaderFrameEncoder(defaultLimits).synStream(header({ streamId: 2 }));
  assert.throws(() => ahead.fromBackend(frame), { code: 'protocol', message: /only replies are relayed/ });
});

test('what is held of a frame that never comes whole is passed on when its sender ends', () => {
  const { ahead, toBackend } = relay();
  ahead.fromClient(Buffer.from([0, 0, 0]));
  ahead.clientEnded();
  assert.deepEqual(Buffer.concat(toBackend), Buffer.from([0, 0, 0]));
});

test('any cut of the bytes comes to the same', () => {
  const client = new HeaderFrameEncoder(defaultLimits);
  const backend = new HeaderFrameEncoder(defaultLimits);
  const up = Buffer.concat([
    client.synStream(header({ streamId: 1 })),
    encodeData(1, Buffer.alloc(5000, 'u'), false),
    client.synStream(header({ streamId: 3 })),
    encodeData(3, Buffer.from('x'), true),
  ]);
  const down = Buffer.concat([
    backend.synReply(header({ streamId: 1 })),
    encodeData(1, Buffer.alloc(3000, 'd'), false),
    backend.synReply(header({ streamId: 3 })),
    encodeRstStream(3, 5),
  ]);
  const cuts = (bytes: Buffer, at: number[]) => {
    const borders = [0, ...at.map((cut) => cut % bytes.length).sort((a, b) => a - b), bytes.length];
    return borders.slice(1).map((end, index) => bytes.subarray(borders[index], end));
  };
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 8 }), fc.array(fc.nat(), { maxLength: 8 }), (one, two) => {
      const { ahead, toBackend, toClient } = relay();
      for (const piece of cuts(up, one)) ahead.fromClient(piece);
      for (const piece of cuts(down, two)) ahead.fromBackend(piece);
      assert.deepEqual(Buffer.concat(toBackend), up);
      const text = framesIn(Buffer.concat(toClient));
      assert.deepEqual(
        text.filter((word) => !word.startsWith('data')),
        ['reply 1', 'reply 3', 'rst 3 5'],
      );
      const data = text.filter((word) => word.startsWith('data')).map((word) => word.slice('data 1 '.length));
      assert.equal(data.join(''), 'd'.repeat(3000));
    }),
  );
});

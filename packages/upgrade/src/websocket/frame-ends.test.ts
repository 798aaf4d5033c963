import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FrameEnds } from './frame-ends.ts';
import { encodeFrame, opcodes } from './message-frame.ts';

const frame = (payloadBytes: number, masked = false) =>
  Buffer.concat(
    encodeFrame({
      ...{ opcode: opcodes.binary, masked, prefix: undefined, payloadBytes },
      payload: [Buffer.alloc(payloadBytes, 7)],
    }),
  );
const sizes = (parts: Uint8Array[]) => parts.map(({ length }) => length);

test('frames of all lengths are told apart, masked ones too', () => {
  const frames = [0, 1, 125, 126, 65_535, 65_536].flatMap((bytes) => [frame(bytes), frame(bytes, true)]);
  const parts = new FrameEnds().split(Buffer.concat(frames), 100);
  assert.deepEqual(
    sizes(parts),
    frames.map(({ length }) => length),
  );
  assert.deepEqual(Buffer.concat(parts), Buffer.concat(frames));
});

test('a frame that comes in pieces ends where its last one does', () => {
  const ends = new FrameEnds();
  const bytes = Buffer.concat([frame(300), frame(2), frame(0)]);
  const got: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += 1) got.push(...ends.split(bytes.subarray(at, at + 1), 100));
  assert.equal(got.length, bytes.length);
  assert.deepEqual(sizes(new FrameEnds().split(bytes.subarray(0, 306), 100)), [304, 2]);
  assert.deepEqual(sizes(ends.split(Buffer.concat([frame(5), frame(6).subarray(0, 3)]), 100)), [7, 3]);
  assert.deepEqual(sizes(ends.split(Buffer.concat([frame(6).subarray(3), frame(1)]), 100)), [5, 3]);
});

test('what is more than so many parts stays whole', () => {
  const bytes = Buffer.concat(Array.from({ length: 10 }, () => frame(1)));
  assert.deepEqual(sizes(new FrameEnds().split(bytes, 4)), [3, 3, 3, 21]);
});

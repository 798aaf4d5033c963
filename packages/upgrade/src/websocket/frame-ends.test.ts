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

test('the last of several frames is told apart, whatever their lengths, masked ones too', () => {
  const frames = [0, 1, 125, 126, 65_535, 65_536].flatMap((bytes) => [frame(bytes), frame(bytes, true)]);
  for (let count = 1; count <= frames.length; count += 1) {
    const bytes = Buffer.concat(frames.slice(0, count));
    const parts = new FrameEnds().beforeLast(bytes);
    const last = frames[count - 1]!.length;
    assert.deepEqual(sizes(parts), count === 1 ? [last] : [bytes.length - last, last]);
    assert.deepEqual(Buffer.concat(parts), bytes);
  }
});

test('a frame that comes in pieces is followed; what is not whole stays with the last that is', () => {
  const ends = new FrameEnds();
  const bytes = Buffer.concat([frame(300), frame(2), frame(0)]);
  for (let at = 0; at < bytes.length; at += 1)
    assert.deepEqual(sizes(ends.beforeLast(bytes.subarray(at, at + 1))), [1]);
  const [five, six, one] = [frame(5), frame(6), frame(1)];
  assert.deepEqual(sizes(ends.beforeLast(Buffer.concat([five, six.subarray(0, 3)]))), [10]);
  assert.deepEqual(sizes(ends.beforeLast(Buffer.concat([six.subarray(3), one]))), [5, 3]);
  assert.deepEqual(sizes(ends.beforeLast(Buffer.concat([one, five, six.subarray(0, 1)]))), [3, 8]);
  assert.deepEqual(sizes(ends.beforeLast(six.subarray(1, 4))), [3]);
});

test('a close frame is seen as it begins, and no payload is taken for one', () => {
  const ends = new FrameEnds();
  const close = Buffer.of(0x88, 0x80, 1, 2, 3, 4);
  const [payload] = encodeFrame({
    ...{ opcode: opcodes.binary, masked: false, prefix: undefined, payloadBytes: close.length },
    payload: [close],
  });
  assert.deepEqual([payload!.length, ends.beforeLast(payload!).length], [2 + close.length, 1]);
  assert.equal(ends.hasClose, false);
  ends.beforeLast(close.subarray(0, 1));
  ends.beforeLast(close.subarray(1));
  assert.equal(ends.hasClose, true);
});

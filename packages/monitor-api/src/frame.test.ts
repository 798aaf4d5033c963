import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { encodeFrame, type Frame, FrameDecoder } from './frame.ts';

const frames: Frame[] = [
  { kind: 'request', id: 1, method: 'exec.sync', params: { text: 'ä"\n', list: [1, null, true] } },
  {
    kind: 'result',
    id: 1,
    result: { atNs: 1795262608963417123n, stdout: Buffer.from([0, 255, 10]), stderr: Buffer.alloc(0) },
  },
  {
    kind: 'notice',
    id: 2,
    payload: { nested: [{ bytes: Buffer.from('abc') }, { bytes: Buffer.from('de') }] },
  },
  { kind: 'cancel', id: 3 },
];

test('what was encoded is decoded, however the bytes were split, with big numbers and bytes', () => {
  const bytes = Buffer.concat(frames.map(encodeFrame));
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length), { maxLength: 10 }), (cuts) => {
      const borders = [0, ...cuts.sort((a, b) => a - b), bytes.length];
      const decoder = new FrameDecoder();
      const decoded = borders
        .slice(1)
        .flatMap((end, index) => decoder.push(bytes.subarray(borders[index], end)));
      assert.deepEqual(decoded, frames);
    }),
  );
});

test('a frame beyond the limits is refused before its bytes are collected', () => {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(0xffff_ffff, 0);
  assert.throws(() => new FrameDecoder().push(header), { code: 'RESOURCE_EXHAUSTED' });
});

for (const text of [
  '[1]',
  '{"kind":"request","id":1,"params":{"$int":{"toString":1}}}',
  '{"kind":"request","id":1,"params":{"$int":"x"}}',
  '{"kind":"request","id":1,"params":{"$bytes":{"valueOf":1}}}',
  '{"kind":"request","id":1,"params":{"$bytes":1}}',
  '{"kind":"request","id":1,"params":{"$bytes":-1}}',
]) {
  test(`what is no frame is refused: ${text}`, () => {
    const json = Buffer.from(text);
    const header = Buffer.alloc(8);
    header.writeUInt32BE(json.length, 0);
    assert.throws(() => new FrameDecoder().push(Buffer.concat([header, json])), { code: 'INVALID_ARGUMENT' });
  });
}

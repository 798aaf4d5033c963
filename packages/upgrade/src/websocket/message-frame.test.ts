import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { encodeFrame, opcodes } from './message-frame.ts';

/** Reads frames straight from RFC 6455, section 5.2; throws on anything but final, rightly sized data frames. */
function decodeFrames(bytes: Buffer, masked: boolean): { opcode: number; payload: Buffer }[] {
  const frames = [];
  let offset = 0;
  while (offset < bytes.length) {
    const first = bytes.readUInt8(offset);
    const second = bytes.readUInt8(offset + 1);
    assert.equal(first & 0xf0, 0x80, 'final, no reserved bits');
    assert.equal(second >> 7, masked ? 1 : 0);
    let length = second & 0x7f;
    offset += 2;
    if (length === 126) {
      length = bytes.readUInt16BE(offset);
      assert.ok(length > 125, 'shortest length form');
      offset += 2;
    } else if (length === 127) {
      length = Number(bytes.readBigUInt64BE(offset));
      assert.ok(length > 65_535, 'shortest length form');
      offset += 8;
    }
    const key = masked ? bytes.subarray(offset, offset + 4) : Buffer.alloc(4);
    offset += masked ? 4 : 0;
    const payload = Buffer.from(bytes.subarray(offset, offset + length));
    for (let index = 0; index < length; index++) payload[index] = payload[index]! ^ key[index % 4]!;
    frames.push({ opcode: first & 0x0f, payload });
    offset += length;
  }
  return frames;
}

test('every frame is one final frame of the shortest form with prefix and payload behind each other', () => {
  const sizes = [0, 1, 124, 125, 126, 2047, 2048, 2049, 65_534, 65_535, 65_536, 70_000];
  const payload = fc.constantFrom(...sizes).map((size) => new Uint8Array(size).fill(7));
  const prefix = fc.option(fc.uint8Array({ minLength: 1, maxLength: 2 }), { nil: undefined });
  const message = fc.record({ payload: fc.array(payload, { minLength: 1, maxLength: 3 }), prefix });
  fc.assert(
    fc.property(fc.array(message, { maxLength: 3 }), fc.boolean(), (messages, masked) => {
      const encoded = messages.flatMap((parts) => {
        const payloadBytes = parts.payload.reduce((sum, chunk) => sum + chunk.length, 0);
        return encodeFrame({ opcode: opcodes.binary, masked, ...parts, payloadBytes });
      });
      const wanted = messages.map((parts) => ({
        opcode: opcodes.binary,
        payload: Buffer.concat([parts.prefix ?? new Uint8Array(0), ...parts.payload]),
      }));
      assert.deepEqual(decodeFrames(Buffer.concat(encoded), masked), wanted);
    }),
    { numRuns: 60 },
  );
});

test('a large payload is passed on by reference, a small one is merged behind its head', () => {
  const large = new Uint8Array(100_000);
  const parts = { opcode: opcodes.binary, masked: false, prefix: Uint8Array.of(1) };
  const frame = encodeFrame({ ...parts, payload: [large], payloadBytes: large.length });
  assert.equal(frame.length, 2);
  assert.equal(frame[1], large);
  assert.equal(encodeFrame({ ...parts, payload: [Uint8Array.of(1, 2)], payloadBytes: 2 }).length, 1);
});

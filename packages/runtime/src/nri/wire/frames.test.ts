import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { encodeWire, kinds, lines, messageBytesMax, WireDecoder } from './frames.ts';

suite('the wire of NRI plug-ins', () => {
  const message = (data: Buffer) => ({ line: lines.plugIn, stream: 3, kind: kinds.response, data });

  test('gives back messages of any size, however their bytes are cut', () => {
    const sizes = [0, 1, 4085, 4086, 4087, 100_000];
    const all = Buffer.concat(sizes.map((size) => encodeWire(message(Buffer.alloc(size, size)))));
    for (const step of [1000, 4095, all.length]) {
      const decoder = new WireDecoder();
      const found = [];
      for (let at = 0; at < all.length; at += step) found.push(...decoder.push(all.subarray(at, at + step)));
      assert.deepEqual(
        found.map(({ data }) => data.length),
        sizes,
      );
      assert.ok(found.every(({ stream, kind }) => stream === 3 && kind === kinds.response));
    }
  });

  test('puts no more than what Go buffers into a message’s first frame, and the rest into one', () => {
    const bytes = encodeWire(message(Buffer.alloc(100_000)));
    assert.equal(bytes.readUInt32BE(4), 4096);
    assert.equal(bytes.readUInt32BE(8 + 4096 + 4), 100_010 - 4096);
    assert.equal(bytes.length, 100_010 + 16);
  });

  test('takes no frame and no message larger than 4 MiB, and no third connection', () => {
    const frame = (line: number, length: number) => {
      const head = Buffer.alloc(8);
      head.writeUInt32BE(line, 0);
      head.writeUInt32BE(length, 4);
      return head;
    };
    const large = Buffer.alloc(10);
    large.writeUInt32BE(messageBytesMax + 1, 0);
    assert.throws(() => new WireDecoder().push(frame(1, messageBytesMax + 11)), /a frame of .* larger/);
    assert.throws(
      () => new WireDecoder().push(Buffer.concat([frame(1, 10), large])),
      /a message of .* larger/,
    );
    assert.throws(
      () => new WireDecoder().push(Buffer.concat([frame(3, 1), Buffer.alloc(1)])),
      /connection 3/,
    );
    assert.throws(() => encodeWire(message(Buffer.alloc(messageBytesMax + 1))), {
      code: 'RESOURCE_EXHAUSTED',
    });
  });

  test('takes a message in frames of a byte, and of none, in a time that goes by its bytes alone', {
    timeout: 20_000,
  }, () => {
    const data = Buffer.alloc(messageBytesMax, 7);
    const whole = encodeWire(message(data));
    const tail = 200_000;
    const frame = (bytes: Buffer) => {
      const head = Buffer.alloc(8);
      head.writeUInt32BE(lines.plugIn, 0);
      head.writeUInt32BE(bytes.length, 4);
      return Buffer.concat([head, bytes]);
    };
    const ttrpc = Buffer.concat([whole.subarray(8, 8 + 4096), whole.subarray(16 + 4096)]);
    const small = Array.from(ttrpc.subarray(-tail), (byte) => frame(Buffer.of(byte)));
    const none = Array.from({ length: tail }, () => frame(Buffer.alloc(0)));
    const decoder = new WireDecoder();
    const found = [frame(ttrpc.subarray(0, -tail)), ...none, ...small].flatMap((bytes) =>
      decoder.push(bytes),
    );
    assert.equal(found.length, 1);
    assert.ok(found[0]?.data.equals(data));
  });
});

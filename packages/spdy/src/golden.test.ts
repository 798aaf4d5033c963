import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { it } from 'node:test';
import { constants, createInflate } from 'node:zlib';
import { HeaderInflater } from './frames/compression.ts';
import { FrameDecoder } from './frames/decode.ts';
import { headerDictionary } from './frames/dictionary.ts';
import {
  encodeData,
  encodeGoAway,
  encodePing,
  encodeRstStream,
  HeaderFrameEncoder,
} from './frames/encode.ts';
import type { FrameHandler, HeaderFrame, SynStream } from './frames/frame.ts';
import { encodeHeaderBlock } from './frames/header-block.ts';
import { defaultLimits } from './limits.ts';

/** What a Go peer puts on the wire, taken down from moby/spdystream. */
const golden = {
  plainBlock: '000000010000000a73747265616d74797065000000056572726f72',
  synStream:
    '80030001000000280000000100000000000078f9e3c6a7c202a62346703a2b294a4dcc851625aca9a08006000000ffff',
  nextBlock: 'c22a054ccc29f9a52500000000ffff',
  synReply: '80030002000000140000000178f9e3c6a7c202a6230600000000ffff',
  ping: '800300060000000400000001',
  goAway: '80030007000000080000000000000000',
  rstStream: '80030003000000080000000100000005',
  halfClose: '0000000101000000',
};

const ignoreAll: FrameHandler = {
  synStream() {},
  synReply() {},
  headers() {},
  rstStream() {},
  ping() {},
  goAway() {},
  data() {},
};

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

it('has the dictionary of the SPDY/3 draft', () => {
  assert.equal(headerDictionary.length, 1423);
  assert.equal(
    createHash('sha256').update(headerDictionary).digest('hex'),
    '51d27341373f923f3cd88e1eb7162aeaa3723d7585ff2399201dc06498407f02',
  );
});

it('1. inflates the golden SYN_STREAM and the following block with one context', () => {
  const streams: SynStream[] = [];
  const decoder = new FrameDecoder(
    { ...ignoreAll, synStream: (frame) => streams.push(frame) },
    defaultLimits,
  );
  decoder.push(Buffer.from(golden.synStream, 'hex'));
  const second = Buffer.from(golden.nextBlock, 'hex');
  const head = Buffer.from('800300010000000000000003000000000000', 'hex');
  head.writeUInt32BE(10 + second.length, 4);
  decoder.push(Buffer.concat([head, second]));
  assert.deepEqual(
    streams.map(({ streamId, headers, fin, priority }) => ({
      streamId,
      headers: [...headers],
      fin,
      priority,
    })),
    [
      { streamId: 1, headers: [['streamtype', 'error']], fin: false, priority: 0 },
      { streamId: 3, headers: [['streamtype', 'stdout']], fin: false, priority: 0 },
    ],
  );
});

it('inflates the golden SYN_REPLY, which has no headers', () => {
  const replies: HeaderFrame[] = [];
  const decoder = new FrameDecoder({ ...ignoreAll, synReply: (frame) => replies.push(frame) }, defaultLimits);
  decoder.push(Buffer.from(golden.synReply, 'hex'));
  assert.deepEqual(replies, [{ streamId: 1, fin: false, headers: new Map() }]);
});

it('encodes frames without headers byte for byte like a Go peer', () => {
  assert.equal(hex(encodePing(1)), golden.ping);
  assert.equal(hex(encodeGoAway(0, 0)), golden.goAway);
  assert.equal(hex(encodeRstStream(1, 5)), golden.rstStream);
  assert.equal(hex(encodeData(1, new Uint8Array(0), true)), golden.halfClose);
});

it('encodes the plain header block byte for byte like a Go peer, with names in lower case', () => {
  assert.equal(hex(encodeHeaderBlock({ streamType: 'error' }, defaultLimits)), golden.plainBlock);
});

it('writes blocks that zlib inflates with the dictionary in one context', async () => {
  const encoder = new HeaderFrameEncoder(defaultLimits);
  const blocks: Buffer[] = [];
  for (let index = 0; index < 500; index++) {
    const frame = encoder.synStream({
      streamId: index * 2 + 1,
      headers: { streamType: index % 2 ? 'data' : 'error', port: String(index), requestId: String(index) },
      fin: false,
    });
    assert.equal(frame.subarray(-4).toString('hex'), '0000ffff', 'each block ends with a sync flush');
    blocks.push(frame.subarray(18));
  }
  const inflate = createInflate({ dictionary: headerDictionary, finishFlush: constants.Z_SYNC_FLUSH });
  inflate.end(Buffer.concat(blocks));
  const plain = Buffer.concat(await inflate.toArray());
  const expected = blocks.map((_, index) =>
    encodeHeaderBlock(
      { streamType: index % 2 ? 'data' : 'error', port: String(index), requestId: String(index) },
      defaultLimits,
    ),
  );
  assert.ok(plain.equals(Buffer.concat(expected)));
});

it('refuses a zlib stream with another dictionary, or that has ended', () => {
  const wrongDictionary = Buffer.from('78f911111111', 'hex');
  const refused = { name: 'SpdyError', code: 'protocol' };
  assert.throws(() => new HeaderInflater(1024).inflate(wrongDictionary), refused);
  assert.throws(() => new HeaderInflater(1024).inflate(Buffer.from('not zlib at all')), refused);
});

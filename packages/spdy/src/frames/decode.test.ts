import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deflateSync, constants as zlib } from 'node:zlib';
import fc from 'fast-check';
import { defaultLimits } from '../limits.ts';
import { FrameDecoder } from './decode.ts';
import { headerDictionary } from './dictionary.ts';
import { encodeData, encodeGoAway, encodePing, encodeRstStream, HeaderFrameEncoder } from './encode.ts';
import type { FrameHandler } from './frame.ts';

/** Writes down what it is told; adjoining pieces of one stream's data are joined. */
function scribe(): { handler: FrameHandler; lines: string[] } {
  const lines: string[] = [];
  let open: { streamId: number; data: Buffer[] } | undefined;
  const note = (line: string) => {
    if (open) lines.push(`data ${open.streamId} ${Buffer.concat(open.data).toString('hex')}`);
    open = undefined;
    lines.push(line);
  };
  return {
    lines,
    handler: {
      synStream: (frame) => note(`syn ${JSON.stringify({ ...frame, headers: [...frame.headers] })}`),
      synReply: (frame) => note(`reply ${JSON.stringify({ ...frame, headers: [...frame.headers] })}`),
      headers: (frame) => note(`headers ${frame.streamId}`),
      rstStream: (streamId, status) => note(`rst ${streamId} ${status}`),
      ping: (id) => note(`ping ${id}`),
      goAway: (last, status) => note(`goaway ${last} ${status}`),
      data(streamId, piece, fin) {
        if (open && open.streamId !== streamId) note('switch');
        open ??= { streamId, data: [] };
        open.data.push(Buffer.from(piece));
        if (fin) note(`fin ${streamId}`);
      },
    },
  };
}

type FramePlan =
  | { kind: 'syn' | 'reply'; id: number; headers: Record<string, string>; fin: boolean }
  | { kind: 'data'; id: number; payload: Uint8Array; fin: boolean }
  | { kind: 'ping' | 'rst' | 'goaway'; id: number };

const id = fc.integer({ min: 1, max: 0x7fff_ffff });
const headers = fc.dictionary(fc.stringMatching(/^[a-z][a-z0-9-]{0,20}x$/), fc.string({ maxLength: 60 }), {
  maxKeys: 5,
});
const framePlan: fc.Arbitrary<FramePlan> = fc.oneof(
  fc.record({ kind: fc.constantFrom('syn' as const, 'reply' as const), id, headers, fin: fc.boolean() }),
  fc.record({
    kind: fc.constant('data' as const),
    id,
    payload: fc.uint8Array({ maxLength: 300 }),
    fin: fc.boolean(),
  }),
  fc.record({ kind: fc.constantFrom('ping' as const, 'rst' as const, 'goaway' as const), id }),
);

function encodePlan(plans: FramePlan[]): Buffer {
  const encoder = new HeaderFrameEncoder(defaultLimits);
  return Buffer.concat(
    plans.map((plan) => {
      if (plan.kind === 'syn') return encoder.synStream({ ...plan, streamId: plan.id });
      if (plan.kind === 'reply') return encoder.synReply({ ...plan, streamId: plan.id });
      if (plan.kind === 'data') return encodeData(plan.id, plan.payload, plan.fin);
      if (plan.kind === 'ping') return encodePing(plan.id);
      return plan.kind === 'rst' ? encodeRstStream(plan.id, 5) : encodeGoAway(plan.id, 0);
    }),
  );
}

function decodeInPieces(bytes: Buffer, cuts: number[]): string[] {
  const { handler, lines } = scribe();
  const decoder = new FrameDecoder(handler, defaultLimits);
  const borders = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  let from = 0;
  for (const border of [...borders, bytes.length]) {
    decoder.push(bytes.subarray(from, border));
    from = border;
  }
  decoder.push(encodePing(1)); // flushes the scribe
  return lines;
}

describe('101. frames cut at every byte border parse', () => {
  it('decodes the same at any split', () => {
    fc.assert(
      fc.property(
        fc.array(framePlan, { maxLength: 12 }),
        fc.array(fc.nat(), { maxLength: 20 }),
        (plans, cuts) => {
          const bytes = encodePlan(plans);
          assert.deepEqual(decodeInPieces(bytes, cuts), decodeInPieces(bytes, []));
        },
      ),
      { numRuns: 400 },
    );
  });

  it('decodes the same byte by byte', () => {
    const bytes = encodePlan([
      { kind: 'syn', id: 1, headers: { streamtype: 'error' }, fin: false },
      { kind: 'data', id: 1, payload: Buffer.from('hello'), fin: false },
      { kind: 'data', id: 1, payload: new Uint8Array(0), fin: true },
      { kind: 'goaway', id: 1 },
    ]);
    const cuts = Array.from(bytes, (_, index) => index);
    const lines = decodeInPieces(bytes, cuts);
    assert.deepEqual(lines, decodeInPieces(bytes, []));
    assert.ok(lines.includes('data 1 68656c6c6f'));
  });
});

describe('14. oversize is refused without large allocation', () => {
  const refuse = (bytes: Buffer, code: string) => {
    const decoder = new FrameDecoder(scribe().handler, defaultLimits);
    const before = process.memoryUsage().arrayBuffers;
    assert.throws(() => decoder.push(bytes), { name: 'SpdyError', code });
    const grown = process.memoryUsage().arrayBuffers - before;
    assert.ok(grown < 1024 * 1024, `${grown} bytes were allocated`);
  };
  const control = (type: number, payload: Buffer, length = payload.length) => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(0x8003_0000 + type, 0);
    head.writeUInt32BE(length, 4);
    return Buffer.concat([head, payload]);
  };
  /** A SYN_STREAM around a plain block of our making. */
  const synStream = (plain: Buffer) => {
    const block = deflateSync(plain, { dictionary: headerDictionary, finishFlush: zlib.Z_SYNC_FLUSH });
    return control(1, Buffer.concat([Buffer.from('00000001000000000000', 'hex'), block]));
  };
  const uint32 = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return bytes;
  };

  it('a control frame that says 16 MiB, at its header', () => {
    refuse(control(1, Buffer.alloc(0), 0xff_ffff), 'limit-exceeded');
  });
  it('a SETTINGS count that its frame cannot hold (CVE-2026-35469)', () => {
    refuse(control(4, Buffer.from('0fffffff', 'hex')), 'protocol');
  });
  it('a header count of four thousand million (CVE-2026-35469)', () => {
    refuse(synStream(uint32(0xffff_ffff)), 'limit-exceeded');
  });
  it('a header name or value that says 2 GiB (CVE-2026-35469)', () => {
    refuse(synStream(Buffer.concat([uint32(1), uint32(0x7fff_ffff)])), 'limit-exceeded');
    const named = Buffer.concat([uint32(1), uint32(1), Buffer.from('a')]);
    refuse(synStream(Buffer.concat([named, uint32(0x7fff_ffff)])), 'limit-exceeded');
  });
  it('a block of a few hundred bytes that unpacks to a megabyte', () => {
    refuse(synStream(Buffer.concat([uint32(1), Buffer.alloc(1024 * 1024)])), 'limit-exceeded');
  });
});

it('14. passes a data frame of 16 MiB-1 on in pieces, without keeping it', () => {
  let bytes = 0;
  let largest = 0;
  const decoder = new FrameDecoder(
    {
      ...scribe().handler,
      data(_streamId, piece, fin) {
        bytes += piece.length;
        largest = Math.max(largest, piece.length);
        assert.equal(fin, bytes === 0xff_ffff);
      },
    },
    defaultLimits,
  );
  decoder.push(Buffer.from('0000000101ffffff', 'hex'));
  const chunk = Buffer.alloc(65_536);
  for (let left = 0xff_ffff; left > 0; left -= chunk.length)
    decoder.push(chunk.subarray(0, Math.min(left, 65_536)));
  assert.equal(bytes, 0xff_ffff);
  assert.equal(largest, 65_536);
});

it('hands payload on as a view of what came in', () => {
  const frame = encodeData(1, Buffer.from('payload'), false);
  const views: Uint8Array[] = [];
  const decoder = new FrameDecoder(
    { ...scribe().handler, data: (_id, piece) => views.push(piece) },
    defaultLimits,
  );
  decoder.push(frame);
  assert.equal(views[0]?.buffer, frame.buffer);
});

describe('frames that end the connection', () => {
  const fatal: [what: string, frame: string][] = [
    ['12. an unknown control type', '800300050000000400000000'],
    ['12. a CREDENTIAL frame', '8003000a0000000400000000'],
    ['data of stream 0', '0000000000000001 61'],
    ['a reset of stream 0', '80030003000000080000000000000005'],
    ['a reset with status 0', '80030003000000080000000100000000'],
    ['a ping with id 0', '800300060000000400000000'],
    ['a ping with flags', '800300060100000400000001'],
    ['a GOAWAY of seven bytes', '80030007000000070000000000000000'],
    ['a GOAWAY with flags', '80030007010000080000000000000000'],
    ['a WINDOW_UPDATE of nine bytes', '8003000900000009000000010000000100'],
    ['a SYN_STREAM too short for its ids', '8003000100000004 00000001'],
  ];
  for (const [what, frame] of fatal) {
    it(what, () => {
      const { handler, lines } = scribe();
      const decoder = new FrameDecoder(handler, defaultLimits);
      const bytes = Buffer.from(frame.replaceAll(' ', ''), 'hex');
      assert.throws(() => decoder.push(bytes), { name: 'SpdyError', code: 'protocol' });
      decoder.push(encodePing(1));
      assert.deepEqual(lines, [], 'nothing is read after a fatal frame');
    });
  }

  const badNames: [what: string, name: string][] = [
    ['an upper-case letter in a header name', 'streamType'],
    ['a hop-by-hop header', 'connection'],
    ['a host header', 'host'],
  ];
  for (const [what, name] of badNames) {
    it(what, () => {
      const plain = Buffer.concat([
        Buffer.from([0, 0, 0, 1, 0, 0, 0, name.length]),
        Buffer.from(name),
        Buffer.from([0, 0, 0, 1, 0x61]),
      ]);
      const block = deflateSync(plain, { dictionary: headerDictionary, finishFlush: zlib.Z_SYNC_FLUSH });
      const head = Buffer.from('800300010000000000000001000000000000', 'hex');
      head.writeUInt32BE(10 + block.length, 4);
      const decoder = new FrameDecoder(scribe().handler, defaultLimits);
      assert.throws(() => decoder.push(Buffer.concat([head, block])), {
        name: 'SpdyError',
        code: 'protocol',
      });
    });
  }
});

it('takes the first of several values', () => {
  const encoder = new HeaderFrameEncoder(defaultLimits);
  const { handler, lines } = scribe();
  new FrameDecoder(handler, defaultLimits).push(
    encoder.synStream({ streamId: 1, headers: { port: '80\u0000443' }, fin: false }),
  );
  assert.match(lines[0] ?? '', /\["port","80"\]/);
});

it('refuses to send a header that would end the connection, and stays usable', () => {
  const encoder = new HeaderFrameEncoder(defaultLimits);
  const fields = { streamId: 1, fin: false };
  for (const name of ['Connection', 'HOST', 'keep-alive', '']) {
    assert.throws(() => encoder.synStream({ ...fields, headers: { [name]: 'x' } }), {
      code: 'invalid-header',
    });
  }
  const { handler, lines } = scribe();
  new FrameDecoder(handler, defaultLimits).push(encoder.synStream({ ...fields, headers: { port: '1' } }));
  assert.equal(lines.length, 1);
});

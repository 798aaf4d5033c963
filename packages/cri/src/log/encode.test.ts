import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { encodeEntries } from './encode.ts';
import { logTimestamp } from './time.ts';

const timestamp = '2026-01-31T12:00:00.123456000Z';

/** Formats content that comes in the given pieces, as a pump does: what is not consumed stays in front of the next. */
function entriesOf(pieces: Buffer[]): { tag: string; content: string }[] {
  const output = Buffer.alloc(1024 * 1024);
  let text = '';
  let rest = Buffer.alloc(0);
  const step = (flush: boolean) => {
    while (true) {
      const { entryBytes, consumedBytes, full } = encodeEntries(rest, output, {
        stream: 'stdout',
        timestamp,
        flush,
      });
      text += output.toString('latin1', 0, entryBytes);
      rest = rest.subarray(consumedBytes);
      if (!full) return;
    }
  };
  for (const piece of pieces) {
    rest = Buffer.concat([rest, piece]);
    step(false);
  }
  step(true);
  assert.equal(rest.byteLength, 0);
  return [...text.matchAll(/^(\S+) stdout ([PF]) ([^\n]*)\n/gm)].map(([, time, tag = '', content = '']) => {
    assert.equal(time, timestamp);
    return { tag, content };
  });
}

const lengths = (text: string) =>
  entriesOf([Buffer.from(text, 'latin1')]).map(({ tag, content }) => `${tag}${content.length}`);

test('lines are cut after exactly 16384 bytes, and a line of that length is one entry', () => {
  const cases: [number, string[]][] = [
    [0, ['F0']],
    [16_383, ['F16383']],
    [16_384, ['F16384']],
    [16_385, ['P16384', 'F1']],
    [40_000, ['P16384', 'P16384', 'F7232']],
  ];
  for (const [length, expected] of cases) {
    assert.deepEqual(lengths(`${'x'.repeat(length)}\n`), expected);
    assert.deepEqual(lengths(`${'x'.repeat(length)}\r\n`), expected);
  }
});

test('a last line without newline becomes P, and nothing becomes nothing', () => {
  assert.deepEqual(lengths('a\nlast'), ['F1', 'P4']);
  assert.deepEqual(lengths('a\n'), ['F1']);
  assert.deepEqual(lengths(''), []);
});

test('bytes that are no text pass unchanged', () => {
  assert.deepEqual(lengths('\xff\xfe\0\n'), ['F3']);
});

test('however the output was split, the entries are the same', () => {
  const text = fc
    .array(
      fc.oneof(
        fc.constantFrom('\n', '\r\n', '\r', 'x'.repeat(16_383), 'y'.repeat(16_385)),
        fc.string({ maxLength: 30 }),
      ),
      {
        maxLength: 12,
      },
    )
    .map((parts) => Buffer.from(parts.join(''), 'latin1'));
  fc.assert(
    fc.property(text, fc.array(fc.nat(60_000), { maxLength: 6 }), (bytes, cuts) => {
      const borders = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
      const pieces = borders.slice(1).map((end, index) => bytes.subarray(borders[index], end));
      assert.deepEqual(entriesOf(pieces), entriesOf([bytes]));
    }),
    { numRuns: 200 },
  );
});

test('a buffer too small for all entries is filled, and the rest comes with the next', () => {
  const content = Buffer.from('line\n'.repeat(40_000));
  const { full, consumedBytes } = encodeEntries(content, Buffer.alloc(100_000), {
    stream: 'stderr',
    timestamp,
    flush: false,
  });
  assert.equal(full, true);
  assert.ok(consumedBytes > 0 && consumedBytes < content.length && consumedBytes % 5 === 0);
});

test('a timestamp has nine digits and keeps the microseconds', () => {
  assert.match(logTimestamp(1_700_000_000_123.456), /^2023-11-14T22:13:20\.12345[56]000Z$/);
});

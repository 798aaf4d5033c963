import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  encodeEntries,
  encodeEntry,
  LogEntry,
  type LogStream,
  logContentBytesMax,
  logTimestamp,
} from './index.ts';

const newline = 10;

/** One write of a container: its bytes, on one of its outputs. */
interface Write {
  stream: LogStream;
  bytes: Buffer;
}

/** The log of a container with these writes, as a monitor makes it: what is not consumed stands before the next. */
function logOf(writes: readonly Write[]): Buffer {
  const rest: Record<LogStream, Buffer> = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) };
  const log: Buffer[] = [];
  const encode = (stream: LogStream, flush: boolean) => {
    const output = Buffer.alloc(64 * 1024);
    const timestamp = logTimestamp(1_700_000_000_000 + log.length);
    const { entryBytes, consumedBytes, full } = encodeEntries(rest[stream], output, {
      stream,
      timestamp,
      flush,
    });
    log.push(output.subarray(0, entryBytes));
    rest[stream] = rest[stream].subarray(consumedBytes);
    if (full) encode(stream, flush);
  };
  for (const { stream, bytes } of writes) {
    rest[stream] = Buffer.concat([rest[stream], bytes]);
    encode(stream, false);
  }
  encode('stdout', true);
  encode('stderr', true);
  return Buffer.concat(log);
}

/** What a log says that an output was; every entry must be one, and no longer than is allowed. */
function outputOf(log: Buffer, stream: LogStream): string {
  const entry = new LogEntry();
  let text = '';
  for (let start = 0; start < log.length; ) {
    const end = log.indexOf(newline, start);
    assert.ok(entry.read(log, start, end), log.toString('latin1', start, end));
    assert.ok(end - entry.contentStart <= logContentBytesMax);
    if (entry.stream === stream)
      text += log.toString('latin1', entry.contentStart, end) + (entry.isPartial ? '' : '\n');
    start = end + 1;
  }
  return text;
}

test('what was written is what is read, whatever it is and however it was split', () => {
  const piece = fc.oneof(
    fc.string({ maxLength: 40, unit: 'binary' }),
    fc.constantFrom('\n', '\n\n', 'F ', ' stdout P ', 'x'.repeat(logContentBytesMax), 'y'.repeat(40_000)),
  );
  const write = fc.record({
    stream: fc.constantFrom<LogStream>('stdout', 'stderr'),
    bytes: piece.map((text) => Buffer.from(text.replaceAll('\r', ''))),
  });
  fc.assert(
    fc.property(fc.array(write, { maxLength: 12 }), (writes) => {
      const log = logOf(writes);
      for (const stream of ['stdout', 'stderr'] as const) {
        const written = writes.filter((one) => one.stream === stream).map(({ bytes }) => bytes);
        assert.equal(outputOf(log, stream), Buffer.concat(written).toString('latin1'));
      }
    }),
    { numRuns: 200 },
  );
});

test('a line of one’s own is read back, with its time', () => {
  const timestamp = logTimestamp(1_700_000_000_000);
  const log = encodeEntry(timestamp, 'stderr', 'some words');
  const entry = new LogEntry();
  assert.ok(entry.read(log, 0, log.length - 1));
  assert.equal(log.toString('latin1', 0, entry.timeEnd), timestamp);
  assert.deepEqual([entry.stream, entry.isPartial], ['stderr', false]);
  assert.equal(log.toString('latin1', entry.contentStart), 'some words\n');
});

test('what is no entry is refused', () => {
  for (const text of [
    '',
    'garbage',
    '2026-01-01T00:00:00Z',
    '2026-01-01T00:00:00Z stdout',
    '2026-01-01T00:00:00Z other  F x',
  ])
    assert.ok(!new LogEntry().read(Buffer.from(text), 0, text.length), text);
});

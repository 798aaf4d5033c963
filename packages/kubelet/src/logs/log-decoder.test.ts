import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LogDecoder, type LogFilter } from './log-decoder.ts';

const time = (second: number) => `2026-01-01T00:00:0${second}.5Z`;
const log = [
  `${time(1)} stdout F one`,
  `${time(2)} stderr F two`,
  `${time(3)} stdout P thr`,
  `${time(3)} stdout P e`,
  `${time(4)} stdout F e`,
  `2026-01-01T02:00:05.123456789+02:00 stdout F:x five s`,
  'garbage',
  `${time(6)} stdout F `,
  `${time(7)} stdout F ${'long '.repeat(40)}`,
  '',
].join('\n');
const longLine = 'long '.repeat(40);

function decode(filter: Partial<LogFilter>, text = log): string {
  const decoder = new LogDecoder({ timestamps: false, ...filter });
  return Buffer.from(decoder.decode(Buffer.from(text)).output).toString();
}

test('entries become lines, and pieces are joined', () => {
  assert.equal(decode({}), `one\ntwo\nthree\nfive s\n\n${longLine}\n`);
});

test('times have nine digits and stand once per line', () => {
  const lines = decode({ timestamps: true }).split('\n');
  assert.deepEqual(lines.slice(0, 4), [
    '2026-01-01T00:00:01.500000000Z one',
    '2026-01-01T00:00:02.500000000Z two',
    '2026-01-01T00:00:03.500000000Z three',
    '2026-01-01T02:00:05.123456789+02:00 five s',
  ]);
});

test('one stream can be shown alone', () => {
  assert.equal(decode({ stream: 'stderr' }), 'two\n');
});

test('entries before a time are left out, those at it are not', () => {
  assert.equal(decode({ since: '2026-01-01T00:00:04.5Z' }), `e\nfive s\n\n${longLine}\n`);
  assert.equal(decode({ since: '2026-01-01T01:00:04.500000001+01:00' }), `five s\n\n${longLine}\n`);
});

test('a line with a time that is none does not end a log that is read from a time on, and is left out', () => {
  const torn = `${'?'.repeat(24)} stdout F torn`;
  const text = `${time(1)} stdout F one\n${torn}\n${time(2)} stdout F two\n`;
  assert.equal(decode({ since: time(1) }, text), 'one\ntwo\n');
  assert.equal(decode({}, text), 'one\ntwo\n');
});

test('a limit cuts in the middle of a line', () => {
  assert.equal(decode({ limitBytes: 6 }), 'one\ntw');
});

test('a number of entries can be asked for; pieces count', () => {
  assert.equal(decode({ entriesMax: 4 }), 'one\ntwo\nthre');
});

for (const timestamps of [false, true]) {
  test(`any split of the file gives the same output, ${timestamps ? 'with' : 'without'} times`, () => {
    const whole = decode({ timestamps });
    for (let split = 0; split <= log.length; split += 1) {
      const decoder = new LogDecoder({ timestamps });
      const first = Buffer.from(log.slice(0, split));
      const { output, consumed } = decoder.decode(first);
      const shown = Buffer.from(output).toString();
      const rest = Buffer.concat([first.subarray(consumed), Buffer.from(log.slice(split))]);
      assert.equal(shown + Buffer.from(decoder.decode(rest).output).toString(), whole);
    }
  });
}

test('entries that grow by their times stay whole, however many stand in a block', () => {
  const count = 8_000;
  const text = Array.from({ length: count }, (_, index) => `2026-01-01T00:00:01Z stdout F ${index % 10}\n`);
  const lines = decode({ timestamps: true }, text.join('')).split('\n');
  assert.equal(lines.length, count + 1);
  for (const [index, line] of lines.slice(0, count).entries()) {
    assert.equal(line, `2026-01-01T00:00:01.000000000Z ${index % 10}`);
  }
});

test('a log as the monitor writes it is shown byte by byte, with and without times', () => {
  const lines = Array.from({ length: 2_000 }, (_, index) => `${index} ${'text '.repeat(index % 90)}`);
  const stamp = (index: number) => `2026-01-01T00:00:00.${String(index).padStart(9, '0')}Z`;
  const text = lines.map((line, index) => `${stamp(index)} stdout F ${line}\n`).join('');
  assert.equal(decode({}, text), `${lines.join('\n')}\n`);
  const timed = lines.map((line, index) => `${stamp(index)} ${line}\n`).join('');
  assert.equal(decode({ timestamps: true }, text), timed);
});

test('lines that are no entries are counted and left out', () => {
  const decoder = new LogDecoder({ timestamps: false });
  decoder.decode(Buffer.from(log));
  assert.equal(decoder.malformed, 1);
});

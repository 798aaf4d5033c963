import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { conformScalar } from '../schema/scalar.ts';
import { formatDurationMs, parseDurationMs } from './duration.ts';
import { canonicalMicroTime, canonicalTime, microTimeFromMs, timeFromMs } from './time.ts';

describe('times', () => {
  it('are written in UTC, to the second', () => {
    assert.equal(canonicalTime('2024-03-01T01:30:00+02:00'), '2024-02-29T23:30:00Z');
    assert.equal(canonicalTime('2024-03-01T01:30:00.999Z'), '2024-03-01T01:30:00Z');
    assert.equal(canonicalTime('0001-01-01T00:00:00Z'), '0001-01-01T00:00:00Z');
  });

  it('keep microseconds where the type does', () => {
    assert.equal(canonicalMicroTime('2024-03-01T01:30:00.123456+01:00'), '2024-03-01T00:30:00.123456Z');
    for (const text of ['2024-03-01T01:30:00Z', '2024-03-01T01:30:00.5Z', '2024-03-01T01:30:00.1234567Z'])
      assert.equal(canonicalMicroTime(text), undefined, text);
    assert.equal(microTimeFromMs(1500.25), '1970-01-01T00:00:01.500250Z');
    assert.equal(timeFromMs(1999), '1970-01-01T00:00:01Z');
  });

  it('say which digits behind the second are not as many as there must be', () => {
    for (const [text, problem] of [
      ['2024-03-01T01:30:00Z', '"Z" as ".000000"'],
      ['2024-03-01T01:30:00.5+01:00', '".5+01:00" as ".000000"'],
      ['2024-03-01T01:30:00.1234567Z', '"7Z" as "Z07:00"'],
    ] as const) {
      const complaint = `parsing time "${text}" as "2006-01-02T15:04:05.000000Z07:00": cannot parse ${problem}`;
      assert.deepEqual(conformScalar(text, 'MicroTime'), { complaint });
    }
  });

  it('have an hour of one digit or two, and a zone no further than a day away', () => {
    assert.equal(canonicalTime('2024-03-01T5:00:00+24:00'), '2024-02-29T05:00:00Z');
    assert.equal(canonicalTime('2024-03-01T05:00:00+25:00'), undefined);
  });

  for (const text of [
    '',
    'now',
    '2024-02-30T00:00:00Z',
    '2024-01-01T24:00:00Z',
    '2024-01-01',
    '2024-01-01T00:00:00',
  ]) {
    it(`refuses "${text}"`, () => assert.equal(canonicalTime(text), undefined));
  }
});

describe('durations', () => {
  const texts: [text: string, ms: number, printed: string][] = [
    ['1h30m', 5_400_000, '1h30m0s'],
    ['250ms', 250, '250ms'],
    ['1.5s', 1500, '1.5s'],
    ['0', 0, '0s'],
    ['-1m', -60_000, '-1m0s'],
    ['10us', 0.01, '10µs'],
    ['7h1.5ns', 25_200_000.000001, '7h0m0.000000001s'],
    ['.5ns', 0, '0s'],
  ];
  for (const [text, ms, printed] of texts) {
    it(`reads ${text} and prints ${printed}`, () => {
      assert.equal(parseDurationMs(text), ms);
      assert.equal(formatDurationMs(ms), printed);
    });
  }

  const refused: [text: string, why: string][] = [
    ['', 'invalid duration ""'],
    ['s', 'invalid duration "s"'],
    ['-.s', 'invalid duration "-.s"'],
    ['1', 'missing unit in duration "1"'],
    ['1 s', 'unknown unit " s" in duration "1 s"'],
    ['1h5x', 'unknown unit "x" in duration "1h5x"'],
    ['1h-5m', 'unknown unit "h-" in duration "1h-5m"'],
    ['2562048h', 'invalid duration "2562048h"'],
    ['99999999999999999999d', 'invalid duration "99999999999999999999d"'],
    ['1é', String.raw`unknown unit "\xc3\xa9" in duration "1\xc3\xa9"`],
  ];
  for (const [text, why] of refused) {
    it(`refuses "${text}"`, () => assert.throws(() => parseDurationMs(text), { message: `time: ${why}` }));
  }
});

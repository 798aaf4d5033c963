import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareTimestamps, LogPosition } from './log-resume.ts';

const line = (stamp: string, text: string) => `2026-01-02T03:04:${stamp}Z ${text}\n`;
const log = [
  line('05.1', 'one'),
  line('05.1', 'two, same time'),
  line('05.123456789', ''),
  line('06.5', 'three'),
  line('06.5', 'four'),
  line('07.000000001', 'five'),
].join('');
const plain = log.replaceAll(/^\S+ /gm, '');

const read = (position: LogPosition, bytes: Uint8Array) =>
  Buffer.concat([...position.advance(bytes)]).toString();

test('timestamps are left out, or kept when asked for', () => {
  assert.equal(read(new LogPosition(false), Buffer.from(log)), plain);
  assert.equal(read(new LogPosition(true), Buffer.from(log)), log);
});

test('a log cut at any byte and fetched again from its whole second continues at the next byte', () => {
  for (const keepTimestamps of [false, true]) {
    for (let cut = 0; cut <= log.length; cut += 1) {
      const position = new LogPosition(keepTimestamps);
      const before = read(position, Buffer.from(log.slice(0, cut)));
      // The API keeps whole seconds of sinceTime, so the answer begins at the start of that second.
      const second = position.sinceTime?.slice(0, 19) ?? '';
      const again = log.slice(log.indexOf(second));
      position.resume();
      assert.equal(
        before + read(position, Buffer.from(again)),
        keepTimestamps ? log : plain,
        `cut at ${cut}`,
      );
    }
  }
});

test('any number of cuts and any split of the bytes give the same log', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(log.length), { maxLength: 4 }),
      fc.integer({ min: 1, max: 7 }),
      (cuts, size) => {
        const position = new LogPosition(false);
        let seen = '';
        const fetchUntil = (end: number) => {
          const from = position.sinceTime ? log.indexOf(position.sinceTime.slice(0, 19)) : 0;
          for (let at = from; at < end; at += size) {
            seen += read(position, Buffer.from(log.slice(at, Math.min(at + size, end))));
          }
        };
        for (const cut of cuts) {
          fetchUntil(cut);
          position.resume();
        }
        fetchUntil(log.length);
        assert.equal(seen, plain);
      },
    ),
  );
});

test('after a cut the end of a log is not told again, nor what was written with it', () => {
  const burst = ['a', 'b', 'c', 'd'].map((text) => line('05.5', text)).join('');
  const later = line('06.1', 'e') + line('06.1', 'f');
  const position = new LogPosition(false, 2);
  assert.equal(read(position, Buffer.from(line('05.5', 'c') + line('05.5', 'd'))), 'c\nd\n');
  for (const round of [1, 2]) {
    position.resume();
    assert.equal(read(position, Buffer.from(burst)), '', `round ${round}`);
  }
  position.resume();
  assert.equal(read(position, Buffer.from(burst + line('06.1', 'e'))), 'e\n');
  position.resume();
  assert.equal(read(position, Buffer.from(later)), 'f\n');
});

test('a log that has fewer lines than were asked for goes on where it was cut', () => {
  const position = new LogPosition(false, 9);
  assert.equal(read(position, Buffer.from(line('05.5', 'a'))), 'a\n');
  position.resume();
  assert.equal(read(position, Buffer.from(line('05.5', 'a') + line('05.5', 'b'))), 'b\n');
});

test('timestamps are ordered by nanosecond and across zones', () => {
  assert.ok(compareTimestamps('2026-01-01T00:00:00.1Z', '2026-01-01T00:00:00.09Z') > 0);
  assert.ok(compareTimestamps('2026-01-01T00:00:00.000000001Z', '2026-01-01T00:00:00Z') > 0);
  assert.equal(compareTimestamps('2026-01-01T01:00:00+01:00', '2026-01-01T00:00:00Z'), 0);
});

test('what a server says of its own troubles is shown as it is, and no place to go on at', () => {
  const position = new LogPosition(false);
  const shown = (text: string) => Buffer.concat([...position.advance(Buffer.from(text))]).toString();
  assert.equal(
    shown('2026-01-01T00:00:01.000000000Z one\n2026-01-01T00:00:02.000000000Z two\n'),
    'one\ntwo\n',
  );
  assert.equal(shown('rpc error: the runtime is away'), 'rpc error: the runtime is away');
  assert.equal(position.sinceTime, '2026-01-01T00:00:02.000000000Z');
  position.resume();
  assert.equal(
    shown('2026-01-01T00:00:02.000000000Z two\n2026-01-01T00:00:02.000000000Z three\n'),
    'three\n',
  );
});

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { clockTime, plainTime } from './times.ts';

const { TZ } = process.env;
after(() => {
  if (TZ === undefined) delete process.env['TZ'];
  else process.env['TZ'] = TZ;
});

const time = '2026-01-02T23:04:05Z';

test('times are told where the user is, a zone by its short name or by how far it is away', () => {
  for (const [zone, clock, plain] of [
    ['UTC', 'Fri, 02 Jan 2026 23:04:05 +0000', '2026-01-02 23:04:05 +0000 UTC'],
    ['Europe/Paris', 'Sat, 03 Jan 2026 00:04:05 +0100', '2026-01-03 00:04:05 +0100 CET'],
    ['Asia/Kolkata', 'Sat, 03 Jan 2026 04:34:05 +0530', '2026-01-03 04:34:05 +0530 IST'],
    ['America/New_York', 'Fri, 02 Jan 2026 18:04:05 -0500', '2026-01-02 18:04:05 -0500 EST'],
    ['America/Sao_Paulo', 'Fri, 02 Jan 2026 20:04:05 -0300', '2026-01-02 20:04:05 -0300 -03'],
    ['Asia/Tokyo', 'Sat, 03 Jan 2026 08:04:05 +0900', '2026-01-03 08:04:05 +0900 JST'],
  ] as const) {
    process.env['TZ'] = zone;
    assert.deepEqual([clockTime(time), plainTime(time)], [clock, plain], zone);
  }
});

test('no time is the first of all years', () => {
  assert.deepEqual(
    [clockTime(undefined), plainTime(undefined)],
    [...['Mon, 01 Jan 0001 00:00:00 +0000', '0001-01-01 00:00:00 +0000 UTC']],
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { ProgressBar } from './progress-bar.ts';

const mebibyte = 1024 * 1024;

function barAt(isTTY: boolean) {
  const written: string[] = [];
  const target = { isTTY, columns: 100, write: (text: string) => written.push(text) };
  const clock = new FakeClock();
  return { written, clock, bar: new ProgressBar('loading app.tar', { target, clock }) };
}

test('at a terminal one line has share, bytes, rate and time left, and is erased at the end', () => {
  const { written, clock, bar } = barAt(true);
  clock.advance(1_000);
  bar.show(10 * mebibyte, 100 * mebibyte);
  bar[Symbol.dispose]();
  clock.advance(1_000);
  bar.show(20 * mebibyte, 100 * mebibyte);
  assert.deepEqual(written, [
    `\r\x1b[Kloading app.tar  [==${' '.repeat(22)}] 10%  10.0 MiB of 100.0 MiB  10.0 MiB/s  9 s left`,
    '\r\x1b[K',
  ]);
});

test('a line is never longer than the terminal, and is drawn ten times a second at most', () => {
  const { written, clock, bar } = barAt(true);
  for (let index = 0; index < 1000; index += 1) {
    clock.advance(1);
    bar.show(index, 1000, 'a name that is much longer than a terminal is wide '.repeat(3));
  }
  assert.ok(written.length <= 11, `${written.length}`);
  for (const line of written) assert.ok(line.length < 100 + '\r\x1b[K'.length);
});

test('without a terminal short work says nothing, and long work a plain line now and then', () => {
  const { written, clock, bar } = barAt(false);
  for (let second = 1; second <= 13; second += 1) {
    clock.advance(1_000);
    bar.show(second * mebibyte);
  }
  bar[Symbol.dispose]();
  assert.deepEqual(written, [
    'loading app.tar  2.00 MiB  1.00 MiB/s\n',
    'loading app.tar  7.00 MiB  1.00 MiB/s\n',
    'loading app.tar  12.0 MiB  1.00 MiB/s\n',
  ]);
});

test('the rate is that of the last seconds', () => {
  const { written, clock, bar } = barAt(false);
  for (const [seconds, bytes] of [
    [10, 100],
    [20, 100],
    [10, 100],
  ] as const) {
    clock.advance(seconds * 1000);
    bar.show(bytes * mebibyte, 200 * mebibyte);
  }
  assert.match(written.at(-1) ?? '', /100\.0 MiB of 200\.0 MiB$/m);
});

test('what passes through is counted and stays as it is', async () => {
  const { written, clock, bar } = barAt(true);
  const chunks = [Buffer.from('one'), Buffer.from('two')];
  const passed: Uint8Array[] = [];
  for await (const chunk of bar.count(
    (async function* () {
      for (const chunk of chunks) {
        clock.advance(200);
        yield chunk;
      }
    })(),
    6,
  ))
    passed.push(chunk);
  assert.equal(Buffer.concat(passed).toString(), 'onetwo');
  assert.match(written.at(-1) ?? '', /100% {2}6 B of 6 B/);
});

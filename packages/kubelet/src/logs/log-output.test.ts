import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logEntryBytesMax } from '../limits.ts';
import { LogDecoder } from './log-decoder.ts';
import { LogOutput } from './log-output.ts';

const blockBytes = 1024 * 1024;
const entry = (text: string) => `2026-01-01T00:00:00.000000000Z stdout F ${text}\n`;

function start() {
  const shown: string[] = [];
  const output = new LogOutput(new LogDecoder({ timestamps: false }), async (bytes) => {
    shown.push(Buffer.from(bytes).toString('latin1'));
  });
  return { output, text: () => shown.join('') };
}

test('what is no log grows no memory: an entry that never ends is left out, and the next ones are shown', async () => {
  const { output, text } = start();
  await output.take(Buffer.from(entry('before')), 0);
  const before = process.memoryUsage().arrayBuffers;
  let peakBytes = 0;
  for (let at = 0; at < 256; at += 1) {
    await output.take(Buffer.alloc(blockBytes, 'x'), 0);
    peakBytes = Math.max(peakBytes, process.memoryUsage().arrayBuffers - before);
  }
  await output.take(Buffer.from(`end\n${entry('after')}`), 0);
  assert.equal(text(), 'before\nafter\n');
  assert.ok(peakBytes < 128 * blockBytes, `${peakBytes} bytes were held`);
});

test('an entry just below the bound is shown, wherever it is cut', async () => {
  const { output, text } = start();
  const long = 'y'.repeat(logEntryBytesMax - 100);
  const whole = Buffer.from(entry(long) + entry('after'));
  for (let at = 0; at < whole.length; at += 100_000)
    await output.take(Buffer.from(whole.subarray(at, at + 100_000)), 0);
  assert.ok(text() === `${long}\nafter\n`);
});

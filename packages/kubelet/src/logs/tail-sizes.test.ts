import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '@wherry/clock';
import { readContainerLog } from './read-log.ts';

/** Sizes around the block in which the search for the last lines goes back. */
const lineSizes = [0, 1, 1023, 1024, 1025];
const lineCount = 40;

async function tail(path: string, tailLines: number): Promise<string> {
  let shown = '';
  const write = async (bytes: Uint8Array) => {
    shown += Buffer.from(bytes).toString();
  };
  await readContainerLog(
    path,
    { follow: false, timestamps: false, tailLines },
    { clock: systemClock, isRunning: async () => false, write, signal: AbortSignal.timeout(10_000) },
  );
  return shown;
}

for (const size of lineSizes) {
  test(`84: the last lines of ${size} bytes each are found, for none, one, some, all and more than there are`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kubelet-tail-'));
    try {
      const path = join(folder, '0.log');
      const lines = Array.from({ length: lineCount }, (_, index) =>
        String(index).padStart(2, '0').repeat(size).slice(0, size),
      );
      await writeFile(
        path,
        lines.map((line) => `2026-01-01T00:00:00.000000000Z stdout F ${line}\n`).join(''),
      );
      for (const count of [0, 1, 2, lineCount - 1, lineCount, lineCount + 1]) {
        const wanted = count === 0 ? [] : lines.slice(-count);
        assert.equal(await tail(path, count), wanted.map((line) => `${line}\n`).join(''), `tail ${count}`);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });
}

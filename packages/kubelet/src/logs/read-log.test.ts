import assert from 'node:assert/strict';
import { appendFile, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { systemClock } from '@wherry/clock';
import { type LogOptions, readContainerLog } from './read-log.ts';

const line = (text: string) => `2026-01-01T00:00:00.000000000Z stdout F ${text}\n`;

async function withLog(run: (path: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'kubelet-log-'));
  try {
    await run(join(folder, '0.log'));
  } finally {
    await rm(folder, { recursive: true });
  }
}

interface Reading {
  text(): string;
  until(text: string): Promise<void>;
  done: Promise<void>;
}

function read(path: string, options: Partial<LogOptions>, isRunning = () => false): Reading {
  let shown = '';
  let check = () => {};
  const done = readContainerLog(
    path,
    { follow: false, timestamps: false, ...options },
    {
      clock: systemClock,
      isRunning: async () => isRunning(),
      write: async (bytes) => {
        shown += Buffer.from(bytes).toString();
        check();
      },
      signal: AbortSignal.timeout(10_000),
    },
  );
  const until = (text: string) =>
    new Promise<void>((resolve, reject) => {
      check = () => {
        if (shown.endsWith(text)) resolve();
      };
      check();
      done.catch(reject);
    });
  return { text: () => shown, until, done };
}

test('entries of any length go over the borders of the blocks that are read', () =>
  withLog(async (path) => {
    const texts = Array.from({ length: 60 }, (_, index) => `${index} `.repeat(index * 1_000));
    await writeFile(path, texts.map(line).join(''));
    const reading = read(path, {});
    await reading.done;
    assert.equal(reading.text(), `${texts.join('\n')}\n`);
  }));

test('the last lines are found, an unfinished one left out of the count', () =>
  withLog(async (path) => {
    const lines = Array.from({ length: 5_000 }, (_, index) => line(`n${index}`));
    await writeFile(path, `${lines.join('')}2026-01-01T00:00:00Z stdout F unfini`);
    const reading = read(path, { tailLines: 3 });
    await reading.done;
    assert.equal(reading.text(), 'n4997\nn4998\nn4999\n');
    const none = read(path, { tailLines: 0 });
    await none.done;
    assert.equal(none.text(), '');
  }));

test('a followed log shows what is written later and ends with its container', () =>
  withLog(async (path) => {
    await writeFile(path, line('one'));
    let runs = true;
    const reading = read(path, { follow: true }, () => runs);
    await reading.until('one\n');
    await appendFile(path, line('two'));
    await reading.until('two\n');
    await appendFile(path, line('three'));
    runs = false;
    await reading.done;
    assert.equal(reading.text(), 'one\ntwo\nthree\n');
  }));

test('a rotated log is read to its end before the new file', () =>
  withLog(async (path) => {
    await writeFile(path, line('one'));
    let runs = true;
    const reading = read(path, { follow: true }, () => runs);
    await reading.until('one\n');
    await rename(path, `${path}.20260101-000000`);
    await appendFile(`${path}.20260101-000000`, line('late'));
    await writeFile(path, line('new'));
    await reading.until('new\n');
    runs = false;
    await reading.done;
    assert.equal(reading.text(), 'one\nlate\nnew\n');
  }));

test('an entry that is written in two halves is shown once, whole', () =>
  withLog(async (path) => {
    await writeFile(path, `${line('one')}2026-01-01T00:00:00Z stdout F ha`);
    let runs = true;
    const reading = read(path, { follow: true }, () => runs);
    await reading.until('one\n');
    await appendFile(path, 'lf\n');
    await reading.until('half\n');
    runs = false;
    await reading.done;
    assert.equal(reading.text(), 'one\nhalf\n');
  }));

test('files that were rotated away are part of the log, compressed ones too', () =>
  withLog(async (path) => {
    await writeFile(`${path}.20260101-000000.gz`, gzipSync(line('oldest') + line('older')));
    await writeFile(`${path}.20260101-000100`, line('old'));
    await writeFile(`${path}.20260101-000200.tmp`, line('leftover'));
    await writeFile(path, line('new'));
    const shown = async (options: Partial<LogOptions>) => {
      const reading = read(path, options);
      await reading.done;
      return reading.text();
    };
    assert.equal(await shown({}), 'oldest\nolder\nold\nnew\n');
    assert.equal(await shown({ tailLines: 1 }), 'new\n');
    assert.equal(await shown({ tailLines: 2 }), 'old\nnew\n');
    assert.equal(await shown({ tailLines: 3 }), 'older\nold\nnew\n');
    assert.equal(await shown({ tailLines: 9 }), 'oldest\nolder\nold\nnew\n');
    assert.equal(await shown({ limitBytes: 8 }), 'oldest\no');
  }));

test('the last lines may begin inside a rotated file', () =>
  withLog(async (path) => {
    const lines = Array.from({ length: 5_000 }, (_, index) => line(`n${index}`));
    await writeFile(`${path}.20260101-000000`, line('before'));
    await writeFile(`${path}.20260101-000100`, lines.join(''));
    await writeFile(path, line('new'));
    for (const options of [{}, { follow: true }]) {
      const reading = read(path, { tailLines: 4, ...options });
      await reading.done;
      assert.equal(reading.text(), 'n4997\nn4998\nn4999\nnew\n');
    }
  }));

test('a slow follower reads files that were rotated twice in their order', () =>
  withLog(async (path) => {
    await writeFile(path, line('one'));
    let runs = true;
    const reading = read(path, { follow: true }, () => runs);
    await reading.until('one\n');
    await rename(path, `${path}.20360101-000000`);
    await writeFile(`${path}.20360101-000100`, line('two'));
    await writeFile(path, line('three'));
    await reading.until('three\n');
    runs = false;
    await reading.done;
    assert.equal(reading.text(), 'one\ntwo\nthree\n');
  }));

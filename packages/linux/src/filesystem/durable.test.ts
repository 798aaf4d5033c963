import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { EagerWriteback, FilesystemFlusher } from './durable.ts';

const folder = mkdtempSync(join(tmpdir(), 'wherry-durable-'));
after(() => rmSync(folder, { recursive: true }));

test('those who ask for a flush at once share it, and one who asks while it runs gets a later one', async () => {
  const flusher = new FilesystemFlusher(folder);
  const first = flusher.flush();
  assert.equal(flusher.flush(), first);
  await Promise.resolve();
  await Promise.resolve();
  const second = flusher.flush();
  assert.notEqual(second, first);
  assert.equal(flusher.flush(), second);
  const order: string[] = [];
  await Promise.all([second.then(() => order.push('second')), first.then(() => order.push('first'))]);
  assert.deepEqual(order, ['first', 'second']);
});

test('a flush of what is not there fails by name, for its own callers alone', async () => {
  const path = join(folder, 'later');
  const flusher = new FilesystemFlusher(path);
  await assert.rejects(flusher.flush(), { code: 'ENOENT' });
  const descriptor = openSync(path, 'w');
  try {
    const writeback = new EagerWriteback(descriptor);
    const bytes = Buffer.alloc(3 * 1024 * 1024, 'x');
    writeback.wroteTo(writeSync(descriptor, bytes));
    await flusher.flush();
  } finally {
    closeSync(descriptor);
  }
});

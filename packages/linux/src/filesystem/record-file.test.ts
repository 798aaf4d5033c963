import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { syncFiles, writeFileAtomic, writeFileAtomicSync } from './atomic-file.ts';
import { mount, unmount } from './mount.ts';
import { writeRecord } from './record-file.ts';

const disk = mkdtempSync(join(tmpdir(), 'wherry-record-'));
const filler = join(disk, 'filler');
before(() => mount({ type: 'tmpfs', source: 'tmpfs', target: disk, data: 'size=128k' }));
after(() => {
  unmount(disk, { detach: true });
  rmSync(disk, { recursive: true });
});

const fill = () => assert.throws(() => writeFileSync(filler, Buffer.alloc(1024 * 1024)), { code: 'ENOSPC' });

test('a file that a full disk keeps from being replaced stays as it is, and nothing else is left there', async () => {
  const path = join(disk, 'settings');
  await writeFileAtomic(path, 'old');
  fill();
  await assert.rejects(writeFileAtomic(path, 'new'), { code: 'ENOSPC' });
  assert.throws(() => writeFileAtomicSync(path, 'new'), { code: 'ENOSPC' });
  assert.equal(readFileSync(path, 'utf8'), 'old');
  assert.deepEqual(readdirSync(disk).sort(), ['filler', 'settings']);
  for (const name of readdirSync(disk)) rmSync(join(disk, name));
});

test('a record changes on a full disk as well, and nothing else is left there', () => {
  const path = join(disk, 'record.json');
  writeRecord(path, JSON.stringify({ state: 'running' }));
  fill();
  const ended = { state: 'exited', message: 'x'.repeat(500) };
  for (const now of [ended, { state: 'gone' }]) {
    writeRecord(path, JSON.stringify(now));
    assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), now);
  }
  assert.throws(() => writeRecord(path, JSON.stringify({ text: 'x'.repeat(10_000) })), { code: 'ENOSPC' });
  assert.throws(() => writeRecord(join(disk, 'another.json'), '{}'), { code: 'ENOSPC' });
  assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), { state: 'gone' });
  assert.deepEqual(readdirSync(disk).sort(), ['filler', 'record.json']);
  rmSync(filler);
  writeRecord(path, JSON.stringify(ended));
  assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), ended);
});

test('files are made durable beside sockets and folders, and one that is not there is no folder of files', async () => {
  const folder = join(disk, 'files');
  mkdirSync(join(folder, 'below'), { recursive: true });
  writeFileSync(join(folder, 'a'), 'a');
  const server = createServer().listen(join(folder, 'socket'));
  await once(server, 'listening');
  await syncFiles(folder);
  server.close();
  await assert.rejects(syncFiles(join(folder, 'none')), { code: 'ENOENT' });
});

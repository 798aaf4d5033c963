import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { tryLockFile, watchOpening } from './file-lock.ts';
import { Poller } from './poller.ts';

const folder = mkdtempSync(join(tmpdir(), 'wherry-lock-'));
after(() => rmSync(folder, { recursive: true }));

test('the lock of a file is one holder’s until that closes it', () => {
  const path = join(folder, 'lock');
  const first = tryLockFile(path);
  assert.ok(first !== undefined);
  assert.equal(tryLockFile(path), undefined);
  closeSync(first);
  const second = tryLockFile(path);
  assert.ok(second !== undefined);
  closeSync(second);
});

test('who opens a watched file is noticed, and so is who deletes it', async () => {
  const poller = new Poller();
  for (const disturb of [(path: string) => closeSync(openSync(path, 'r')), (path: string) => rmSync(path)]) {
    const path = join(folder, 'watched');
    closeSync(openSync(path, 'w'));
    const noticed = Promise.withResolvers<void>();
    using _watch = watchOpening(path, poller, noticed.resolve);
    disturb(path);
    await noticed.promise;
  }
  assert.throws(() => watchOpening(join(folder, 'none'), poller, () => {}), { code: 'ENOENT' });
  poller.close();
});

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, createReadStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { needProgram, needRoot } from '../../linux/test/needs.ts';
import { loadArchive } from '../src/archive/archive-load.ts';
import { archive, assertSound, openStore, rememberWhole } from './kept-image.ts';
import { loopDisk } from './loop-disk.ts';

const installer = fileURLToPath(new URL('./install-image.ts', import.meta.url));

suite('an image store', () => {
  let place: string;
  before(async () => {
    needRoot();
    needProgram('/usr/bin/strace', 'strace');
    place = mkdtempSync(join(tmpdir(), 'wherry-broken-'));
    const store = await openStore(join(place, 'whole'));
    await loadArchive(store, Readable.from([archive]));
    rememberWhole(store);
    await store.close();
    writeFileSync(join(place, 'archive'), archive);
  });
  after(() => rmSync(place, { recursive: true, force: true }));

  /** Runs the installer on a new disk until its call number `at` of those begins; answers what was on the medium then. */
  function cutAt(calls: string, at: number): { medium: string; hasStored: boolean } {
    using disk = loopDisk();
    const { stdout } = spawnSync(
      'strace',
      [
        ...['-f', '-o', '/dev/null', '-e', `trace=${calls}`, '-e', `inject=${calls}:signal=KILL:when=${at}`],
        ...[process.execPath, installer, join(disk.folder, 'store'), join(place, 'archive')],
      ],
      // One thread of libuv's for everything: strace counts calls by thread.
      { env: { ...process.env, UV_THREADPOOL_SIZE: '1' }, encoding: 'utf8' },
    );
    const medium = join(place, 'medium');
    // What the kernel still has in memory is not on the medium.
    copyFileSync(disk.medium, medium);
    return { medium, hasStored: stdout.includes('stored') };
  }

  test('that loses power at any flush has each layer whole or not at all, and takes the image again', async () => {
    let cuts = 0;
    let lost = 0;
    for (const calls of ['fsync,fdatasync', 'syncfs']) {
      for (let at = 1; ; at++) {
        const { medium, hasStored } = cutAt(calls, at);
        using disk = loopDisk(medium);
        mkdirSync(join(disk.folder, 'store'), { recursive: true });
        const store = await openStore(join(disk.folder, 'store'));
        try {
          const images = assertSound(store);
          if (images === 0) lost++;
          if (hasStored) assert.equal(images, 1, 'what was said to be stored is there');
          await loadArchive(store, createReadStream(join(place, 'archive')));
          assert.equal(assertSound(store), 1);
        } finally {
          await store.close();
        }
        if (hasStored) break;
        cuts++;
      }
    }
    // Two layers with a flush of theirs each, their records, folders, and the image's documents and record.
    assert.ok(cuts >= 12 && lost >= 8, `${cuts} cuts, ${lost} of them before the image was there`);
  });
});

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, suite, test } from 'node:test';
import { breakableDisk, fullableDisk } from '../../apiserver/test/small-disk.ts';
import { needRoot } from '../../linux/test/needs.ts';
import { loadArchive } from '../src/archive/archive-load.ts';
import { archiveOf, imageOf } from './image-delivery.ts';
import { archive, assertSound, openStore, rememberWhole } from './kept-image.ts';
import { rawTar } from './raw-tar.ts';

suite('an image store on a disk', () => {
  let place: string;
  before(async () => {
    needRoot();
    place = mkdtempSync(join(tmpdir(), 'wherry-broken-'));
    const store = await openStore(join(place, 'whole'));
    await loadArchive(store, Readable.from([archive]));
    rememberWhole(store);
    await store.close();
  });
  after(() => rmSync(place, { recursive: true, force: true }));

  test('that is full refuses the image by name, keeps what it has, and takes it when there is room', async (context) => {
    const disk = fullableDisk(context, 12);
    const store = await openStore(join(disk.folder, 'store'));
    try {
      const first = archiveOf(
        imageOf([{ plain: rawTar([{ path: 'first', content: 'x' }]) }]),
        'example.test/first:v1',
      );
      await loadArchive(store, Readable.from([first]));
      disk.fill();
      await assert.rejects(loadArchive(store, Readable.from([archive])), /no space left/i);
      disk.empty();
      assert.equal(store.catalog.list().length, 1);
      assert.equal(store.layers.list().length, 1);
      assert.deepEqual(readdirSync(join(store.root, 'ingest')), []);
      assert.equal(readdirSync(store.layers.root).length, 1);
      await loadArchive(store, Readable.from([archive]));
      assert.equal(store.catalog.list().length, 2);
    } finally {
      await store.close();
    }
  });

  test('that is nearly full keeps its last room for others than images', async (context) => {
    const disk = fullableDisk(context, 64);
    const store = await openStore(join(disk.folder, 'store'));
    try {
      const large = imageOf([
        { plain: rawTar([{ path: 'large', content: randomBytes(31.6 * 1024 * 1024) }]) },
      ]);
      await assert.rejects(
        loadArchive(store, Readable.from(slices(archiveOf(large, 'example.test/large:v1')))),
        /no space left on device for images/,
      );
      assert.deepEqual(store.layers.list(), []);
    } finally {
      await store.close();
    }
  });

  test('that answers with EIO lists no image, and takes it on a new disk', async (context) => {
    const disk = breakableDisk(context);
    const store = await openStore(join(disk.folder, 'store'));
    try {
      disk.fill();
      await assert.rejects(loadArchive(store, Readable.from([archive])), /EIO|no space left|EROFS/i);
      assert.deepEqual(store.catalog.list(), []);
    } finally {
      await store.close();
    }
    disk.repair();
    const again = await openStore(join(disk.folder, 'store'));
    try {
      assert.equal(assertSound(again), 0);
      await loadArchive(again, Readable.from([archive]));
      assert.equal(assertSound(again), 1);
    } finally {
      await again.close();
    }
  });
});

function* slices(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

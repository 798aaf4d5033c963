import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { after, before, test } from 'node:test';
import { createZstdDecompress, zstdCompressSync } from 'node:zlib';
import { systemClock } from '@wherry/clock';
import { silentLogger } from '@wherry/telemetry';
import fc from 'fast-check';
import { deliveries, imageOf, type LayerBytes } from '../../test/image-delivery.ts';
import { folder, type RawEntry, rawTar } from '../../test/raw-tar.ts';
import { ImageStore } from '../store/image-store.ts';
import { ZstdFrames } from './zstd-frames.ts';

let place: string;
let store: ImageStore;

before(async () => {
  place = mkdtempSync(join(tmpdir(), 'wherry-formats-'));
  store = new ImageStore({ root: join(place, 'store'), clock: systemClock, logger: silentLogger });
  await store.open();
});

after(async () => {
  await store.close();
  rmSync(place, { recursive: true, force: true });
});

const plain = (...entries: RawEntry[]): LayerBytes => ({ plain: rawTar(entries) });

/** Loads an image and answers the folders of its layers. */
async function foldersOf(...layers: LayerBytes[]): Promise<string[]> {
  const load = deliveries['loaded from an archive'];
  const image = await load?.(store, imageOf(layers));
  return (image?.layerKeys ?? []).map((key) => join(store.layers.root, key, 'd'));
}

/** A file of 3 MiB with 5 bytes at its beginning, in its middle and at its end. */
function makeSparseFile(path: string): void {
  const descriptor = openSync(path, 'w', 0o640);
  for (const at of [0, 1_500_000, 3 * 1024 * 1024 - 5]) writeSync(descriptor, 'data!', at);
  closeSync(descriptor);
}

for (const [format, options] of [
  ['old GNU', ['--format=gnu']],
  ['PAX 0.0', ['--format=pax', '--sparse-version=0.0']],
  ['PAX 0.1', ['--format=pax', '--sparse-version=0.1']],
  ['PAX 1.0', ['--format=pax', '--sparse-version=1.0']],
] as const) {
  test(`a sparse file of GNU tar's ${format} format keeps its content and its holes`, async () => {
    const source = mkdtempSync(join(place, 'sparse-'));
    makeSparseFile(join(source, 'few'));
    // So many pieces that old GNU's header needs more blocks, and PAX 1.0's map as well.
    const many = openSync(join(source, 'many'), 'w');
    for (let at = 0; at < 100; at++) writeSync(many, `piece ${at}`, at * 65_536);
    closeSync(many);
    const tar = execFileSync('tar', ['--sparse', ...options, '-C', source, '-c', 'few', 'many'], {
      maxBuffer: 2 ** 26,
    });
    assert.ok(tar.length < 2 * 1024 * 1024, 'the archive leaves the holes out');
    const [layer = ''] = await foldersOf({ plain: tar });
    for (const name of ['few', 'many']) {
      assert.ok(readFileSync(join(layer, name)).equals(readFileSync(join(source, name))), name);
      const { size, blocks } = statSync(join(layer, name));
      assert.ok(blocks * 512 < size / 2, `${name} takes ${blocks} blocks`);
    }
    assert.equal(statSync(join(layer, 'few')).mode & 0o777, 0o640);
  });
}

test('a sparse map that overlaps, runs backwards or past the end is refused', async () => {
  for (const map of ['0,4,2,4', '8,4,0,4', '0,4,96,8', '0,4,x,4', '0,8,8'])
    await assert.rejects(
      foldersOf(
        plain({
          path: 'x',
          content: '12345678',
          pax: [
            ['GNU.sparse.size', '100'],
            ['GNU.sparse.map', map],
          ],
        }),
      ),
      /sparse tar entry "x"/,
      map,
    );
});

const skippable = (content: string, kind = 0): Buffer => {
  const frame = Buffer.alloc(8 + content.length);
  frame.writeUInt32LE(0x184d2a50 + kind, 0);
  frame.writeUInt32LE(content.length, 4);
  frame.write(content, 8);
  return frame;
};

test('a zstd:chunked layer (a frame for each file, its table of contents in a skippable one) unpacks whole', async () => {
  const tar = rawTar(
    Array.from({ length: 50 }, (_, at) => ({ path: `file${at}`, content: `${at}`.repeat(at) })),
  );
  const frames: Buffer[] = [];
  for (let at = 0; at < tar.length; at += 1536) frames.push(zstdCompressSync(tar.subarray(at, at + 1536)));
  for (const packed of [
    Buffer.concat([...frames, skippable('table of contents')]),
    Buffer.concat([skippable('first', 15), ...frames]),
    Buffer.concat(frames.flatMap((frame) => [skippable(''), frame])),
  ]) {
    const [layer = ''] = await foldersOf({ plain: tar, packed });
    for (const at of [0, 1, 25, 49])
      assert.equal(readFileSync(join(layer, `file${at}`), 'utf8'), `${at}`.repeat(at));
    for (const { id } of store.catalog.list()) await store.remove(id);
  }
});

async function decoded(bytes: Buffer, sizes: readonly number[]): Promise<Buffer> {
  const pieces = function* () {
    for (let [at, index] = [0, 0]; at < bytes.length; index++) {
      const size = sizes[index % sizes.length] ?? 1;
      yield bytes.subarray(at, at + size);
      at += size;
    }
  };
  const chunks: Buffer[] = [];
  await pipeline(Readable.from(pieces()), new ZstdFrames(), createZstdDecompress(), async (source) => {
    for await (const chunk of source) chunks.push(chunk as Buffer);
  });
  return Buffer.concat(chunks);
}

test('zstd frames decode the same however the stream is cut, and a cut-off stream fails', async () => {
  const parts = ['', 'a', 'b'.repeat(1000), 'c'.repeat(300_000), 'Wherry'].map((part) => Buffer.from(part));
  const frames = parts.map((part, at) => zstdCompressSync(part, { params: { 201: at % 2 } }));
  const bytes = Buffer.concat([skippable('x'), ...frames, skippable('y'.repeat(1000))]);
  const whole = Buffer.concat(parts);
  const sizes = fc.array(fc.integer({ min: 1, max: 2000 }), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(sizes, async (cuts) => assert.ok((await decoded(bytes, cuts)).equals(whole))),
    { numRuns: 40 },
  );
  const end = bytes.length - 1008;
  for (const cut of [end - 1, end - 5, end + 4, end + 500])
    await assert.rejects(decoded(bytes.subarray(0, cut), [100]), /cut off|unexpected end/, `${cut}`);
  await assert.rejects(decoded(Buffer.concat([...frames, Buffer.from('junk')]), [64]), /no frame/);
});

test('a folder that a layer only passes through keeps the mode and owner it has below', async () => {
  const [, , upper = ''] = await foldersOf(
    plain(folder('tmp/', { mode: 0o1777 }), folder('home/', { mode: 0o750, uid: 7, gid: 8 })),
    plain({ path: 'other' }),
    plain({ path: 'tmp/new/file' }, { path: 'home/file' }),
  );
  const seen = (path: string) => {
    const { mode, uid, gid } = lstatSync(join(upper, path));
    return [mode & 0o7777, uid, gid];
  };
  assert.deepEqual(seen('tmp'), [0o1777, 0, 0]);
  assert.deepEqual(seen('home'), [0o750, 7, 8]);
  assert.deepEqual(seen('tmp/new'), [0o755, 0, 0]);
});

test('a folder that a layer brings anew after the one below was hidden does not take that one back', async () => {
  const [, , upper = ''] = await foldersOf(
    plain(folder('a/', { mode: 0o700 }), folder('b/', { mode: 0o711 }), folder('b/c/', { mode: 0o700 })),
    plain({ path: '.wh.a' }, folder('b/', { mode: 0o711 }), { path: 'b/.wh..wh..opq' }),
    plain({ path: 'a/file' }, { path: 'b/c/file' }),
  );
  const mode = (path: string) => lstatSync(join(upper, path)).mode & 0o7777;
  assert.deepEqual([mode('a'), mode('b'), mode('b/c')], [0o755, 0o711, 0o755]);
});

test('a layer that passes through folders of the layers below is not shared with an image that has others', async () => {
  const through = plain({ path: 'tmp/file' });
  const [, one = ''] = await foldersOf(plain(folder('tmp/', { mode: 0o1777 })), through);
  const [, two = ''] = await foldersOf(plain(folder('tmp/', { mode: 0o700 })), through);
  const [alone = ''] = await foldersOf(through);
  const mode = (layer: string) => lstatSync(join(layer, 'tmp')).mode & 0o7777;
  assert.deepEqual([mode(one), mode(two), mode(alone)], [0o1777, 0o700, 0o755]);
});

test('a file that a hard link brings up from a layer below keeps owner, mode, time and capabilities', async () => {
  const capability = Buffer.from('0100000200040000000000000000000000000000', 'hex');
  const pax = [
    ['SCHILY.xattr.security.capability', capability],
    ['mtime', '1000000000'],
  ] as const;
  const [, upper = ''] = await foldersOf(
    plain({ path: 'bin/ping', content: 'x', mode: 0o4755, uid: 5, gid: 6, pax }),
    plain({ path: 'alias', flag: '1', link: 'bin/ping' }),
  );
  const { mode, uid, gid, mtimeMs, ino } = lstatSync(join(upper, 'alias'));
  assert.deepEqual([mode & 0o7777, uid, gid, mtimeMs], [0o4755, 5, 6, 1_000_000_000_000]);
  assert.equal(ino, lstatSync(join(upper, 'bin/ping')).ino);
  assert.match(
    execFileSync('getcap', [join(upper, 'alias')], { encoding: 'utf8' }),
    /cap_dac_override|=ep|ep/,
  );
});

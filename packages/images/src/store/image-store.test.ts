import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { systemClock } from '@wherry/clock';
import { silentLogger } from '@wherry/telemetry';
import { type Header, pack } from 'tar-stream';
import { loadArchive, makeManifest } from '../archive/archive-load.ts';
import { buildImage } from '../archive/build.ts';
import { packTree } from '../archive/tree-tar.ts';
import { digestOf, hexOf } from '../layers/digest.ts';
import { encodeImageConfig } from './image-config.ts';
import { ImageStore } from './image-store.ts';
import { mediaTypes } from './manifest.ts';

let folder: string;
const stores: ImageStore[] = [];

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wherry-images-'));
});

after(async () => {
  for (const store of stores) await store.close();
  await rm(folder, { recursive: true, force: true });
});

async function openStore(name: string): Promise<ImageStore> {
  const store = new ImageStore({ root: join(folder, name), clock: systemClock, logger: silentLogger });
  stores.push(store);
  await store.open();
  return store;
}

type Entry = Partial<Header> & { name: string; content?: string | Buffer };

async function tarOf(entries: Entry[]): Promise<Buffer> {
  const tar = pack();
  for (const { content = '', ...header } of entries) tar.entry(header, content);
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const layerPath = (store: ImageStore, key: string, path: string) => join(store.layers.root, key, 'd', path);

/** An OCI layout archive of the given layers (as stored, perhaps compressed; plain for the diff id). */
async function layoutOf(layers: { plain: Buffer; packed?: Buffer }[], name: string): Promise<Buffer> {
  const configBytes = encodeImageConfig({
    architecture: 'amd64',
    user: '',
    env: [],
    entrypoint: ['/bin/true'],
    cmd: [],
    workingDir: '',
    stopSignal: '',
    diffIds: layers.map(({ plain }) => digestOf(plain)),
  });
  const blobs = layers.map(({ plain, packed }) => packed ?? plain);
  const { manifestBytes } = makeManifest(
    configBytes,
    blobs.map((blob) => ({ digest: digestOf(blob), size: blob.length })),
  );
  const descriptor = {
    mediaType: mediaTypes.manifest,
    digest: digestOf(manifestBytes),
    size: manifestBytes.length,
    annotations: { 'org.opencontainers.image.ref.name': name },
  };
  const file = (blob: Buffer): Entry => ({
    name: `blobs/sha256/${hexOf(digestOf(blob))}`,
    content: blob,
  });
  return tarOf([
    ...[...blobs, configBytes, manifestBytes].map(file),
    { name: 'oci-layout', content: '{"imageLayoutVersion":"1.0.0"}' },
    { name: 'index.json', content: JSON.stringify({ schemaVersion: 2, manifests: [descriptor] }) },
  ]);
}

test('a folder becomes an image whose files keep mode, owner, links and setuid', async () => {
  const store = await openStore('build');
  const tree = join(folder, 'tree');
  mkdirSync(join(tree, 'bin'), { recursive: true });
  writeFileSync(join(tree, 'bin/tool'), '#!/bin/sh\n');
  chmodSync(join(tree, 'bin/tool'), 0o4755);
  linkSync(join(tree, 'bin/tool'), join(tree, 'bin/alias'));
  symlinkSync('tool', join(tree, 'bin/link'));
  const image = await buildImage(store, packTree(tree), {
    name: 'demo',
    cmd: ['/bin/tool'],
    user: '1000:50',
  });
  assert.deepEqual(image.tags, ['docker.io/library/demo:latest']);
  const [key = ''] = image.layerKeys;
  assert.equal(lstatSync(layerPath(store, key, 'bin/tool')).mode & 0o7777, 0o4755);
  assert.equal(
    lstatSync(layerPath(store, key, 'bin/tool')).ino,
    lstatSync(layerPath(store, key, 'bin/alias')).ino,
  );
  assert.equal(readlinkSync(layerPath(store, key, 'bin/link')), 'tool');
  assert.equal(image.config.user, '1000:50');
  assert.ok(image.sizeBytes > 0);
});

test('an image is found by every form of its name and of its id', async () => {
  const store = await openStore('names');
  const tar = await tarOf([{ name: 'a', content: 'a' }]);
  const image = await buildImage(store, Readable.from([tar]), { name: 'demo:1' });
  const forms = [
    'demo:1',
    'docker.io/library/demo:1',
    image.id,
    hexOf(image.id).slice(0, 12),
    image.digests[0] ?? '',
  ];
  for (const form of forms) assert.equal(store.find(form).id, image.id, form);
  assert.throws(() => store.find('demo'), /image "demo" is not on this machine/);
});

for (const [kind, compress] of [
  ['plain', undefined],
  ['gzip', gzipSync],
  ['zstd', zstdCompressSync],
] as const) {
  test(`an OCI layout with ${kind} layers loads under its own name`, async () => {
    const store = await openStore(`layout-${kind}`);
    const plain = await tarOf([
      { name: './etc/', type: 'directory' },
      { name: './etc/motd', content: 'hello' },
    ]);
    const layer = compress ? { plain, packed: compress(plain) } : { plain };
    const archive = await layoutOf([layer], 'example.test/a/b:v1');
    const [image] = await loadArchive(store, Readable.from([compress ? compress(archive) : archive]));
    assert.deepEqual(image?.tags, ['example.test/a/b:v1']);
    assert.equal(readFileSync(layerPath(store, image?.layerKeys[0] ?? '', 'etc/motd'), 'utf8'), 'hello');
  });
}

test('what docker save writes loads with its tags', async () => {
  const store = await openStore('docker');
  const layer = await tarOf([{ name: 'x', content: 'x' }]);
  const config = JSON.stringify({
    architecture: 'amd64',
    os: 'linux',
    config: {},
    rootfs: { type: 'layers', diff_ids: [digestOf(layer)] },
  });
  const manifest = JSON.stringify([
    { Config: 'c.json', RepoTags: ['demo:2', 'demo:3'], Layers: ['l/layer.tar'] },
  ]);
  const archive = await tarOf([
    { name: 'l/layer.tar', content: layer },
    { name: 'c.json', content: config },
    { name: 'manifest.json', content: manifest },
  ]);
  const [image] = await loadArchive(store, Readable.from([archive]));
  assert.deepEqual(image?.tags, ['docker.io/library/demo:2', 'docker.io/library/demo:3']);
});

test('whiteouts and opaque folders become what overlayfs reads', async () => {
  const store = await openStore('whiteout');
  const upper = await tarOf([
    { name: 'gone/', type: 'directory' },
    { name: 'gone/.wh.file', content: '' },
    { name: 'opaque/', type: 'directory' },
    { name: 'opaque/.wh..wh..opq', content: '' },
  ]);
  const [image] = await loadArchive(store, Readable.from([await layoutOf([{ plain: upper }], 'a.test/w:1')]));
  const key = image?.layerKeys[0] ?? '';
  const status = statSync(layerPath(store, key, 'gone/file'));
  assert.ok(status.isCharacterDevice());
  assert.equal(status.rdev, 0);
  const attributes = ['--xattrs', '--xattrs-include=trusted.*'];
  const packed = execFileSync('tar', [...attributes, '-C', layerPath(store, key, 'opaque'), '-c', '.']);
  assert.match(packed.toString('latin1'), /SCHILY\.xattr\.trusted\.overlay\.opaque=y\n/);
});

test('a hard link into a lower layer copies the file up', async () => {
  const store = await openStore('crosslink');
  const lower = await tarOf([{ name: 'file', content: 'below', mode: 0o640 }]);
  const upper = await tarOf([{ name: 'alias', type: 'link', linkname: 'file' }]);
  const archive = await layoutOf([{ plain: lower }, { plain: upper }], 'a.test/x:1');
  const [image] = await loadArchive(store, Readable.from([archive]));
  assert.equal(readFileSync(layerPath(store, image?.layerKeys[1] ?? '', 'alias'), 'utf8'), 'below');
  assert.equal(statSync(layerPath(store, image?.layerKeys[1] ?? '', 'file')).mode & 0o7777, 0o640);
});

for (const [what, entries] of [
  ['"../"', [{ name: '../escaped', content: 'x' }]],
  [
    'a symbolic link',
    [
      { name: 'out', type: 'symlink', linkname: '../../..' },
      { name: 'out/escaped', content: 'x' },
    ],
  ],
  ['a hard link', [{ name: 'x', type: 'link', linkname: '../../../etc/passwd' }]],
] as [string, Entry[]][]) {
  test(`a layer that leaves its root by ${what} is refused and nothing is listed`, async () => {
    const store = await openStore(`escape-${what.length}`);
    const archive = await layoutOf([{ plain: await tarOf(entries) }], 'a.test/e:1');
    await assert.rejects(loadArchive(store, Readable.from([archive])), /leads out of|leaves the root/);
    assert.deepEqual(store.catalog.list(), []);
    assert.deepEqual(store.layers.list(), []);
  });
}

test('a layer with a wrong digest is refused', async () => {
  const store = await openStore('damaged');
  const plain = await tarOf([{ name: 'x', content: 'right' }]);
  const archive = await layoutOf(
    [{ plain, packed: gzipSync(await tarOf([{ name: 'x', content: 'wrong' }])) }],
    'a.test/d:1',
  );
  await assert.rejects(loadArchive(store, Readable.from([archive])), /is damaged/);
});

test('images outlive the store object, and removing one leaves shared layers', async () => {
  const store = await openStore('again');
  const shared = { plain: await tarOf([{ name: 'shared', content: 's' }]) };
  const own = { plain: await tarOf([{ name: 'own', content: 'o' }]) };
  await loadArchive(store, Readable.from([await layoutOf([shared], 'a.test/one:1')]));
  const [two] = await loadArchive(store, Readable.from([await layoutOf([shared, own], 'a.test/two:1')]));
  const reopened = await openStore('again');
  assert.deepEqual(
    reopened.catalog
      .list()
      .map((image) => image.tags[0])
      .sort(),
    ['a.test/one:1', 'a.test/two:1'],
  );
  await reopened.remove(two?.id ?? '');
  assert.equal(reopened.layers.list().length, 1);
  await reopened.remove('a.test/one:1');
  assert.deepEqual(reopened.layers.list(), []);
  assert.deepEqual(await reopened.blobs.list(), []);
});

test('an image is whole as long as one of those who hold it does, whoever removes it; others go meanwhile', async () => {
  const store = await openStore('held');
  const one = { plain: await tarOf([{ name: 'one', content: '1' }]) };
  const two = { plain: await tarOf([{ name: 'two', content: '2' }]) };
  const [held] = await loadArchive(store, Readable.from([await layoutOf([one], 'a.test/held:1')]));
  await loadArchive(store, Readable.from([await layoutOf([two], 'a.test/other:1')]));
  const letGo = [store.hold(held!), store.hold(held!)];
  await store.remove('a.test/held:1');
  await store.remove('a.test/other:1');
  letGo.pop()?.();
  await store.collectGarbage();
  assert.deepEqual(
    store.layers.list().map(({ key }) => key),
    held!.layerKeys,
  );
  assert.ok((await store.blobs.get(held!.manifestDigest)).length > 0);
  assert.equal((await store.blobs.list()).length, 2 + (held!.packedDigests?.length ?? 0));
  letGo.pop()?.();
  await store.collectGarbage();
  assert.deepEqual(store.layers.list(), []);
  assert.deepEqual(await store.blobs.list(), []);
});

test('an image that comes again while it is removed is gone or whole', async () => {
  const store = await openStore('again-and-again');
  const archive = await layoutOf([{ plain: await tarOf([{ name: 'a', content: 'a' }]) }], 'a.test/again:1');
  const load = () => loadArchive(store, Readable.from([archive]));
  await load();
  for (let round = 0; round < 50; round++) {
    const [images] = await Promise.all([load(), store.remove('a.test/again:1'), store.collectGarbage()]);
    const found = store.catalog.resolve('a.test/again:1');
    if (!found) continue;
    assert.equal(found.id, images[0]?.id);
    await store.blobs.get(found.manifestDigest);
    await store.blobs.get(found.id);
    assert.ok(existsSync(layerPath(store, found.layerKeys[0] ?? '', 'a')));
  }
});

test('a store of an earlier version keeps layers that stand alone, and makes the others anew', async () => {
  const store = await openStore('earlier');
  const lower = { plain: await tarOf([{ name: 'file', content: 'below' }]) };
  const linking = { plain: await tarOf([{ name: 'alias', type: 'link', linkname: 'file' }]) };
  await loadArchive(store, Readable.from([await layoutOf([lower], 'a.test/alone:1')]));
  const bound = await layoutOf([lower, linking], 'a.test/bound:1');
  await loadArchive(store, Readable.from([bound]));
  // Records did not say what a layer was bound to, but by the first digits of a digest.
  for (const { key } of store.layers.list()) {
    const path = join(store.layers.root, key, 'layer.json');
    const { identity: _, ...record } = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify(record));
  }
  const reopened = await openStore('earlier');
  const tags = () => reopened.catalog.list().flatMap((image) => image.tags);
  assert.deepEqual(tags(), ['a.test/alone:1']);
  await loadArchive(reopened, Readable.from([bound]));
  assert.deepEqual(tags(), ['a.test/alone:1', 'a.test/bound:1']);
  assert.equal(reopened.layers.list().length, 2);
});

test('an image whose record leads to the layer of another one is dropped when the store is opened', async () => {
  const store = await openStore('exchanged');
  const layer = async (content: string) => ({ plain: await tarOf([{ name: 'x', content }]) });
  const [one] = await loadArchive(store, Readable.from([await layoutOf([await layer('1')], 'a.test/one:1')]));
  const [two] = await loadArchive(store, Readable.from([await layoutOf([await layer('2')], 'a.test/two:1')]));
  const path = join(store.root, 'records', `${hexOf(one?.id ?? 'sha256:')}.json`);
  const record = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ ...record, layerKeys: two?.layerKeys }));
  const reopened = await openStore('exchanged');
  assert.deepEqual(
    reopened.catalog.list().flatMap((image) => image.tags),
    ['a.test/two:1'],
  );
});

test('a tag moves to the image that was stored last', async () => {
  const store = await openStore('move');
  const first = await buildImage(store, Readable.from([await tarOf([{ name: 'a', content: '1' }])]), {
    name: 'demo',
  });
  const second = await buildImage(store, Readable.from([await tarOf([{ name: 'a', content: '2' }])]), {
    name: 'demo',
  });
  assert.equal(store.find('demo').id, second.id);
  assert.deepEqual(store.find(first.id).tags, []);
});

test('binary extended attributes survive', async () => {
  const store = await openStore('xattr');
  const tree = join(folder, 'xattr-tree');
  mkdirSync(tree);
  writeFileSync(join(tree, 'ping'), 'x');
  execFileSync('setcap', ['cap_net_raw,cap_setgid,cap_setuid+ep', join(tree, 'ping')]);
  const tar = execFileSync('tar', ['--xattrs', '--xattrs-include=*', '-C', tree, '-c', '.']);
  const image = await buildImage(store, Readable.from([tar]), { name: 'caps' });
  const shown = execFileSync('getcap', [layerPath(store, image.layerKeys[0] ?? '', 'ping')]).toString();
  assert.match(shown, /cap_setgid,cap_setuid,cap_net_raw[=+]ep/);
});

test('a cut-off archive is refused', async () => {
  const store = await openStore('cut');
  const archive = await layoutOf(
    [{ plain: await tarOf([{ name: 'x', content: 'x'.repeat(5000) }]) }],
    'a.test/c:1',
  );
  await assert.rejects(loadArchive(store, Readable.from([archive.subarray(0, 4000)])));
  const packed = gzipSync(archive).subarray(0, 200);
  await assert.rejects(loadArchive(store, Readable.from([packed])));
});

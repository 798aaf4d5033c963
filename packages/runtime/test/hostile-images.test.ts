import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, suite, test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { systemClock } from '@wherry/clock';
import type { StoredImage, UnpackBounds } from '@wherry/images';
import { ImageStore } from '@wherry/images';
import { getXattr, setXattr } from '@wherry/linux';
import { silentLogger } from '@wherry/telemetry';
import {
  type Delivery,
  type Dishonesty,
  deliveries,
  type ImageBytes,
  imageOf,
} from '../../images/test/image-delivery.ts';
import { folder, hardLink, type RawEntry, rawTar, symlink } from '../../images/test/raw-tar.ts';
import { needRoot } from '../../linux/test/needs.ts';
import { mountOverlay, unmountOverlay } from '../src/volumes/overlay.ts';

/** Where the test's files lie; `outside` stands for the machine's own files. */
let place: string;
let outside: string;
let store: ImageStore;
let stores = 0;

before(async () => {
  needRoot();
  place = mkdtempSync(join(tmpdir(), 'wherry-hostile-'));
  outside = join(place, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'secret'), 'of the machine', { mode: 0o600 });
  mkdirSync(join(outside, 'folder'));
  store = await openStore();
});

/** Every test begins with an empty store. */
afterEach(async () => {
  for (const { id } of store.catalog.list()) await store.remove(id);
  await store.collectGarbage();
  assert.deepEqual(store.layers.list(), []);
});

after(async () => {
  await store.close();
  rmSync(place, { recursive: true, force: true });
});

/** Runs with a store of other bounds. */
async function withBounds(bounds: Partial<UnpackBounds>, run: () => Promise<void>): Promise<void> {
  const usual = store;
  store = await openStore(bounds);
  try {
    await run();
  } finally {
    await store.close();
    store = usual;
  }
}

async function openStore(bounds: Partial<UnpackBounds> = {}, name = `store${++stores}`): Promise<ImageStore> {
  const root = join(place, name);
  const opened = new ImageStore({ root, clock: systemClock, logger: silentLogger, bounds });
  await opened.open();
  return opened;
}

/** What the machine's files look like: paths, sizes, modes, owners, times. */
function machineFiles(): string {
  return execFileSync('find', [outside, '-printf', '%P %y %s %m %U %G %T@ %n\n'], { encoding: 'utf8' });
}

/** A file of an image's root as a container sees it: through the overlay. */
function inContainer(image: StoredImage, look: (root: string) => void): void {
  const mounted = join(place, 'container');
  const root = mountOverlay({ layersRoot: store.layers.root, layerKeys: image.layerKeys, folder: mounted });
  try {
    look(root);
  } finally {
    unmountOverlay(mounted);
    rmSync(mounted, { recursive: true });
  }
}

const layer = (...entries: RawEntry[]) => ({ plain: rawTar(entries) });
const file = (path: string, content = 'of the image', change: Partial<RawEntry> = {}): RawEntry => ({
  path,
  content,
  ...change,
});
const xattr = (name: string, value: string | Buffer) => [[`SCHILY.xattr.${name}`, value]] as const;

/** An image that must not come in, and the words by which it is refused. */
type Refused = [what: string, image: () => ImageBytes, words: RegExp];

const refused: Refused[] = [
  ['an entry above its root', () => imageOf([layer(file('../escaped'))]), /leads out of the root/],
  [
    'an entry above its root after going down',
    () => imageOf([layer(file('a/../../escaped'))]),
    /leads out of the root/,
  ],
  [
    'a link above its root on the way',
    () => imageOf([layer(symlink('out', '../../..'), file('out/escaped'))]),
    /leaves the root/,
  ],
  [
    'a link in a loop on the way',
    () => imageOf([layer(symlink('one', 'two'), symlink('two', 'one'), file('one/file'))]),
    /too many symbolic links/,
  ],
  [
    'a hard link above its root',
    () => imageOf([layer(hardLink('x', '../../../etc/passwd'))]),
    /leads out of the root/,
  ],
  [
    'a hard link to a file of the machine',
    () => imageOf([layer(hardLink('x', join(outside, 'secret')))]),
    /which no layer has/,
  ],
  [
    "a hard link through a lower layer's link to a folder of the machine",
    () => imageOf([layer(symlink('a', outside)), layer(hardLink('stolen', 'a/secret'))]),
    /which no layer has/,
  ],
  [
    "a hard link through a chain of lower layers' links",
    () =>
      imageOf([
        layer(symlink('a', outside), file('real/f')),
        layer(symlink('b', 'a')),
        layer(folder('c/'), symlink('c/d', '../b')),
        layer(hardLink('stolen', 'c/d/secret')),
      ]),
    /which no layer has/,
  ],
  [
    "a hard link to a lower layer's link",
    () => imageOf([layer(symlink('a', join(outside, 'secret'))), layer(hardLink('stolen', 'a'))]),
    /which no layer has/,
  ],
  [
    'a hard link to a folder',
    () => imageOf([layer(folder('a/'), hardLink('b', 'a'))]),
    /hard link to a directory/,
  ],
  [
    'a hard link to a file that a lower layer hides',
    () => imageOf([layer(file('a/f')), layer(file('a/.wh.f', '')), layer(hardLink('b', 'a/f'))]),
    /which no layer has/,
  ],
  ['a whiteout of ".."', () => imageOf([layer(folder('a/'), file('a/.wh...', ''))]), /whiteout of no file/],
  ['a whiteout of "."', () => imageOf([layer(folder('a/'), file('a/.wh..', ''))]), /whiteout of no file/],
  ['a whiteout of nothing', () => imageOf([layer(folder('a/'), file('a/.wh.', ''))]), /whiteout of no file/],
  ['a whiteout above its root', () => imageOf([layer(file('../.wh.outside', ''))]), /leads out of the root/],
  [
    'a whiteout through a link above its root',
    () => imageOf([layer(symlink('out', '../../../..'), file('out/.wh.outside', ''))]),
    /leaves the root/,
  ],
  ['a name with a NUL', () => imageOf([layer(file('x', '', { pax: [['path', 'good\0bad']] }))]), /NUL/],
  [
    'a link target with a NUL',
    () => imageOf([layer({ ...symlink('x', 'y'), pax: [['linkpath', 'a\0b']] })]),
    /NUL/,
  ],
  [
    'a name that is too long',
    () => imageOf([layer(file('x', '', { pax: [['path', 'n'.repeat(300)]] }))]),
    /longer than 255/,
  ],
  [
    'a path that is too deep',
    () => imageOf([layer(file('x', '', { pax: [['path', 'd/'.repeat(1000)]] }))]),
    /deeper than/,
  ],
  [
    'a path that is too long',
    () => imageOf([layer(file('x', '', { pax: [['path', 'long/'.repeat(1000)]] }))]),
    /longer than 4095/,
  ],
  [
    'a link as its root',
    () => imageOf([layer(symlink('.', outside))]),
    /root of a layer must be a directory/,
  ],
  ['an entry below a file', () => imageOf([layer(file('a'), file('a/b'))]), /no directory/],
  [
    'a huge size',
    () => imageOf([layer(file('x', '', { pax: [['size', `${2 ** 50}`]] }))]),
    /more than 68719476736/,
  ],
  ['a negative size', () => imageOf([layer(file('x', '', { pax: [['size', '-1']] }))]), /PAX record size/],
  [
    'a size in other digits',
    () => imageOf([layer(file('x', '', { pax: [['size', '0x10']] }))]),
    /PAX record size/,
  ],
  [
    'an owner out of range',
    () => imageOf([layer(file('x', '', { pax: [['uid', '4294967295']] }))]),
    /out of range/,
  ],
  [
    'a device number out of range',
    () =>
      imageOf([
        layer({
          path: 'x',
          flag: '3',
          patch: (header) => header.writeUInt8(0x80, 329) && header.fill(0xff, 330, 337),
        }),
      ]),
    /too large|out of range/,
  ],
  [
    'content with another digest than its diff id',
    () => imageOf([layer(file('x'))], { diffIds: [`sha256:${'0'.repeat(64)}`] }),
    /damaged/,
  ],
  ['fewer diff ids than layers', () => imageOf([layer(file('x'))], { diffIds: [] }), /names 0/],
  [
    'a manifest that is an index as well (CVE-2021-41190)',
    () => imageOf([layer(file('x'))], { manifest: { manifests: [] } }),
    /ambiguous.*both "manifests" and/,
  ],
  [
    'a manifest that says to be an index (CVE-2021-41190)',
    () => imageOf([layer(file('x'))], { manifest: { mediaType: 'application/vnd.oci.image.index.v1+json' } }),
    /ambiguous.*media type/,
  ],
  [
    "a manifest of docker's type that is served as OCI's (CVE-2021-41190)",
    () =>
      imageOf([layer(file('x'))], {
        manifest: { mediaType: 'application/vnd.docker.distribution.manifest.v2+json' },
      }),
    /ambiguous.*media type/,
  ],
  [
    'a manifest whose members Go reads in another case (CVE-2021-41190)',
    () => imageOf([layer(file('x'))], { manifest: { Layers: [] } }),
    /ambiguous.*"Layers"/,
  ],
  [
    'a manifest that has its layers twice (CVE-2021-41190)',
    () => {
      const image = imageOf([layer(file('x'))]);
      const text = image.manifest.toString();
      return { ...image, manifest: Buffer.from(text.replace('"layers"', '"l\\u0061yers":[],"layers"')) };
    },
    /ambiguous: it has "layers" twice/,
  ],
  [
    'a manifest with layers of schema 1 beside',
    () => imageOf([layer(file('x'))], { manifest: { fsLayers: [] } }),
    /ambiguous.*schema 1/,
  ],
  [
    'more layers than an overlay takes',
    () => imageOf(Array.from({ length: 501 }, () => layer(file('x')))),
    /501 layers/,
  ],
];

for (const [way, deliver] of Object.entries(deliveries)) {
  suite(way, () => {
    for (const [what, image, words] of refused) {
      test(`an image with ${what} is refused and leaves nothing`, async () => {
        const files = machineFiles();
        await assert.rejects(deliver(store, image()), words);
        assert.equal(machineFiles(), files);
        assertNothing();
      });
    }
    accepted(deliver);
    bombs(deliver);
  });
}

function assertNothing(): void {
  assert.deepEqual(store.catalog.list(), []);
  assert.ok(!existsSync(join(place, 'escaped')));
  const left = readdirSync(store.layers.root).filter((name) => name.startsWith('tmp-'));
  assert.deepEqual(left, []);
}

/** What looks dangerous, and must come in harmless. */
function accepted(deliver: Delivery): void {
  const bring = (layers: RawEntry[][], change?: Dishonesty) =>
    deliver(
      store,
      imageOf(
        layers.map((entries) => layer(...entries)),
        change,
      ),
    );

  test('an absolute link out is only text: what is written through it stays in the image', async () => {
    const files = machineFiles();
    const image = await bring([[symlink('etc', outside), file('etc/written')]]);
    assert.equal(machineFiles(), files);
    inContainer(image, (root) => {
      assert.equal(readlinkSync(join(root, 'etc')), outside);
      assert.equal(readFileSync(join(root, outside, 'written'), 'utf8'), 'of the image');
    });
  });

  test('a folder replaced by a link replaced by a folder takes what follows inside', async () => {
    const files = machineFiles();
    const image = await bring([
      [
        folder('a/'),
        file('a/first'),
        symlink('a', outside),
        folder('a/'),
        file('a/second'),
        hardLink('a/third', 'a/second'),
      ],
    ]);
    assert.equal(machineFiles(), files);
    inContainer(image, (root) => assert.deepEqual(readdirSync(join(root, 'a')).sort(), ['second', 'third']));
  });

  test('a hard link that takes the place of the folder its target lies in is refused or harmless', async () => {
    const files = machineFiles();
    await bring([[folder('a/'), file('a/f'), hardLink('a', 'a/f')]]).catch(() => {});
    assert.equal(machineFiles(), files);
  });

  test('a link in one layer over a folder of the layer below leads nothing out', async () => {
    const files = machineFiles();
    const image = await bring([[folder('a/'), file('a/low')], [symlink('a', outside)], [file('a/high')]]);
    assert.equal(machineFiles(), files);
    inContainer(image, (root) => assert.deepEqual(readdirSync(join(root, 'a')), ['high']));
  });

  test('an absolute name lies below the root', async () => {
    const image = await bring([[file(`${outside}/secret`, 'replaced')]]);
    assert.equal(readFileSync(join(outside, 'secret'), 'utf8'), 'of the machine');
    inContainer(image, (root) =>
      assert.equal(readFileSync(join(root, outside, 'secret'), 'utf8'), 'replaced'),
    );
  });

  test('odd names stay what they are: newline, backslash, colon, leading dash', async () => {
    const names = ['new\nline', 'back\\slash', 'co:lon,comma', '-rf', ' ', '...', '*'];
    const image = await bring([names.map((name) => file(name))]);
    inContainer(image, (root) => assert.deepEqual(readdirSync(root).sort(), [...names].sort()));
  });

  test('the last of several entries of one name counts', async () => {
    const image = await bring([
      [file('x', 'first'), symlink('x', 'nowhere'), folder('x/'), file('x/y'), file('x', 'last')],
    ]);
    inContainer(image, (root) => assert.equal(readFileSync(join(root, 'x'), 'utf8'), 'last'));
  });

  test('setuid files, devices and FIFOs come as they are, and nobody but root reaches the store', async () => {
    const image = await bring([
      [
        file('su', 'x', { mode: 0o6755, uid: 12, gid: 34 }),
        { path: 'null', flag: '3', device: [1, 3], mode: 0o666 },
        { path: 'disk', flag: '4', device: [254, 0], mode: 0o660 },
        { path: 'fifo', flag: '6', mode: 0o600 },
      ],
    ]);
    inContainer(image, (root) => {
      assert.equal(lstatSync(join(root, 'su')).mode & 0o7777, 0o6755);
      assert.equal(lstatSync(join(root, 'su')).uid, 12);
      assert.ok(lstatSync(join(root, 'null')).isCharacterDevice());
      assert.ok(lstatSync(join(root, 'disk')).isBlockDevice());
      assert.ok(lstatSync(join(root, 'fifo')).isFIFO());
    });
    assert.equal(lstatSync(store.root).mode & 0o077, 0);
  });

  test("overlayfs's own marks are left out, capabilities come through", async () => {
    const capability = Buffer.from('0100000200040000000000000000000000000000', 'hex');
    const image = await bring([
      [
        folder('marked/', {
          pax: [
            ...xattr('trusted.overlay.opaque', 'y'),
            ...xattr('trusted.overlay.redirect', outside),
            ...xattr('user.overlay.opaque', 'y'),
          ],
        }),
        file('ping', 'x', {
          pax: [...xattr('security.capability', capability), ...xattr('trusted.overlay.metacopy', '')],
        }),
      ],
    ]);
    const path = (name: string) => join(store.layers.root, image.layerKeys[0] ?? '', 'd', name);
    for (const name of ['trusted.overlay.opaque', 'trusted.overlay.redirect', 'user.overlay.opaque'])
      assert.equal(getXattr(path('marked'), name), null, name);
    assert.equal(getXattr(path('ping'), 'trusted.overlay.metacopy'), null);
    assert.deepEqual(Buffer.from(getXattr(path('ping'), 'security.capability') ?? ''), capability);
    setXattr(path('marked'), 'trusted.test', Buffer.from('these attributes can be set here'));
  });

  test("aufs's own files are left out", async () => {
    const image = await bring([[file('.wh..wh.aufs', ''), folder('.wh..wh.plnk/'), file('kept')]]);
    inContainer(image, (root) => assert.deepEqual(readdirSync(root), ['kept']));
  });

  test('a global PAX header changes no entry, as for other runtimes', async () => {
    const global = (entries: RawEntry[]) => {
      const tar = rawTar([{ ...file('x'), pax: [['path', 'elsewhere']] }, ...entries]);
      return { plain: withFlag(tar, 'g') };
    };
    const image = await deliver(store, imageOf([global([])]));
    inContainer(image, (root) => assert.deepEqual(readdirSync(root), ['x']));
  });

  test("a layer whose digest begins as another's does not get that one's files", async () => {
    const honest = layer(file('x', 'honest'));
    const image = await deliver(store, imageOf([honest]));
    const digest = image.config.diffIds[0] ?? '';
    // A layer that was stored under the same first digits, with a record as earlier stores wrote it.
    const [key, other] = [digest.slice(7, 7 + 16), `${digest.slice(0, 7 + 16)}${'f'.repeat(48)}`];
    const folder = join(place, 'collision/layers', key);
    mkdirSync(join(folder, 'd'), { recursive: true });
    writeFileSync(join(folder, 'd/x'), 'hostile');
    writeFileSync(join(folder, 'layer.json'), JSON.stringify({ key, diffId: other, bytes: 4096, inodes: 1 }));
    const usual = store;
    store = await openStore({}, 'collision');
    try {
      assert.equal(store.layers.list().length, 1);
      const again = await deliver(store, imageOf([honest]));
      inContainer(again, (root) => assert.equal(readFileSync(join(root, 'x'), 'utf8'), 'honest'));
      assert.equal(store.layers.list().length, 2);
      const reopened = await openStore({}, 'collision');
      assert.equal(reopened.layers.get(again.layerKeys[0] ?? '')?.diffId, digest);
      await reopened.close();
    } finally {
      await store.close();
      rmSync(store.root, { recursive: true });
      store = usual;
    }
  });
}

/** The archive with the type flag of its first header changed. */
function withFlag(tar: Buffer, flag: string): Buffer {
  const changed = Buffer.from(tar);
  changed.write(flag, 156, 'latin1');
  changed.fill(0x20, 148, 156);
  const sum = changed.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  changed.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return changed;
}

/** Images that are small to send and large to keep. */
function bombs(deliver: Delivery): void {
  const mebibyte = 1024 * 1024;
  const zeros = layer(file('zeros', Buffer.alloc(8 * mebibyte) as unknown as string));

  for (const [kind, pack] of [
    ['gzip', gzipSync],
    ['zstd', zstdCompressSync],
  ] as const) {
    test(`a ${kind} bomb is stopped while it unpacks`, async () => {
      const image = imageOf([{ plain: zeros.plain, packed: pack(zeros.plain) }]);
      await withBounds({ freeOfRatioBytes: mebibyte }, async () => {
        await assert.rejects(deliver(store, image), /packed more than 200 times/);
        assertNothing();
      });
    });
  }

  test('an image that unpacks to too many bytes, in one layer or in all, is refused', async () => {
    const part = (name: string) => layer(file(name, Buffer.alloc(4 * mebibyte) as unknown as string));
    await withBounds({ layerBytesMax: 6 * mebibyte }, async () => {
      await assert.rejects(deliver(store, imageOf([zeros])), /unpacks to more than 6291456 bytes/);
      await assert.rejects(deliver(store, imageOf([part('a'), part('b')])), /image unpacks to more than/);
      assertNothing();
    });
  });

  test('a layer with too many entries is refused', async () => {
    const entries = Array.from({ length: 1001 }, () => file('same', ''));
    await withBounds({ entriesMax: 1000 }, async () => {
      await assert.rejects(deliver(store, imageOf([layer(...entries)])), /more than 1000 entries/);
      assertNothing();
    });
  });

  test('a sparse file that is larger than any honest one is refused before a byte is written', async () => {
    const pax = [
      ['GNU.sparse.size', `${2 ** 45}`],
      ['GNU.sparse.map', '0,1'],
    ] as const;
    await assert.rejects(deliver(store, imageOf([layer(file('x', 'y', { pax }))])), /more than 68719476736/);
    assertNothing();
  });
}

/**
 * Docker's registry (distribution) and skopeo as judges of pushes, pulls and archives: what we push others pull, what
 * others push we pull, behind TLS with an authority of its own, with passwords, and with connections that tear.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { systemClock } from '@wherry/clock';
import {
  buildImage,
  ImageStore,
  loadArchive,
  Puller,
  Pusher,
  packTree,
  RegistryConfig,
  saveArchive,
  type TransferProgress,
  Transports,
} from '@wherry/images';
import { silentLogger } from '@wherry/telemetry';
import { freePort } from '../e2e/free-port.ts';
import { makeCertificates } from '../packages/images/test/certificates.ts';
import { archiveOf, imageOf } from '../packages/images/test/image-delivery.ts';
import { rawTar } from '../packages/images/test/raw-tar.ts';
import { needProgram } from '../packages/linux/test/needs.ts';

const user = 'pilot';
const password = 'of the wherry';
/** bcrypt of the password, cost 5, as htpasswd files have it. */
const passwordHash = '$2b$05$abcdefghijklmnopqrstuuy06e2G9GBqWjF51RlJGGl4bUoWfBUVC';
let folder: string;
let config: string;
let registry: ChildProcess;
let address: string;
const stores: ImageStore[] = [];
const signal = AbortSignal.timeout(300_000);
const auth = { username: user, password, auth: '', serverAddress: '', identityToken: '', registryToken: '' };

before(async () => {
  needProgram('/usr/bin/docker-registry', 'docker-registry');
  needProgram('/usr/bin/skopeo', 'skopeo');
  folder = mkdtempSync(join(tmpdir(), 'wherry-judge-'));
  const certificates = makeCertificates(folder);
  const port = await freePort();
  address = `127.0.0.1:${port}`;
  writeFileSync(join(folder, 'htpasswd'), `${user}:${passwordHash}\n`);
  writeFileSync(
    join(folder, 'registry.yml'),
    JSON.stringify({
      version: 0.1,
      log: { level: 'error', accesslog: { disabled: true } },
      storage: { filesystem: { rootdirectory: join(folder, 'registry') }, delete: { enabled: true } },
      http: {
        addr: address,
        tls: { certificate: certificates.server.certificate, key: certificates.server.key },
      },
      auth: { htpasswd: { realm: 'judge', path: join(folder, 'htpasswd') } },
    }),
  );
  registry = spawn('docker-registry', ['serve', join(folder, 'registry.yml')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await untilOpen(port);
  config = join(folder, 'certs.d');
  configure('registry.test', `server = "https://localhost:${port}"\nca = "${certificates.authority}"`);
  mkdirSync(join(folder, 'skopeo'));
  writeFileSync(join(folder, 'skopeo/ca.crt'), readFileSync(certificates.authority));
});

after(async () => {
  for (const store of stores) await store.close();
  registry?.kill();
  rmSync(folder, { recursive: true, force: true });
});

function configure(host: string, text: string): void {
  mkdirSync(join(config, host), { recursive: true });
  writeFileSync(join(config, host, 'hosts.toml'), text);
}

async function untilOpen(port: number): Promise<void> {
  for (let wait = 0; wait < 200; wait++) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await delay(50);
  }
  throw new Error('docker-registry does not listen');
}

async function open() {
  const images = new ImageStore({
    root: join(folder, `store${stores.length}`),
    clock: systemClock,
    logger: silentLogger,
  });
  stores.push(images);
  await images.open();
  const parts = {
    images,
    hosts: new RegistryConfig(config),
    transports: new Transports({ clock: systemClock }),
    clock: systemClock,
    logger: silentLogger,
  };
  return { images, puller: new Puller(parts), pusher: new Pusher(parts) };
}

const skopeo = (...words: string[]) =>
  execFileSync('skopeo', words, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 26,
  });
const access = (side: 'src' | 'dest') => [
  `--${side}-cert-dir=${join(folder, 'skopeo')}`,
  `--${side}-creds=${user}:${password}`,
];

/** A store with one image of two layers, one of them packed by gzip. */
async function withImage(name: string) {
  const side = await open();
  const plain = rawTar([{ path: 'random', content: randomBytes(3_000_000) }]);
  const bytes = imageOf([
    { plain, packed: gzipSync(plain) },
    { plain: rawTar([{ path: 'etc/note', content: name }]) },
  ]);
  const [image] = await loadArchive(side.images, Readable.from([archiveOf(bytes, name)]));
  return { ...side, id: image?.id ?? '', bytes };
}

test('what we push skopeo inspects and copies, and we pull it again', async () => {
  const name = 'registry.test/fleet/boat:v1';
  const { pusher, id, images } = await withImage(name);
  const news: TransferProgress[] = [];
  const digest = await pusher.push(name, { auth, signal, onProgress: (one) => news.push(one) });
  assert.equal(digest, `registry.test/fleet/boat@${images.find(name).manifestDigest}`);
  assert.equal(news.filter(({ phase }) => phase === 'done').length, 3);
  const seen = JSON.parse(
    skopeo(
      'inspect',
      `--cert-dir=${join(folder, 'skopeo')}`,
      `--creds=${user}:${password}`,
      `docker://${address}/fleet/boat:v1`,
    ),
  );
  assert.equal(seen.Digest, images.find(name).manifestDigest);
  const { puller } = await open();
  assert.equal((await puller.pull(name, { auth, signal })).id, id);
  await assert.rejects(puller.pull(name, { signal }), /401/);
});

test('a second push sends nothing, and one into another repository mounts', async () => {
  const name = 'registry.test/fleet/boat:v2';
  const { pusher } = await withImage(name);
  await pusher.push(name, { auth, signal });
  const phases = async (as: string) => {
    const found = new Set<string>();
    await pusher.push(name, { as, auth, signal, onProgress: ({ phase }) => found.add(phase) });
    return [...found];
  };
  assert.deepEqual(await phases(name), ['present']);
  assert.deepEqual(await phases('registry.test/other/boat:v2'), ['present']);
});

for (const format of ['gzip', 'zstd'])
  test(`an image that skopeo pushed in ${format} is pulled and unpacked`, async () => {
    const tree = join(folder, `tree-${format}`);
    mkdirSync(tree);
    writeFileSync(join(tree, 'file'), randomBytes(500_000));
    const { images } = await open();
    await buildImage(images, packTree(tree), { name: 'made:1', cmd: ['/x'] });
    const archive = join(folder, `${format}.tar`);
    await pipeline(Readable.from(await saveArchive(images, ['made:1'])), createWriteStream(archive));
    const packing = ['--dest-compress', `--dest-compress-format=${format}`, '--format=oci'];
    skopeo(
      'copy',
      ...access('dest'),
      ...packing,
      `oci-archive:${archive}`,
      `docker://${address}/made/${format}:1`,
    );
    const { images: other, puller } = await open();
    const pulled = await puller.pull(`registry.test/made/${format}:1`, { auth, signal });
    assert.match((await other.blobs.get(pulled.manifestDigest)).toString(), new RegExp(`tar\\+${format}`));
    const layer = join(other.layers.root, pulled.layerKeys[0] ?? '', 'd');
    assert.ok(readFileSync(join(layer, 'file')).equals(readFileSync(join(tree, 'file'))));
  });

test('an OCI artifact that skopeo pushed becomes files under their titles, and what we push of it skopeo reads', async () => {
  const layout = join(folder, 'artifact');
  mkdirSync(join(layout, 'blobs/sha256'), { recursive: true });
  const blob = (bytes: Buffer, mediaType: string, title?: string) => {
    const digest = createHash('sha256').update(bytes).digest('hex');
    writeFileSync(join(layout, 'blobs/sha256', digest), bytes);
    const annotations =
      title === undefined ? {} : { annotations: { 'org.opencontainers.image.title': title } };
    return { mediaType, digest: `sha256:${digest}`, size: bytes.length, ...annotations };
  };
  const model = randomBytes(1_000_001);
  const packed = gzipSync('stays packed');
  const manifest = {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    artifactType: 'application/vnd.example.model',
    config: blob(Buffer.from('{}'), 'application/vnd.oci.empty.v1+json'),
    layers: [
      blob(model, 'application/octet-stream', 'weights/model.bin'),
      blob(packed, 'application/gzip', 'words.gz'),
      // The same bytes under another name are another file.
      blob(packed, 'application/gzip', './again.gz'),
      blob(Buffer.from('no title'), 'text/plain'),
    ],
  };
  const manifestBytes = Buffer.from(JSON.stringify(manifest));
  writeFileSync(
    join(layout, 'index.json'),
    JSON.stringify({ schemaVersion: 2, manifests: [blob(manifestBytes, manifest.mediaType)] }),
  );
  writeFileSync(join(layout, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
  skopeo('copy', ...access('dest'), `oci:${layout}`, `docker://${address}/models/small:1`);
  const name = 'registry.test/models/small:1';
  const { images, puller, pusher } = await open();
  const pulled = await puller.pull(name, { auth, signal });
  assert.equal(pulled.artifactType, 'application/vnd.example.model');
  const id = `sha256:${createHash('sha256').update(manifestBytes).digest('hex')}`;
  assert.deepEqual([pulled.id, pulled.manifestDigest], [id, id]);
  const layer = (at: number) => join(images.layers.root, pulled.layerKeys[at] ?? '', 'd');
  assert.ok(readFileSync(join(layer(0), 'weights/model.bin')).equals(model));
  assert.ok(readFileSync(join(layer(1), 'words.gz')).equals(packed));
  assert.ok(readFileSync(join(layer(2), 'again.gz')).equals(packed));
  const untitled = String(manifest.layers[3]?.digest).replace(':', '-');
  assert.equal(readFileSync(join(layer(3), untitled), 'utf8'), 'no title');
  await pusher.push(name, { as: 'registry.test/copies/small:1', auth, signal });
  const raw = skopeo(
    ...['inspect', '--raw', `--cert-dir=${join(folder, 'skopeo')}`, `--creds=${user}:${password}`],
    `docker://${address}/copies/small:1`,
  );
  assert.equal(raw, manifestBytes.toString());
  await assert.rejects(
    saveArchive(images, [name]),
    /OCI artifact of the type "application\/vnd.example.model"/,
  );
  // The next start knows it, and a removal takes all of it away.
  const again = new ImageStore({ root: images.root, clock: systemClock, logger: silentLogger });
  await again.open();
  assert.deepEqual(again.find(name).config.diffIds, pulled.config.diffIds);
  await again.remove(name);
  assert.deepEqual([again.layers.list(), await again.blobs.list()], [[], []]);
  await again.close();
});

test('what we save skopeo reads as an OCI layout and as a docker archive, and we load it again', async () => {
  const name = 'registry.test/fleet/saved:v1';
  const { images, id } = await withImage(name);
  const archive = join(folder, 'saved.tar');
  await pipeline(Readable.from(await saveArchive(images, [name])), createWriteStream(archive));
  for (const transport of [`oci-archive:${archive}`, `docker-archive:${archive}`]) {
    assert.equal(skopeo('inspect', '--config', '--raw', transport).length > 0, true);
    const config = skopeo('inspect', '--config', '--raw', transport);
    assert.equal(`sha256:${createHash('sha256').update(config).digest('hex')}`, id, transport);
    skopeo('copy', transport, `dir:${join(folder, 'copied')}`);
  }
  const { images: other } = await open();
  const [loaded] = await loadArchive(other, Readable.from([readFileSync(archive)]));
  assert.deepEqual([loaded?.id, loaded?.tags], [id, [name]]);
});

test('a torn upload is made good, and a torn download goes on where it stopped', async () => {
  const tearing = await startTearingProxy(Number(address.split(':')[1]), 1_500_000);
  try {
    configure('torn.test', `server = "https://localhost:${tearing.port}"\nskip_verify = true`);
    const name = 'torn.test/fleet/torn:v1';
    const { pusher, id, bytes } = await withImage(name);
    tearing.left = 1;
    await pusher.push(name, { auth, signal });
    assert.equal(tearing.left, 0, 'the upload tore');
    tearing.left = 2;
    const { puller } = await open();
    assert.equal((await puller.pull(name, { auth, signal })).id, id);
    assert.equal(tearing.left, 0, 'the download tore twice');
    const size = bytes.blobs.reduce((sum, blob) => sum + blob.length, 0);
    assert.ok(tearing.downBytes < size * 1.5, 'no download began at the beginning again');
  } finally {
    tearing.close();
  }
});

/** Passes connections on, and tears `left` of those that have carried so many bytes in one direction. */
async function startTearingProxy(target: number, afterBytes: number) {
  const sockets = new Set<Socket>();
  const state = { left: 0, upBytes: 0, downBytes: 0 };
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    const pass = (from: Socket, to: Socket, count: 'upBytes' | 'downBytes') => {
      let bytes = 0;
      from.on('data', (chunk) => {
        bytes += chunk.length;
        state[count] += chunk.length;
        if (bytes > afterBytes && state.left > 0) {
          state.left--;
          client.destroy();
          upstream.destroy();
        } else if (!to.write(chunk)) {
          from.pause();
          to.once('drain', () => from.resume());
        }
      });
      from.on('end', () => to.end());
      from.on('error', () => to.destroy());
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    }
    pass(client, upstream, 'upBytes');
    pass(upstream, client, 'downBytes');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(state, {
    port: (server.address() as AddressInfo).port,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
}

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { systemClock } from '@wherry/clock';
import { silentLogger } from '@wherry/telemetry';
import { archiveOf, imageOf } from '../../test/image-delivery.ts';
import { rawTar } from '../../test/raw-tar.ts';
import { createImageClient, type ImageClient } from '../admin/image-admin-client.ts';
import { ImageAdminServer } from '../admin/image-admin-server.ts';
import { loadArchive } from '../archive/archive-load.ts';
import { RegistryConfig } from '../hosts/registry-config.ts';
import { digestOf } from '../layers/digest.ts';
import { ImageStore } from '../store/image-store.ts';
import { Transports } from '../transport/transports.ts';
import type { TransferProgress } from './progress.ts';
import { Puller } from './puller.ts';
import { Pusher } from './pusher.ts';

const layer = rawTar([{ path: 'file', content: Buffer.alloc(2_000_000, 'content ') }]);
const bytes = imageOf([{ plain: layer }]);
let folder: string;
let client: ImageClient;
const stores: ImageStore[] = [];
const closing: (() => unknown)[] = [];

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wherry-push-'));
  ({ client } = await serve());
});

after(async () => {
  for (const close of closing.reverse()) await close();
  rmSync(folder, { recursive: true, force: true });
});

/** A store with its socket. */
async function serve({ discardsPackedLayers = false, hosts = new RegistryConfig() } = {}) {
  const at = join(folder, `store${stores.length}`);
  const images = new ImageStore({ root: at, clock: systemClock, logger: silentLogger, discardsPackedLayers });
  stores.push(images);
  await images.open();
  const parts = {
    images,
    hosts,
    transports: new Transports({ clock: systemClock }),
    clock: systemClock,
    logger: silentLogger,
  };
  const server = new ImageAdminServer({
    store: images,
    puller: new Puller(parts),
    pusher: new Pusher(parts),
  });
  await server.listen(`${at}.sock`);
  closing.push(async () => {
    await server.close();
    await images.close();
  });
  return { images, client: createImageClient(`${at}.sock`) };
}

/**
 * A registry that keeps what it is sent in memory; `tearAfter` bytes of the first upload tear its connection. It refuses
 * the first of each kind of request when it `refuses`.
 */
async function startPushable(tearAfter = Number.POSITIVE_INFINITY, { refuses = false } = {}) {
  const contents = new Map<string, Buffer>();
  const types = new Map<string, string>();
  const sessions: Buffer[] = [];
  const ranges: (string | undefined)[] = [];
  const refused = new Set<string>();
  let left = tearAfter === Number.POSITIVE_INFINITY ? 0 : 1;
  const accepted = (response: ServerResponse, status: number, at: number) => {
    const location = `/v2/a/b/blobs/uploads/${at}`;
    const last = Math.max((sessions[at]?.length ?? 0) - 1, 0);
    response.writeHead(status, { location, range: `0-${last}` }).end();
  };
  /** False when the connection was torn. */
  const append = async (request: IncomingMessage, at: number) => {
    for await (const chunk of request) {
      sessions[at] = Buffer.concat([sessions[at] as Buffer, chunk as Buffer]);
      if (left === 0 || sessions[at].length <= tearAfter) continue;
      left--;
      request.socket.destroy();
      return false;
    }
    return true;
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://registry');
    const key = pathname.replace('/v2/a/b/', '');
    const at = Number(/^blobs\/uploads\/(\d+)$/.exec(key)?.[1] ?? sessions.length);
    const kind = `${request.method} ${key.split('/')[0]}`;
    if (refuses && !refused.has(kind)) {
      refused.add(kind);
      request.resume();
      return response.writeHead(429, { 'retry-after': '0' }).end();
    }
    switch (`${request.method} ${key.split('/').slice(0, 2).join('/')}`) {
      case 'POST blobs/uploads':
        sessions.push(Buffer.alloc(0));
        return accepted(response, 202, at);
      case 'GET blobs/uploads':
        return accepted(response, 204, at);
      case 'PATCH blobs/uploads':
        ranges.push(request.headers['content-range']);
        return (await append(request, at)) && accepted(response, 202, at);
      case 'PUT blobs/uploads': {
        const content = sessions[at] as Buffer;
        contents.set(`blobs/${digestOf(content)}`, content);
        return response.writeHead(searchParams.get('digest') === digestOf(content) ? 201 : 400).end();
      }
      default:
    }
    if (request.method === 'PUT') {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      for (const name of [key, `manifests/${digestOf(Buffer.concat(chunks))}`]) {
        contents.set(name, Buffer.concat(chunks));
        types.set(name, request.headers['content-type'] ?? '');
      }
      return response.writeHead(201).end();
    }
    const found = contents.get(key);
    response.writeHead(found ? 200 : 404, { 'content-type': types.get(key) ?? 'application/octet-stream' });
    return response.end(request.method === 'HEAD' ? undefined : found);
  };
  const server = createServer(
    (request, response) => void answer(request, response).catch(() => response.destroy()),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, ranges, contents, refused };
}

test('an image is pushed and pulled over the socket, with news of every blob', async () => {
  const registry = await startPushable();
  const name = `${registry.host}/a/b:v1`;
  await client.load(Readable.from([archiveOf(bytes, name)]));
  const push = client.push(name);
  const news: TransferProgress[] = [];
  for await (const one of push.progress) news.push(one);
  assert.equal((await push.done).digest, `${registry.host}/a/b@${digestOf(bytes.manifest)}`);
  assert.deepEqual(
    new Set(news.filter(({ phase }) => phase === 'done').map(({ digest }) => digest)),
    new Set(bytes.blobs.map(digestOf)),
  );
  const other = await serve();
  const pull = other.client.pull(name);
  const seen: TransferProgress[] = [];
  for await (const one of pull.progress) seen.push(one);
  assert.deepEqual((await pull.done).names, [name]);
  assert.deepEqual(seen.at(-1), {
    digest: digestOf(layer),
    phase: 'done',
    doneBytes: layer.length,
    totalBytes: layer.length,
  });
});

test('a torn upload goes on from the byte that the registry has', async () => {
  const registry = await startPushable(700_000);
  const name = `${registry.host}/a/b:v1`;
  await client.load(
    Readable.from([archiveOf(imageOf([{ plain: layer }], { config: { Cmd: ['/torn'] } }), name)]),
  );
  await client.push(name).done;
  const resumed = registry.ranges.filter((range) => range !== undefined);
  assert.equal(resumed.length, 1);
  assert.match(resumed[0] ?? '', /^[1-9]\d*-\d+$/);
  assert.ok(registry.contents.get(`blobs/${digestOf(layer)}`)?.equals(layer));
});

test('a registry that has too much to do while it is pushed to is asked again, whatever it refused', async () => {
  const registry = await startPushable(undefined, { refuses: true });
  const name = `${registry.host}/a/b:v1`;
  await client.load(Readable.from([archiveOf(bytes, name)]));
  await client.push(name).done;
  assert.ok(registry.contents.get(`blobs/${digestOf(layer)}`)?.equals(layer));
  const kinds = ['HEAD blobs', 'POST blobs', 'PATCH blobs', 'GET blobs', 'PUT blobs', 'PUT manifests'];
  assert.deepEqual([...registry.refused].sort(), kinds.sort());
});

test('a push goes to the first host that takes images, be it a mirror', async () => {
  const [reading, mirror] = [await startPushable(), await startPushable()];
  const config = join(folder, 'hosts');
  mkdirSync(join(config, 'registry.test'), { recursive: true });
  writeFileSync(
    join(config, 'registry.test', 'hosts.toml'),
    `[host."http://${reading.host}"]\ncapabilities = ["pull", "resolve"]\n[host."http://${mirror.host}"]\n`,
  );
  const { client: own } = await serve({ hosts: new RegistryConfig(config) });
  await own.load(Readable.from([archiveOf(bytes, 'registry.test/a/b:v1')]));
  const { digest } = await own.push('registry.test/a/b:v1').done;
  assert.equal(digest, `registry.test/a/b@${digestOf(bytes.manifest)}`);
  assert.ok(mirror.contents.has('manifests/v1'));
  assert.equal(reading.contents.size, 0);
});

test('a failed transfer says why, once its news end', async () => {
  const pull = client.pull('127.0.0.1:1/a/b:v1');
  for await (const _ of pull.progress) assert.fail('there is no news of it');
  await assert.rejects(pull.done, {
    code: 'UNKNOWN',
    message: /^RegistryUnavailable: 127\.0\.0\.1:1 cannot be reached/,
  });
  await assert.rejects(client.push('absent').done, { code: 'NOT_FOUND' });
  await assert.rejects(client.save(['absent']), { code: 'NOT_FOUND' });
});

test('a cancelled pull stops in the runtime too', async () => {
  let isTorn = false;
  const server = createServer((request) => request.once('close', () => (isTorn = true))).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  closing.push(() => server.close());
  const cancel = AbortSignal.timeout(100);
  const name = `127.0.0.1:${(server.address() as AddressInfo).port}/a/b:v1`;
  await assert.rejects(client.pull(name, { signal: cancel }).done, { name: 'TimeoutError' });
  for (let wait = 0; wait < 100 && !isTorn; wait++) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.ok(isTorn);
});

test('an image whose packed layers were not kept is refused by name, and pushed where the registry has them', async () => {
  const registry = await startPushable();
  const name = `${registry.host}/a/b:v1`;
  const { client: frugal, images } = await serve({ discardsPackedLayers: true });
  await frugal.load(Readable.from([archiveOf(bytes, name)]));
  assert.equal(await images.blobs.find(digestOf(layer), layer.length), undefined);
  const refused = { code: 'FAILED_PRECONDITION', message: /was not kept packed/ };
  await assert.rejects(frugal.push(name).done, refused);
  await assert.rejects(frugal.save([name]), refused);
  await client.load(Readable.from([archiveOf(bytes, name)]));
  await client.push(name).done;
  await frugal.push(name).done;
});

test('a saved archive holds what was asked for and loads again', async () => {
  const { client: one } = await serve();
  await one.load(Readable.from([archiveOf(bytes, 'example.test/saved:v1')]));
  const { images } = await serve();
  const loaded = await loadArchive(images, await one.save(['example.test/saved:v1']));
  assert.deepEqual(
    loaded.map(({ tags }) => tags),
    [['example.test/saved:v1']],
  );
});

test('a prune takes nameless images, or all, and leaves pinned ones and those of containers', async () => {
  const { client: one, images } = await serve();
  const load = async (cmd: string, name: string) => {
    const plain = rawTar([{ path: 'cmd', content: cmd }]);
    await one.load(Readable.from([archiveOf(imageOf([{ plain }], { config: { Cmd: [cmd] } }), name)]));
    return images.find(name);
  };
  await load('old', 'example.test/moved:v1');
  await load('new', 'example.test/moved:v1');
  await load('pinned', 'example.test/pinned:v1');
  const used = await load('used', 'example.test/used:v1');
  await one.pin('example.test/pinned:v1', true);
  images.holdLayers(() => used.layerKeys);
  const first = await one.prune();
  assert.deepEqual(
    first.removed.map(({ names }) => names),
    [[]],
  );
  assert.ok(first.freedBytes > 0);
  assert.deepEqual(
    (await one.prune({ all: true })).removed.map(({ names }) => names),
    [['example.test/moved:v1']],
  );
  await one.pin('example.test/pinned:v1', false);
  images.holdLayers(() => []);
  await one.prune({ all: true });
  assert.deepEqual(images.catalog.list(), []);
  assert.deepEqual(await images.blobs.list(), []);
});

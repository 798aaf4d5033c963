import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { systemClock } from '@wherry/clock';
import { silentLogger } from '@wherry/telemetry';
import { packTree } from '../archive/tree-tar.ts';
import { RegistryConfig } from '../hosts/registry-config.ts';
import { Puller } from '../registry/puller.ts';
import { Pusher } from '../registry/pusher.ts';
import { ImageStore } from '../store/image-store.ts';
import { Transports } from '../transport/transports.ts';
import { createImageClient, type ImageClient } from './image-admin-client.ts';
import { ImageAdminServer } from './image-admin-server.ts';

let folder: string;
let store: ImageStore;
let server: ImageAdminServer;
let client: ImageClient;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wherry-admin-'));
  mkdirSync(join(folder, 'tree'));
  writeFileSync(join(folder, 'tree/file'), Buffer.alloc(3_000_000, 'x'));
  store = new ImageStore({ root: join(folder, 'images'), clock: systemClock, logger: silentLogger });
  await store.open();
  const parts = {
    images: store,
    hosts: new RegistryConfig(),
    transports: new Transports({ clock: systemClock }),
    clock: systemClock,
    logger: silentLogger,
  };
  server = new ImageAdminServer({ store, puller: new Puller(parts), pusher: new Pusher(parts) });
  await server.listen(join(folder, 'images.sock'));
  client = createImageClient(join(folder, 'images.sock'));
});

after(async () => {
  await server.close();
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

test('the socket is for its owner alone', async () => {
  assert.equal((await stat(join(folder, 'images.sock'))).mode & 0o777, 0o600);
});

test('an image is built, listed, inspected and removed over the socket', async () => {
  const options = { name: 'over-the-wire', entrypoint: ['/file'], env: ['A=ü'], user: '7' };
  const built = await client.build(packTree(join(folder, 'tree')), options);
  assert.deepEqual(built.names, ['docker.io/library/over-the-wire:latest']);
  assert.deepEqual(
    (await client.list()).images.map(({ id }) => id),
    [built.id],
  );
  const { config } = await client.inspect('over-the-wire');
  assert.deepEqual([config.entrypoint, config.env.at(-1), config.user], [['/file'], 'A=ü', '7']);
  assert.equal((await client.remove('over-the-wire')).id, built.id);
  assert.deepEqual((await client.list()).images, []);
});

test('refusals come with their kind and words', async () => {
  await assert.rejects(client.inspect('absent'), {
    code: 'NOT_FOUND',
    message: /"absent" is not on this machine/,
  });
  await assert.rejects(client.build(packTree(join(folder, 'tree')), { name: 'BAD NAME' }), {
    code: 'INVALID_ARGUMENT',
  });
  const noArchive = Readable.from([Buffer.alloc(100_000, 'this is no tar')]);
  await assert.rejects(client.load(noArchive), { code: 'INVALID_ARGUMENT' });
});

test('a failing source fails the load and leaves nothing', async () => {
  async function* torn() {
    yield Buffer.alloc(1000);
    throw new Error('the disk went away');
  }
  await assert.rejects(client.load(torn()));
  assert.deepEqual((await client.list()).images, []);
});

test('a call does without the connection of an earlier one, which may be closed', async () => {
  const answered = new WeakSet<Socket>();
  const impatient = createServer(({ socket }, response) => {
    if (answered.has(socket)) socket.destroy();
    answered.add(socket);
    response.end(JSON.stringify({ images: [] }));
  });
  const socketPath = join(folder, 'impatient.sock');
  impatient.listen(socketPath);
  try {
    const other = createImageClient(socketPath);
    for (let call = 0; call < 2; call++) assert.deepEqual((await other.list()).images, []);
  } finally {
    impatient.close();
    impatient.closeAllConnections();
  }
});

test('without a runtime the call says which socket does not answer', async () => {
  const path = join(folder, 'none.sock');
  await assert.rejects(createImageClient(path).list(), { code: 'UNAVAILABLE', message: /none\.sock/ });
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { systemClock } from '@wherry/clock';
import { silentLogger } from '@wherry/telemetry';
import { pack } from 'tar-stream';
import { makeManifest } from '../archive/archive-load.ts';
import { RegistryConfig } from '../hosts/registry-config.ts';
import { digestOf } from '../layers/digest.ts';
import { encodeImageConfig } from '../store/image-config.ts';
import { ImageStore } from '../store/image-store.ts';
import { mediaTypes } from '../store/manifest.ts';
import { Transports } from '../transport/transports.ts';
import { parseChallenge } from './challenge.ts';
import type { RegistryAuth } from './credentials.ts';
import { Puller } from './puller.ts';
import { retryAfterMs } from './registry-unavailable.ts';

const never = new AbortController().signal;
const noAuth: RegistryAuth = {
  username: '',
  password: '',
  auth: '',
  serverAddress: '',
  identityToken: '',
  registryToken: '',
};

let folder: string;
let image: Awaited<ReturnType<typeof makeImage>>;
const stores: ImageStore[] = [];
const servers: Server[] = [];

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wherry-registry-'));
  image = await makeImage();
});

after(async () => {
  for (const store of stores) await store.close();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await rm(folder, { recursive: true, force: true });
});

async function makeImage() {
  const tar = pack();
  tar.entry({ name: 'file' }, Buffer.alloc(300_000, 'x').toString());
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar) chunks.push(chunk as Buffer);
  const plain = Buffer.concat(chunks);
  const layer = gzipSync(plain, { level: 0 });
  const config = encodeImageConfig({
    architecture: 'amd64',
    user: '',
    env: [],
    entrypoint: ['/x'],
    cmd: [],
    workingDir: '',
    stopSignal: '',
    diffIds: [digestOf(plain)],
  });
  const { manifestBytes } = makeManifest(config, [{ digest: digestOf(layer), size: layer.length }]);
  return { layer, config, manifest: manifestBytes };
}

type Hook = (request: IncomingMessage, response: ServerResponse) => boolean;

/** A registry with the one image `a/b:v1`; `hook` may answer instead by returning true. */
async function startRegistry(
  hook: Hook = () => false,
  { address = '127.0.0.1', port = 0 } = {},
): Promise<string> {
  const { layer, config, manifest } = image;
  const blobs = new Map([layer, config].map((blob) => [`/v2/a/b/blobs/${digestOf(blob)}`, blob]));
  const manifests = [`/v2/a/b/manifests/v1`, `/v2/a/b/manifests/${digestOf(manifest)}`];
  const server = createServer((request, response) => {
    if (hook(request, response)) return;
    const path = (request.url ?? '').split('?')[0] ?? '';
    if (manifests.includes(path)) {
      response.writeHead(200, { 'content-type': mediaTypes.manifest }).end(manifest);
      return;
    }
    const blob = blobs.get(path);
    if (!blob) {
      response.writeHead(404).end('{"errors":[{"code":"MANIFEST_UNKNOWN"}]}');
      return;
    }
    const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    response.writeHead(start > 0 ? 206 : 200).end(blob.subarray(start));
  });
  servers.push(server);
  server.listen(port, address);
  await once(server, 'listening');
  return `${address}:${(server.address() as AddressInfo).port}`;
}

let count = 0;
/** A puller that is configured by these `hosts.toml`, by host. */
async function openPuller(hostFiles: Record<string, string> = {}) {
  const config = join(folder, `config${++count}`);
  mkdirSync(config);
  for (const [host, text] of Object.entries(hostFiles)) {
    mkdirSync(join(config, host));
    writeFileSync(join(config, host, 'hosts.toml'), text);
  }
  const images = new ImageStore({
    root: join(folder, `store${++count}`),
    clock: systemClock,
    logger: silentLogger,
  });
  stores.push(images);
  await images.open();
  const puller = new Puller({
    images,
    hosts: new RegistryConfig(config),
    transports: new Transports({ clock: systemClock }),
    clock: systemClock,
    logger: silentLogger,
  });
  return { images, puller };
}

test('an image is pulled by tag and by digest', async () => {
  const host = await startRegistry();
  const { images, puller } = await openPuller();
  const byDigest = await puller.pull(`${host}/a/b@${digestOf(image.manifest)}`, { signal: never });
  assert.deepEqual(byDigest.tags, []);
  const byTag = await puller.pull(`${host}/a/b:v1`, { signal: never });
  assert.equal(byTag.id, digestOf(image.config));
  assert.deepEqual(byTag.tags, [`${host}/a/b:v1`]);
  assert.deepEqual(byTag.digests, [`${host}/a/b@${digestOf(image.manifest)}`]);
  assert.equal(images.catalog.list().length, 1);
});

test('a mirror is asked first and the name stays that of the registry', async () => {
  const host = await startRegistry();
  const { puller } = await openPuller({ 'registry.test': `[host."http://${host}"]` });
  const pulled = await puller.pull('registry.test/a/b:v1', { signal: never });
  assert.deepEqual(pulled.tags, ['registry.test/a/b:v1']);
});

test('a registry that cannot be reached is told by the word that the kubelet knows', async () => {
  const { puller } = await openPuller();
  await assert.rejects(puller.pull('127.0.0.1:1/a/b:v1', { signal: never }), {
    code: 'UNKNOWN',
    message: /^RegistryUnavailable: 127\.0\.0\.1:1 cannot be reached/,
  });
});

test('a tag that the registry lacks is not found', async () => {
  const host = await startRegistry();
  const { puller } = await openPuller();
  await assert.rejects(puller.pull(`${host}/a/b:v2`, { signal: never }), { code: 'NOT_FOUND' });
});

test('a wrong digest fails the pull and nothing is listed', async () => {
  const host = await startRegistry((request, response) => {
    if (!request.url?.includes(digestOf(image.layer))) return false;
    response.end(Buffer.alloc(image.layer.length));
    return true;
  });
  const { images, puller } = await openPuller();
  await assert.rejects(puller.pull(`${host}/a/b:v1`, { signal: never }), /is damaged/);
  assert.deepEqual(images.catalog.list(), []);
  assert.deepEqual(images.layers.list(), []);
});

/** Begins to send the layer, and breaks off. */
function answerTorn(response: ServerResponse): void {
  response.writeHead(200, { 'content-length': image.layer.length });
  response.write(image.layer.subarray(0, 100_000));
  setTimeout(() => response.destroy(), 50);
}

test('a torn download goes on where it stopped', async () => {
  const ranges: (string | undefined)[] = [];
  const host = await startRegistry((request, response) => {
    if (!request.url?.includes(digestOf(image.layer))) return false;
    ranges.push(request.headers.range);
    if (ranges.length > 1) return false;
    answerTorn(response);
    return true;
  });
  const { puller } = await openPuller();
  await puller.pull(`${host}/a/b:v1`, { signal: never });
  assert.match(ranges.at(-1) ?? '', /^bytes=[1-9]\d*-$/);
});

test('a download whose rest the registry refuses begins anew', async () => {
  const ranges: (string | undefined)[] = [];
  const host = await startRegistry((request, response) => {
    if (!request.url?.includes(digestOf(image.layer))) return false;
    ranges.push(request.headers.range);
    if (request.headers.range !== undefined) {
      response.writeHead(416).end();
      return true;
    }
    if (ranges.length > 1) return false;
    answerTorn(response);
    return true;
  });
  const { puller } = await openPuller();
  const pulled = await puller.pull(`${host}/a/b:v1`, { signal: never });
  assert.equal(pulled.id, digestOf(image.config));
  assert.equal(ranges.length, 3);
  assert.match(ranges[1] ?? '', /^bytes=[1-9]\d*-$/);
  assert.equal(ranges[2], undefined);
});

test('a registry without ranges that is asked for the rest of a blob is asked once: its whole answer counts', async () => {
  let asked = 0;
  const host = await startRegistry((request, response) => {
    if (!request.url?.includes(digestOf(image.layer))) return false;
    if (++asked === 1) answerTorn(response);
    else response.writeHead(200, { 'content-length': image.layer.length }).end(image.layer);
    return true;
  });
  const { puller } = await openPuller();
  const pulled = await puller.pull(`${host}/a/b:v1`, { signal: never });
  assert.equal(pulled.id, digestOf(image.config));
  assert.equal(asked, 2);
});

test('what is here and unchanged is asked for by HEAD alone, which registries count as no pull', async () => {
  const asked: string[] = [];
  const connections = new Set<unknown>();
  let digest = digestOf(image.manifest);
  const host = await startRegistry((request, response) => {
    asked.push(`${request.method} ${request.url?.replace(/^.*\/a\/b\//, '')}`);
    if (request.method !== 'HEAD') return false;
    connections.add(request.socket);
    response.writeHead(200, { 'docker-content-digest': digest, 'content-length': 100_000_000 }).end();
    return true;
  });
  const { images, puller } = await openPuller();
  const pull = async (name: string) => {
    asked.length = 0;
    await puller.pull(`${host}/a/b${name}`, { signal: never });
    return asked;
  };
  assert.equal((await pull(':v1'))[0], 'GET manifests/v1');
  assert.deepEqual(await pull(':v1'), ['HEAD manifests/v1']);
  assert.deepEqual(await pull(`@${digest}`), [`HEAD manifests/${digest}`]);
  assert.equal(connections.size, 1);
  digest = digestOf(Buffer.from('another manifest'));
  assert.deepEqual((await pull(':v1')).slice(0, 2), ['HEAD manifests/v1', 'GET manifests/v1']);
  assert.deepEqual(images.find(`${host}/a/b:v1`).tags, [`${host}/a/b:v1`]);
});

test('a tag that has moved to an image that is here takes one HEAD to follow', async () => {
  const host = await startRegistry((request, response) => {
    if (request.method !== 'HEAD') return false;
    response.writeHead(200, { 'docker-content-digest': digestOf(image.manifest) }).end();
    return true;
  });
  const { images, puller } = await openPuller();
  const { id } = await puller.pull(`${host}/a/b:v1`, { signal: never });
  const old = Buffer.from(JSON.stringify({ ...JSON.parse(image.config.toString()), author: 'old' }));
  const manifest = makeManifest(old, [{ digest: digestOf(image.layer), size: image.layer.length }]);
  await images.install({
    ...manifest,
    configBytes: old,
    layer: () => ({ fetch: () => assert.fail('its layer is here') }),
    tags: [`${host}/a/b:moved`],
    digests: [],
  });
  assert.notEqual(images.find(`${host}/a/b:moved`).id, id);
  assert.equal((await puller.pull(`${host}/a/b:moved`, { signal: never })).id, id);
  assert.equal(images.find(`${host}/a/b:moved`).id, id);
});

test('a registry that answers HEAD with an error, or without the digest, is asked by GET', async () => {
  for (const status of [200, 404, 405]) {
    const host = await startRegistry((request, response) => {
      if (request.method === 'HEAD') response.writeHead(status).end();
      return request.method === 'HEAD';
    });
    const { puller } = await openPuller();
    for (let round = 0; round < 2; round++) await puller.pull(`${host}/a/b:v1`, { signal: never });
  }
});

test('Retry-After is a number of seconds or a date, one in the past among them', () => {
  const nowMs = Date.parse('2026-10-21T07:28:00Z');
  assert.equal(retryAfterMs('7', nowMs), 7_000);
  assert.equal(retryAfterMs('Wed, 21 Oct 2026 07:28:05 GMT', nowMs), 5_000);
  assert.equal(retryAfterMs('Wed, 21 Oct 2026 07:00:00 GMT', nowMs), 0);
  assert.equal(retryAfterMs('soon', nowMs), undefined);
  assert.equal(retryAfterMs(undefined, nowMs), undefined);
});

test('a registry named by http without a port that has TLS settings is asked at 443, then at 80', async () => {
  const address = `127.${1 + (process.pid & 127)}.${(process.pid >> 7) & 255}.80`;
  const plain = await startRegistry(() => false, { address, port: 80 });
  assert.equal(plain, `${address}:80`);
  const { puller } = await openPuller({
    'registry.test': `server = "http://${address}"\nskip_verify = true`,
  });
  await puller.pull('registry.test/a/b:v1', { signal: never });
});

test('basic credentials go to the registry that asks for them, and only there', async () => {
  const seen: (string | undefined)[] = [];
  const other = await startRegistry((request) => {
    seen.push(request.headers.authorization);
    return false;
  });
  const wanted = `Basic ${Buffer.from('me:secret').toString('base64')}`;
  const host = await startRegistry((request, response) => {
    if (request.headers.authorization !== wanted) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
      return true;
    }
    if (!request.url?.includes('/blobs/')) return false;
    response.writeHead(307, { location: `http://${other}${request.url}` }).end();
    return true;
  });
  const { puller } = await openPuller();
  const auth = { ...noAuth, username: 'me', password: 'secret' };
  await puller.pull(`${host}/a/b:v1`, { auth, signal: never });
  assert.ok(seen.length >= 2);
  assert.deepEqual(new Set(seen), new Set([undefined]));
  await assert.rejects(
    puller.pull(`${host}/a/b:v1`, { auth: { ...auth, serverAddress: 'elsewhere.test' }, signal: never }),
    /401/,
  );
});

test('a bearer token is fetched with the scope that the registry names', async () => {
  let asked = '';
  const tokens = createServer((request, response) => {
    asked = `${request.url} ${request.headers.authorization}`;
    response.end(JSON.stringify({ token: 'T' }));
  });
  servers.push(tokens);
  tokens.listen(0, '127.0.0.1');
  await once(tokens, 'listening');
  const realm = `http://127.0.0.1:${(tokens.address() as AddressInfo).port}/token`;
  const host = await startRegistry((request, response) => {
    if (request.headers.authorization === 'Bearer T') return false;
    const challenge = `Bearer realm="${realm}",service="s",scope="repository:a/b:pull"`;
    response.writeHead(401, { 'www-authenticate': challenge }).end();
    return true;
  });
  const { puller } = await openPuller();
  await puller.pull(`${host}/a/b:v1`, {
    auth: { ...noAuth, auth: Buffer.from('u:p').toString('base64') },
    signal: never,
  });
  assert.equal(
    asked,
    `/token?service=s&scope=repository%3Aa%2Fb%3Apull Basic ${Buffer.from('u:p').toString('base64')}`,
  );
});

test('a cancelled pull stops its download', async () => {
  const cancel = new AbortController();
  const torn = Promise.withResolvers<void>();
  const host = await startRegistry((request, response) => {
    if (!request.url?.includes(digestOf(image.layer))) return false;
    response.write(image.layer.subarray(0, 1000), () => cancel.abort(new Error('cancelled')));
    response.once('close', () => torn.resolve());
    return true;
  });
  const { images, puller } = await openPuller();
  await assert.rejects(puller.pull(`${host}/a/b:v1`, { signal: cancel.signal }), /cancelled/);
  await torn.promise;
  assert.deepEqual(await readdir(images.layers.root), []);
});

test('a pull lives on for the second caller when the first gives up', async () => {
  let downloads = 0;
  let goOn = () => {};
  const host = await startRegistry((request, response) => {
    if (!request.url?.includes(digestOf(image.layer))) return false;
    downloads++;
    response.write(image.layer.subarray(0, 1000));
    goOn = () => void response.end(image.layer.subarray(1000));
    return true;
  });
  const { images, puller } = await openPuller();
  const first = new AbortController();
  const one = puller.pull(`${host}/a/b:v1`, { signal: first.signal });
  // Another name of the same image: another pull, which shares the layer's download and unpacking.
  const two = puller.pull(`${host}/a/b:v1`, { signal: never });
  const three = puller.pull(`${host}/a/b@${digestOf(image.manifest)}`, { signal: never });
  while (downloads === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  first.abort(new Error('the first caller has gone'));
  await assert.rejects(one, /the first caller has gone/);
  goOn();
  assert.equal((await two).id, digestOf(image.config));
  assert.equal((await three).id, digestOf(image.config));
  assert.equal(downloads, 1);
  assert.equal(images.layers.list().length, 1);
});

test('a challenge with several schemes prefers bearer', () => {
  const challenge = parseChallenge('Basic realm="a, b", Bearer realm="https://t.test/x",service="s"');
  assert.deepEqual(challenge, { scheme: 'bearer', parameters: { realm: 'https://t.test/x', service: 's' } });
});

test('a challenge takes time by its length alone', () => {
  const before = process.cpuUsage();
  assert.deepEqual(parseChallenge(`Bearer ${'a'.repeat(100_000)}`), { scheme: 'bearer', parameters: {} });
  assert.ok(process.cpuUsage(before).user < 2_000_000);
});

test('a registry that has too much to do is asked again when it wants it, and not at all when that is too late', async () => {
  const asked: number[] = [];
  let after = '1';
  const host = await startRegistry((request, response) => {
    if (!request.url?.includes(digestOf(image.layer)) && after === '1') return false;
    asked.push(Date.now());
    if (asked.length > 1) return false;
    response.writeHead(429, { 'retry-after': after }).end();
    return true;
  });
  const { puller } = await openPuller();
  await puller.pull(`${host}/a/b:v1`, { signal: never });
  assert.equal(asked.length, 2);
  assert.ok((asked[1] as number) - (asked[0] as number) >= 990);
  asked.length = 0;
  after = '3600';
  await assert.rejects(puller.pull(`${host}/a/b:v1`, { signal: never }), /RegistryUnavailable: .*429/);
  assert.equal(asked.length, 1);
});

test('a token server without OAuth is asked by GET, and where it leads elsewhere goes nothing that proves who asks', async () => {
  const asked: string[] = [];
  const other = createServer((request, response) => {
    asked.push(`${request.method} ${request.headers.authorization}`);
    response.end(JSON.stringify({ token: 'T' }));
  });
  const tokens = createServer((request, response) => {
    asked.push(`${request.method} ${request.headers.authorization} ${request.headers['x-team']}`);
    if (request.method === 'POST') response.writeHead(404).end();
    else response.writeHead(302, { location: `http://127.0.0.1:${portOf(other)}/token` }).end();
  });
  const portOf = (server: Server) => (server.address() as AddressInfo).port;
  for (const server of [other, tokens]) {
    servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
  }
  const host = await startRegistry((request, response) => {
    if (request.headers.authorization === 'Bearer T') return false;
    const challenge = `Bearer realm="http://127.0.0.1:${portOf(tokens)}/token",service="s"`;
    response.writeHead(401, { 'www-authenticate': challenge }).end();
    return true;
  });
  const { puller } = await openPuller({
    'registry.test': `server = "http://${host}"\n[header]\nx-team = "wherry"`,
  });
  const auth = { ...noAuth, identityToken: 'I' };
  await puller.pull('registry.test/a/b:v1', { auth, signal: never });
  const basic = `Basic ${Buffer.from(':I').toString('base64')}`;
  assert.deepEqual(asked, ['POST undefined wherry', `GET ${basic} wherry`, 'GET undefined']);
});

test('an answer that nobody wants and that does not end takes its connection along', async () => {
  const torn = Promise.withResolvers<void>();
  const wanted = `Basic ${Buffer.from('me:secret').toString('base64')}`;
  const host = await startRegistry((request, response) => {
    if (request.headers.authorization === wanted) return false;
    response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' });
    const endless = setInterval(() => response.write(Buffer.alloc(16 * 1024)), 1);
    response.once('close', () => {
      clearInterval(endless);
      torn.resolve();
    });
    return true;
  });
  const { puller } = await openPuller();
  const auth = { ...noAuth, username: 'me', password: 'secret' };
  await puller.pull(`${host}/a/b:v1`, { auth, signal: never });
  await torn.promise;
});

test('auth that is no base64 of user and password is refused', async () => {
  const host = await startRegistry();
  const { puller } = await openPuller();
  const auth = { ...noAuth, auth: Buffer.from('nobody').toString('base64') };
  await assert.rejects(puller.pull(`${host}/a/b:v1`, { auth, signal: never }), { code: 'INVALID_ARGUMENT' });
});

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createSilentServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { systemClock } from '@wherry/clock';
import { silentLogger } from '@wherry/telemetry';
import { type Certificates, makeCertificates } from '../../test/certificates.ts';
import { imageOf } from '../../test/image-delivery.ts';
import { rawTar } from '../../test/raw-tar.ts';
import { startTestRegistry, type TestRegistry, type TestRegistryOptions } from '../../test/registry.ts';
import { Puller } from '../registry/puller.ts';
import { ImageStore } from '../store/image-store.ts';
import { parseReference } from '../store/reference.ts';
import { Transports } from '../transport/transports.ts';
import { RegistryConfig } from './registry-config.ts';

const image = imageOf([{ plain: rawTar([{ path: 'file', content: 'content' }]) }]);
let folder: string;
let certificates: Certificates;
let count = 0;
const closing: (() => unknown)[] = [];

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'wherry-hosts-'));
  certificates = makeCertificates(folder);
});

after(async () => {
  for (const close of closing.reverse()) await close();
  rmSync(folder, { recursive: true, force: true });
});

async function start(options: Partial<TestRegistryOptions> = {}): Promise<TestRegistry> {
  const registry = await startTestRegistry({ image, ...options });
  closing.push(registry.close);
  return registry;
}

/** Writes these files into a new configuration folder. */
function configure(files: Record<string, string>): string {
  const config = join(folder, `config${++count}`);
  mkdirSync(config);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(config, path)), { recursive: true });
    writeFileSync(join(config, path), text);
  }
  return config;
}

/** Pulls an image into a store of its own, as this folder says. */
async function pull(config: string | undefined, name: string, environment: NodeJS.ProcessEnv = {}) {
  const images = new ImageStore({
    root: join(folder, `store${++count}`),
    clock: systemClock,
    logger: silentLogger,
  });
  await images.open();
  closing.push(() => images.close());
  const puller = new Puller({
    images,
    hosts: new RegistryConfig(config),
    transports: new Transports({ clock: systemClock, environment }),
    clock: systemClock,
    logger: silentLogger,
  });
  return puller.pull(name, { signal: AbortSignal.timeout(20_000) });
}

const hostsOf = (files: Record<string, string>, name: string) =>
  new RegistryConfig(configure(files)).hostsFor(parseReference(name));

describe('hosts.toml', () => {
  test('hosts are asked in the order of the file, then the server', async () => {
    const hosts = await hostsOf(
      {
        'example.test/hosts.toml':
          'server = "https://own.test"\n[host."https://z.test"]\n[host."a.test:5000/mirror"]\n',
      },
      'example.test/a/b:v1',
    );
    assert.deepEqual(
      hosts.map(({ root }) => root),
      ['https://z.test/v2', 'https://a.test:5000/mirror/v2', 'https://own.test/v2'],
    );
    assert.deepEqual(
      hosts.map(({ namespace }) => namespace),
      Array(3).fill('example.test'),
    );
  });

  test('a host with a port has a folder HOST_PORT_, and every other one that of _default', async () => {
    const files = {
      'example.test_5000_/hosts.toml': '[host."https://ported.test"]',
      '_default/hosts.toml': '[host."https://default.test"]',
    };
    const [ported] = await hostsOf(files, 'example.test:5000/a:v1');
    const [other] = await hostsOf(files, 'other.test/a:v1');
    assert.deepEqual([ported?.root, other?.root], ['https://ported.test/v2', 'https://default.test/v2']);
  });

  test("a mirror, and the server of all registries, is no place for an image's credentials; its own server is", async () => {
    const mirrors = async (folderName: string) => {
      const files = { [`${folderName}/hosts.toml`]: 'server = "https://s.test"\n[host."https://m.test"]' };
      return (await hostsOf(files, 'example.test/a:v1')).map(({ isMirror }) => isMirror);
    };
    assert.deepEqual(await mirrors('example.test'), [true, false]);
    assert.deepEqual(await mirrors('_default'), [true, true]);
  });

  test('every setting of a host is read', async () => {
    const text = `
      [host."https://m.test/api"]
      capabilities = ["pull"]
      ca = ["one.pem", "/two.pem"]
      client = [["c.pem", "c.key"], ["both.pem", ""]]
      skip_verify = true
      override_path = true
      dial_timeout = "1m1.5s"
      [host."https://m.test/api".header]
      x-one = "1"
      x-more = ["2", "3"]`;
    const [host] = await hostsOf({ 'example.test/hosts.toml': text }, 'example.test/a:v1');
    const at = join(folder, `config${count}`, 'example.test');
    assert.deepEqual(host, {
      root: 'https://m.test/api',
      repository: 'a',
      capabilities: new Set(['pull']),
      headers: { 'x-one': ['1'], 'x-more': ['2', '3'] },
      tls: {
        authorities: [join(at, 'one.pem'), '/two.pem'],
        certificates: [
          { certificate: join(at, 'c.pem'), key: join(at, 'c.key') },
          { certificate: join(at, 'both.pem'), key: join(at, 'both.pem') },
        ],
        skipsVerification: true,
      },
      dialTimeoutMs: 61_500,
      prefersTls: false,
      isMirror: true,
      namespace: 'example.test',
    });
  });

  test('an http host with TLS settings is tried by https first unless it names port 80, and a host by its other name is no other', async () => {
    const text = `server = "https://example.test:443"
      [host."http://m.test"]
      skip_verify = true
      capabilities = ["pull", "referrers"]
      [host."http://m.test:80"]
      skip_verify = true`;
    const hosts = await hostsOf({ 'example.test_443_/hosts.toml': text }, 'example.test:443/a:v1');
    assert.deepEqual(
      hosts.map(({ prefersTls }) => prefersTls),
      [true, false, false],
    );
    assert.ok(hosts[0]?.capabilities.has('pull') && !hosts[0].capabilities.has('push'));
    assert.equal(hosts[2]?.namespace, undefined);
  });

  test('what cannot be is refused with the file and the place, at the start', async () => {
    for (const [text, why] of [
      [
        '[host."https://m.test"]\ncapabilities = ["fetch"]',
        /hosts\.toml": host\."https:\/\/m\.test": "capabilities" has "fetch"/,
      ],
      ['[host."https://m.test"]\ndial_timeout = "soon"', /"dial_timeout" is "soon"/],
      ['[host."https://m.test"]\nskip_verify = "yes"', /"skip_verify" is neither true nor false/],
      ['[host."https://m.test".header]\n"x y" = "1"', /"header" has "x y", which HTTP cannot carry/],
      ['[host."https://me@m.test"]', /is "https:\/\/me@m\.test", want a URL/],
      ['[host."https://m.test"\n', /line 1, column 23/],
    ] as const) {
      const config = new RegistryConfig(configure({ 'example.test/hosts.toml': text }));
      await assert.rejects(config.check(silentLogger), { code: 'INVALID_ARGUMENT', message: why });
    }
  });

  test('a file that is a pipe is refused, not waited for', async () => {
    const config = configure({ 'example.test/other': '' });
    execFileSync('mkfifo', [join(config, 'example.test/hosts.toml')]);
    const why = /hosts\.toml": is no regular file/;
    await assert.rejects(new RegistryConfig(config).check(silentLogger), { message: why });
  });

  test('a folder that is not there is told at the start', async () => {
    await assert.rejects(new RegistryConfig('/nowhere/at/all').check(silentLogger), /nowhere/);
  });

  test('a mirror that only pulls gives the content of what the registry says a tag is', async () => {
    const mirror = await start();
    const own = await start();
    const text = `server = "http://${own.host}"\n[host."http://${mirror.host}"]\ncapabilities = ["pull"]`;
    await pull(configure({ 'example.test/hosts.toml': text }), 'example.test/a/b:v1');
    assert.deepEqual(own.requests, ['GET /v2/a/b/manifests/v1?ns=example.test']);
    assert.deepEqual(
      mirror.requests.map((line) => line.replace(/sha256:.*/, 'DIGEST')),
      ['GET /v2/a/b/blobs/DIGEST', 'GET /v2/a/b/blobs/DIGEST'],
    );
  });

  test('what one mirror lacks, or cannot give, comes from the next host', async () => {
    const broken = await start({ hook: (_, response) => response.writeHead(500).end() !== undefined });
    const empty = await start({ repository: 'other' });
    const own = await start();
    const text = `server = "http://${own.host}"\n[host."http://${broken.host}"]\n[host."http://${empty.host}"]\n[host."http://127.0.0.1:1"]`;
    const config = configure({ 'example.test/hosts.toml': text });
    const pulled = await pull(config, 'example.test/a/b:v1');
    assert.deepEqual(pulled.tags, ['example.test/a/b:v1']);
    assert.ok(broken.requests.length > 0 && empty.requests.length > 0);
    await assert.rejects(pull(config, 'example.test/a/none:v1'), (error: Error) => {
      assert.match(
        error.message,
        /answers 404 .*asked before: .*answers 500.*; .*answers 404.*; .*127\.0\.0\.1:1 cannot be reached/,
      );
      return true;
    });
  });

  test('override_path takes the root of the API as it is written, and headers go to that host alone', async () => {
    const elsewhere = await start();
    const mirror = await start({
      root: '/odd',
      hook(request, response) {
        if (!request.url?.includes('/blobs/')) return false;
        response
          .writeHead(307, { location: `http://${elsewhere.host}${request.url.replace('/odd', '/v2')}` })
          .end();
        return true;
      },
    });
    const text = `[host."http://${mirror.host}/odd"]\noverride_path = true\n[host."http://${mirror.host}/odd".header]\nx-team = "wherry"`;
    await pull(configure({ 'example.test/hosts.toml': text }), 'example.test/a/b:v1');
    assert.ok(mirror.requests.every((line) => line.includes(' /odd/a/b/')));
    assert.ok(mirror.headers.every((headers) => headers['x-team'] === 'wherry'));
    assert.ok(elsewhere.headers.length > 0 && elsewhere.headers.every((headers) => !('x-team' in headers)));
  });

  test('a host that does not answer the dial is given up after dial_timeout', async () => {
    const silent = createSilentServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    closing.push(() => silent.close());
    const { port } = silent.address() as AddressInfo;
    const text = `server = "http://127.0.0.1:1"\n[host."https://127.0.0.1:${port}"]\ndial_timeout = "150ms"`;
    const config = configure({ 'example.test/hosts.toml': text });
    await assert.rejects(pull(config, 'example.test/a/b:v1'), /no connection within 150 ms/);
  });
});

describe('TLS of registries', () => {
  const secure = (clientAuthority?: string) => ({
    tls: { ...certificates.server, ...(clientAuthority !== undefined && { clientAuthority }) },
  });

  test('a registry is believed by the authority of its ca, and by no other', async () => {
    const registry = await start(secure());
    const named = (settings: string) =>
      configure({ 'example.test/hosts.toml': `server = "https://localhost:${registry.port}"\n${settings}` });
    await pull(named(`ca = "${certificates.authority}"`), 'example.test/a/b:v1');
    await assert.rejects(
      pull(named(''), 'example.test/a/b:v1'),
      /RegistryUnavailable: .*cannot be reached: .*certificate/,
    );
    await pull(named('skip_verify = true'), 'example.test/a/b:v1');
    await assert.rejects(
      pull(named('ca = "absent.pem"'), 'example.test/a/b:v1'),
      /absent\.pem" cannot be read/,
    );
  });

  test('a registry that wants a client certificate gets it', async () => {
    const registry = await start(secure(certificates.authority));
    const top = `server = "https://localhost:${registry.port}"\nca = "${certificates.authority}"\n`;
    const { certificate, key } = certificates.client;
    await pull(
      configure({ 'example.test/hosts.toml': `${top}client = [["${certificate}", "${key}"]]` }),
      'example.test/a/b:v1',
    );
    await assert.rejects(pull(configure({ 'example.test/hosts.toml': top }), 'example.test/a/b:v1'));
  });

  test("docker's certificate files serve where there is no hosts.toml", async () => {
    const registry = await start(secure(certificates.authority));
    const at = `127.0.0.1_${registry.port}_`;
    const config = configure({
      [`${at}/ca.crt`]: readFileSync(certificates.authority, 'utf8'),
      [`${at}/client.cert`]: readFileSync(certificates.client.certificate, 'utf8'),
      [`${at}/client.key`]: readFileSync(certificates.client.key, 'utf8'),
    });
    await pull(config, `${registry.host}/a/b:v1`);
  });

  test('on loopback https is tried first, unverified, and then plain http', async () => {
    const secured = await start(secure());
    await pull(undefined, `${secured.host}/a/b:v1`);
    const plain = await start();
    await pull(undefined, `${plain.host}/a/b:v1`);
  });
});

describe('registries.conf', () => {
  test('mirrors take the place of the prefix, with paths of their own', async () => {
    const mirror = await start({ repository: 'cache/a/b' });
    const text = `[[registry]]\nprefix = "example.test/team"\nlocation = "example.test/team"\n[[registry.mirror]]\nlocation = "${mirror.host}/cache"\ninsecure = true`;
    const pulled = await pull(configure({ 'registries.conf': text }), 'example.test/team/a/b:v1');
    assert.deepEqual(pulled.tags, ['example.test/team/a/b:v1']);
    assert.equal(mirror.requests[0], 'GET /v2/cache/a/b/manifests/v1');
  });

  test('the longest prefix counts, also with a wildcard, and a blocked registry is refused', async () => {
    const files = {
      'registries.conf':
        '[[registry]]\nlocation = "example.test"\n[[registry]]\nprefix = "*.corp.test"\nblocked = true',
      'registries.conf.d/9-last.conf':
        '[[registry]]\nlocation = "example.test/team"\n[[registry.mirror]]\nlocation = "m.test"',
    };
    const roots = async (name: string) =>
      (await hostsOf(files, name)).map(({ root, repository }) => `${root} ${repository}`);
    assert.deepEqual(await roots('example.test/team/a:v1'), [
      'https://m.test/v2 a',
      'https://example.test/v2 team/a',
    ]);
    assert.deepEqual(await roots('example.test/teams/a:v1'), ['https://example.test/v2 teams/a']);
    assert.deepEqual(await roots('other.test/a:v1'), ['https://other.test/v2 a']);
    await assert.rejects(roots('deep.in.corp.test/a:v1'), {
      code: 'PERMISSION_DENIED',
      message: /\*\.corp\.test" are blocked by .*registries\.conf/,
    });
  });

  test('mirrors for digests alone, or for tags alone, are asked for nothing else', async () => {
    const files = {
      'registries.conf': `[[registry]]\nlocation = "example.test"\n[[registry.mirror]]\nlocation = "d.test"\npull-from-mirror = "digest-only"\n[[registry.mirror]]\nlocation = "t.test"\npull-from-mirror = "tag-only"`,
    };
    const first = async (name: string) => (await hostsOf(files, name))[0]?.root;
    assert.equal(await first('example.test/a:v1'), 'https://t.test/v2');
    assert.equal(await first(`example.test/a@sha256:${'0'.repeat(64)}`), 'https://d.test/v2');
  });
});

test('members that have no effect are warned of at the start, by file and name', async () => {
  const warned: string[] = [];
  const logger = {
    ...silentLogger,
    warn: (_: string, fields: object = {}) => warned.push(JSON.stringify(fields)),
  };
  const check = (files: Record<string, string>) => new RegistryConfig(configure(files)).check(logger);
  await check({
    'registries.conf': 'unqualified-search-registries = ["a.test"]\n[aliases]\n"x" = "a.test/x"',
  });
  await check({ 'a.test/hosts.toml': '[host."https://m.test"]\nretries = 3' });
  assert.match(
    warned.join('\n'),
    /registries\.conf: unqualified-search-registries.*registries\.conf: aliases.*retries/s,
  );
  assert.equal(warned.length, 3);
});

test('pulls take the proxy that the environment names, and none for hosts of NO_PROXY', async () => {
  const registry = await start();
  const secured = await start({ tls: certificates.server });
  const seen: string[] = [];
  const proxy = createServer((request, response) => {
    seen.push(request.url ?? '');
    const { pathname, search } = new URL(request.url ?? '');
    void fetch(new URL(pathname + search, `http://${registry.host}`)).then(async (answer) =>
      response
        .writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
        .end(Buffer.from(await answer.arrayBuffer())),
    );
  });
  proxy.on('connect', (request, socket) => {
    seen.push(`CONNECT ${request.url}`);
    const upstream = connect(secured.port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    upstream.pipe(socket).pipe(upstream);
    for (const end of [socket, upstream]) end.on('error', () => {});
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  closing.push(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const environment = { http_proxy: address, HTTPS_PROXY: address, NO_PROXY: '10.0.0.0/8' };
  const named = (server: string) =>
    configure({ 'example.test/hosts.toml': `server = "${server}"\nca = "${certificates.authority}"` });
  await pull(named('https://registry.test:444'), 'example.test/a/b:v1', environment);
  assert.ok(seen.includes('CONNECT registry.test:444'));
  await pull(
    configure({ 'example.test/hosts.toml': 'server = "http://registry.test"' }),
    'example.test/a/b:v1',
    environment,
  );
  assert.ok(seen.some((url) => url.startsWith('http://registry.test/v2/a/b/manifests/v1')));
  const before = seen.length;
  await pull(undefined, `${registry.host}/a/b:v1`, environment);
  await assert.rejects(
    pull(
      configure({ 'example.test/hosts.toml': 'server = "http://10.255.255.1"\ndial_timeout = "100ms"' }),
      'example.test/a/b:v1',
      environment,
    ),
  );
  assert.equal(seen.length, before);
});

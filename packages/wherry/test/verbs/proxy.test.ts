/** `proxy`, before a real API server and before one that shows what came. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer, type Server } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buffer, text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { makeCertificate } from '../../../upgrade/test/certificate.ts';
import { Served } from './served.ts';

const main = new URL('../../src/main.ts', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'wherry-proxy-'));
const children: ChildProcess[] = [];

after(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** A proxy of its own process. */
interface Running {
  child: ChildProcess;
  /** What it said that it serves on. */
  where: string;
  port: number;
  stderr(): string;
}

const startProxy = (...words: string[]) => startServing([process.execPath, main, 'proxy', ...words]);

async function startServing([program = '', ...words]: string[]): Promise<Running> {
  const env = { ...process.env, KUBECONFIG: '/dev/null' };
  const child = spawn(program, words, {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const lines = createInterface(child.stdout);
  const [line] = (await Promise.race([once(lines, 'line'), once(child, 'exit').then(() => [''])])) as [
    string,
  ];
  const [, where = ''] = /^Starting to serve on (.+)$/.exec(line) ?? [];
  assert.notEqual(where, '', stderr);
  return { child, where, port: Number(where.split(':').at(-1)), stderr: () => stderr };
}

interface Asked {
  method?: string;
  host?: string | undefined;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
  socketPath?: string;
}

/** The answer to a request whose path is sent to the letter. */
async function ask({ port }: Pick<Running, 'port'>, path: string, asked: Asked = {}) {
  const { method = 'GET', headers = {}, body, socketPath, host = `127.0.0.1:${port}` } = asked;
  const where = socketPath === undefined ? { host: '127.0.0.1', port } : { socketPath };
  const outgoing = httpRequest({ ...where, path, method, agent: false, headers: { host, ...headers } });
  outgoing.end(body);
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, headers: answer.headers, text: await text(answer) };
}

/** Sends bytes, and gives back all that comes. */
async function speak(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.end(bytes);
  return (await buffer(socket)).toString('latin1');
}

describe('before an API server', () => {
  let served: Served;
  let proxy: Running;
  before(async () => {
    served = await Served.start();
    proxy = await startProxy('--kubeconfig', served.server.kubeconfig, '--port=0');
    for (const name of ['one', 'two']) await served.client.create(configMap(name));
  });
  after(() => served?.close());

  const configMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
  const maps = '/api/v1/namespaces/default/configmaps';

  test('requests act as the kubeconfig’s user, with their bodies and answers as they are', async () => {
    assert.match(proxy.where, /^127\.0\.0\.1:\d+$/);
    assert.equal((await ask(proxy, '/version')).status, 200);
    const body = JSON.stringify(configMap('through'));
    const created = await ask(proxy, maps, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    assert.equal(created.status, 201);
    const chunked = await ask(proxy, `${maps}/through`, {
      ...{ method: 'PATCH', body: '{"data":{"k":"v"}}' },
      headers: { 'content-type': 'application/merge-patch+json', 'transfer-encoding': 'chunked' },
    });
    assert.equal(JSON.parse(chunked.text).data.k, 'v');
    const absent = await ask(proxy, `${maps}/absent`);
    assert.deepEqual([absent.status, JSON.parse(absent.text).reason], [404, 'NotFound']);
    const packed = await ask(proxy, '/openapi/v2', { headers: { 'accept-encoding': 'gzip' } });
    assert.equal(packed.headers['content-encoding'], 'gzip');
    assert.equal((await ask(proxy, `${maps}/through`, { method: 'DELETE' })).status, 200);
  });

  test('a watch comes line by line', async () => {
    const path = `${maps}?watch=1&fieldSelector=metadata.name=seen`;
    const outgoing = httpRequest({ port: proxy.port, path, headers: { host: 'localhost' } });
    outgoing.end();
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    const next = once(answer, 'data');
    await served.client.create(configMap('seen'));
    const [line] = (await next) as [Buffer];
    assert.equal(JSON.parse(line.toString()).object.metadata.name, 'seen');
    answer.on('error', () => {});
    outgoing.destroy();
  });

  test('who brings credentials of his own acts as himself', async () => {
    const review = {
      ...{ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
    };
    const whoami = async (headers: Record<string, string>) => {
      const { text: said } = await ask(proxy, '/apis/authentication.k8s.io/v1/selfsubjectreviews', {
        ...{ method: 'POST', body: JSON.stringify(review) },
        headers: { 'content-type': 'application/json', ...headers },
      });
      return JSON.parse(said).status?.userInfo?.username;
    };
    const plain = await whoami({});
    assert.notEqual(plain, 'ann');
    assert.equal(await whoami({ 'impersonate-user': 'ann' }), 'ann');
    // Which identity a proxy vouches for is not a client's to say.
    assert.equal(await whoami({ 'x-remote-user': 'ann' }), plain);
  });

  test('the filter refuses exec and attach of pods, other hosts, and what could be read in two ways', async () => {
    const pod = '/api/v1/namespaces/default/pods/web';
    for (const path of [`${pod}/exec?command=id`, `${pod}/attach`, `${pod}/ex%65c`]) {
      const { status, text: said } = await ask(proxy, path, { method: 'POST' });
      assert.deepEqual([status, said], [403, 'Forbidden\n'], path);
    }
    const upgraded = await ask(proxy, `${pod}/exec?command=id`, {
      headers: { connection: 'Upgrade', upgrade: 'SPDY/3.1' },
    });
    assert.equal(upgraded.status, 403);
    for (const path of [`${pod}\\exec`, `${pod}%2`, '/api#/x', 'http://elsewhere/api'])
      assert.equal((await ask(proxy, path)).status, 400, path);
    const { status, headers } = await ask(
      proxy,
      `/api//v1/./x/../namespaces/default/pods/web/%2e%2e/web/exec?a=1`,
    );
    assert.deepEqual([status, headers.location], [301, `${pod}/exec?a=1`]);
    for (const [host, expected] of [
      ['localhost', 200],
      [`localhost:${proxy.port}`, 200],
      [`[::1]:${proxy.port}`, 200],
      ['rebound.example', 403],
      [`rebound.example:${proxy.port}`, 403],
      ['localhost.evil.example', 403],
      ['127.0.0.1@evil.example', 403],
    ] as const)
      assert.equal((await ask(proxy, '/version', { host })).status, expected, host);
    const twice =
      'GET /version HTTP/1.1\r\nHost: evil.example\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    assert.match(await speak(proxy.port, twice), /^HTTP\/1\.1 400 /);
  });

  test('flags say which requests are passed on', async () => {
    const config = ['--kubeconfig', served.server.kubeconfig, '--port=0'];
    const narrow = await startProxy(
      ...[
        ...config,
        '--accept-paths=^/version$,^/api/v1/',
        '--reject-paths=secrets',
        '--reject-methods=POST,PUT',
      ],
      ...['--accept-hosts=^here$', '--api-prefix=/custom'],
    );
    for (const [path, asked, expected] of [
      ['/custom/version', {}, 200],
      ['/custom/apis', {}, 403],
      ['/custom/api/v1/secrets', {}, 403],
      ['/custom/api/v1/configmaps', {}, 200],
      [`/custom${maps}`, { method: 'POST', body: '{}' }, 403],
      ['/version', {}, 404],
      ['/custom', {}, 301],
      ['/custom/version', { host: 'localhost' }, 403],
    ] as const)
      assert.equal((await ask(narrow, path, { host: 'here', ...asked })).status, expected, path);
    const open = await startProxy(...config, '--disable-filter');
    assert.match(open.stderr(), /Request filter disabled, your proxy is vulnerable to XSRF attacks/);
    assert.equal((await ask(open, '/version', { host: 'rebound.example' })).status, 200);
  });

  test('it answers as kubectl’s does', async () => {
    const site = join(folder, 'compared');
    mkdirSync(join(site, 'sub'), { recursive: true });
    for (const name of ['page.html', 'a&b.txt', join('sub', 'index.html')])
      writeFileSync(join(site, name), name);
    const flags = ['--kubeconfig', served.server.kubeconfig, '--port=0', '--www', site];
    for (const [prefixes, asked] of [
      [
        [],
        [
          '/version',
          '/static',
          '/static/',
          '/static/page.html',
          '/static/a%26b.txt',
          '/static/sub',
          '/static/sub/',
        ],
      ],
      [
        [],
        ['/static/sub/index.html', '/static/absent', '/static/../version', '/api/v1/pods/x/exec', '/absent'],
      ],
      [
        [],
        [
          '//version',
          '/api/./v1?a=1',
          '/api/v1/namespaces/d/pods/x/ex%65c',
          '/api/v1/namespaces/d/pods/x/log',
        ],
      ],
      [['--api-prefix=/k8s'], ['/k8s', '/k8s/', '/k8s/version?x=1', '/version', '/k8s/absent']],
      [
        ['--api-prefix=/api/', '--www-prefix=/'],
        ['/api', '/api/v1/nodes', '/version', '/page.html', '/'],
      ],
      [
        ['--reject-methods=GET', '--accept-paths=^/api'],
        ['/version', '/api', '/api/v1/nodes'],
      ],
    ] as const) {
      const [theirs, ours] = await Promise.all([
        startServing(['kubectl', 'proxy', ...flags, ...prefixes]),
        startProxy(...flags, ...prefixes),
      ]);
      for (const path of asked) {
        for (const host of ['localhost', '127.0.0.1:1', 'elsewhere.example']) {
          const [their, our] = await Promise.all(
            [theirs, ours].map(async (proxy) => {
              const { status, headers, text: said } = await ask(proxy, path, { host });
              return { status, location: headers.location, type: headers['content-type'], said };
            }),
          );
          const what = `${prefixes.join(' ')} ${host}${path}`;
          assert.equal(our?.status, their?.status, what);
          assert.equal(our?.location, their?.location, what);
          if (our?.status === 200) assert.equal(our.type, their?.type, what);
          if (our?.status === 200 && !path.endsWith('/')) assert.equal(our.said, their?.said, what);
        }
      }
      for (const { child } of [theirs, ours]) child.kill();
    }
  });

  test('a unix socket is for this user alone, takes the place of an old one, and goes with the proxy', async () => {
    const socketPath = join(folder, 'socket');
    const old = createServer().listen(socketPath);
    await once(old, 'listening');
    const running = await startProxy('--kubeconfig', served.server.kubeconfig, '--unix-socket', socketPath);
    assert.equal(running.where, socketPath);
    assert.equal(statSync(socketPath).mode & 0o777, 0o700);
    assert.equal((await ask(running, '/version', { socketPath, host: 'localhost' })).status, 200);
    running.child.kill('SIGINT');
    const [code] = await once(running.child, 'exit');
    assert.equal(code, 0);
    assert.equal(statSync(socketPath, { throwIfNoEntry: false }), undefined);
    old.close();
  });

  test('what is wrong with the flags is told before anything is served', async () => {
    const config = `--kubeconfig ${served.server.kubeconfig}`;
    for (const [line, says] of [
      ['--port=8002 --unix-socket=/x', 'cannot set --unix-socket and --port at the same time'],
      ['--accept-hosts=(', 'Error compiling re: '],
      ['--api-prefix=x', '--api-prefix must begin with "/"'],
      [`--port=${proxy.port}`, 'EADDRINUSE'],
    ] as const) {
      const { code, stderr } = await served.run(`proxy ${line} ${config}`);
      assert.equal(code, 1);
      assert.ok(stderr.includes(says), stderr);
    }
  });
});

describe('files', () => {
  let proxy: Running;
  const site = join(folder, 'site');
  before(async () => {
    mkdirSync(join(site, 'sub'), { recursive: true });
    mkdirSync(join(site, 'paged'));
    mkdirSync(join(folder, 'site-beside'));
    writeFileSync(join(site, 'page.html'), '<p>page');
    writeFileSync(join(site, 'paged', 'index.html'), '<p>index');
    writeFileSync(join(site, 'sub', 'a <b>.txt'), 'text');
    writeFileSync(join(folder, 'secret'), 'secret');
    writeFileSync(join(folder, 'site-beside', 'secret'), 'secret');
    symlinkSync(join(folder, 'secret'), join(site, 'link'));
    symlinkSync(folder, join(site, 'folder-link'));
    symlinkSync('page.html', join(site, 'inside'));
    proxy = await startProxy('--server=http://127.0.0.1:1', '--port=0', '--www', site, '-P', '/files');
  });

  test('of a folder are served with their types, and folders by their page or their names', async () => {
    const page = await ask(proxy, '/files/page.html');
    assert.deepEqual([page.status, page.text], [200, '<p>page']);
    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
    const since = { 'if-modified-since': page.headers['last-modified'] ?? '' };
    assert.equal((await ask(proxy, '/files/page.html', { headers: since })).status, 304);
    const head = await ask(proxy, '/files/page.html', { method: 'HEAD' });
    assert.deepEqual([head.headers['content-length'], head.text], ['7', '']);
    assert.equal((await ask(proxy, '/files/paged/')).text, '<p>index');
    assert.equal((await ask(proxy, '/files/paged/index.html')).headers.location, './');
    assert.equal((await ask(proxy, '/files/sub')).headers.location, 'sub/');
    assert.equal((await ask(proxy, '/files')).headers.location, '/files/');
    assert.match((await ask(proxy, '/files/sub/')).text, /<a href="a%20%3Cb%3E\.txt">a &lt;b&gt;\.txt<\/a>/);
    assert.equal((await ask(proxy, '/files/sub/a%20%3Cb%3E.txt')).text, 'text');
    assert.equal((await ask(proxy, '/files/inside')).text, '<p>page');
    assert.equal((await ask(proxy, '/files/absent')).status, 404);
    assert.equal((await ask(proxy, '/files/page.html', { method: 'POST' })).status, 405);
  });

  test('that lie elsewhere are not served, whatever leads there', async () => {
    for (const path of [
      ...['/files/link', '/files/folder-link/secret', '/files/folder-link/'],
      ...['/files/..%2fsecret', '/files/%2e%2e/secret', '/files/../secret', '/files/..%2fsite-beside/secret'],
      ...['/files/sub/..%5c..%5csecret', '/files/page.html%00', '/files/page.html/'],
    ]) {
      const { status, text: said } = await ask(proxy, path);
      assert.ok([301, 400, 404].includes(status ?? 0), `${path}: ${status}`);
      assert.doesNotMatch(said, /^secret/);
    }
  });
});

describe('before a server that shows what came', () => {
  let backend: Server;
  let proxy: Running;
  /** Of the last request. */
  let came: IncomingMessage;
  /** The methods of all. */
  const methods: string[] = [];
  const endlessEnded = Promise.withResolvers<void>();
  const upgraded: Socket[] = [];

  before(async () => {
    backend = createHttpsServer(makeCertificate('backend'), async (request, response) => {
      came = request;
      methods.push(request.method ?? '');
      if (request.url?.endsWith('/endless')) {
        response.write('line');
        response.once('close', () => endlessEnded.resolve());
        return;
      }
      if (request.url?.endsWith('/early')) {
        // It reads no more, and its connection is torn only after the answer had time to be heard.
        response.writeHead(413, { connection: 'close', 'content-length': 8 }).write('too much');
        setTimeout(() => request.socket.destroy(), 2_000);
        return;
      }
      if (request.url?.endsWith('/torn')) {
        response.writeHead(200, { 'content-length': 10 }).write('half');
        setImmediate(() => response.destroy());
        return;
      }
      const body = await buffer(request);
      const hop = { connection: 'close, x-hop', 'x-hop': '1', 'keep-alive': 'timeout=9', 'x-kept': '1' };
      response.writeHead(200, { ...hop, 'content-type': 'text/plain', 'set-cookie': ['a=1', 'b=2'] });
      response.end(`${createHash('sha256').update(body).digest('hex')} ${body.length}`);
    });
    backend.on('upgrade', (request, socket, head) => {
      came = request;
      upgraded.push(socket as Socket);
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n');
      socket.unshift(head);
      socket.pipe(socket);
    });
    backend.listen(0, '127.0.0.1');
    await once(backend, 'listening');
    const { port } = backend.address() as AddressInfo;
    const server = `--server=https://127.0.0.1:${port}/below/`;
    proxy = await startProxy(
      server,
      '--insecure-skip-tls-verify',
      '--token=secret',
      '--port=0',
      '--append-server-path',
      '--keepalive=10s',
    );
  });
  after(() => {
    for (const socket of upgraded) socket.destroy();
    backend.close();
  });

  test('headers of one hop stay on it, and the client’s token is in no answer', async () => {
    const { headers, text: said } = await ask(proxy, '/a%2Fb?x=%20', {
      headers: {
        ...{
          connection: 'close, x-mine',
          'x-mine': '1',
          te: 'trailers',
          'proxy-authorization': 'Basic eA==',
        },
        ...{ 'x-end-to-end': '1', 'x-remote-user': 'root', 'user-agent': 'mine/1' },
      },
    });
    assert.equal(came.url, '/below/a%2Fb?x=%20');
    assert.equal(came.headers.authorization, 'Bearer secret');
    for (const name of ['x-mine', 'te', 'proxy-authorization', 'x-remote-user'])
      assert.equal(came.headers[name], undefined, name);
    assert.deepEqual([came.headers['x-end-to-end'], came.headers['user-agent']], ['1', 'mine/1']);
    assert.equal(came.headers['x-forwarded-for'], '127.0.0.1');
    assert.equal(came.headers.host, `127.0.0.1:${(backend.address() as AddressInfo).port}`);
    assert.deepEqual([headers['x-hop'], headers['x-kept']], [undefined, '1']);
    assert.deepEqual(headers['set-cookie'], ['a=1', 'b=2']);
    assert.doesNotMatch(JSON.stringify(headers) + said, /secret/);
    await ask(proxy, '/x', { headers: { authorization: 'Bearer own' } });
    assert.equal(came.headers.authorization, 'Bearer own');
  });

  test('bodies go through whole, and an answer that is torn does not look whole', async () => {
    const body = randomBytes(8 * 1024 * 1024);
    const sum = createHash('sha256').update(body).digest('hex');
    for (const headers of [{}, { 'transfer-encoding': 'chunked' }] as Record<string, string>[])
      assert.equal((await ask(proxy, '/x', { method: 'PUT', body, headers })).text, `${sum} ${body.length}`);
    assert.equal(
      (
        await ask(proxy, '/x', { method: 'DELETE', body: 'x', headers: { 'transfer-encoding': 'chunked' } })
      ).text.split(' ')[1],
      '1',
    );
    await assert.rejects(ask(proxy, '/torn'), /aborted/);
  });

  test('a body is no second request, which no filter has seen', async () => {
    const body = 'DELETE /nodes/a HTTP/1.1\r\nHost: localhost\r\n\r\n';
    methods.length = 0;
    for (const [method, framing] of [
      ['GET', { 'content-length': String(body.length) }],
      ['OPTIONS', { 'content-length': String(body.length) }],
      ['GET', { 'transfer-encoding': 'chunked' }],
    ] as const) {
      const headers = { ...framing, connection: 'close, content-length, transfer-encoding' };
      const answer = await ask(proxy, '/version', { method, headers, body });
      assert.equal(answer.text.split(' ')[1], String(body.length));
    }
    await ask(proxy, '/version');
    assert.deepEqual(methods, ['GET', 'OPTIONS', 'GET', 'GET']);
  });

  test('an answer that comes before the whole body is heard, and so is one to an offer of HTTP/2', async () => {
    const body = randomBytes(16 * 1024 * 1024);
    const kept = { connection: 'keep-alive' };
    const early = await ask(proxy, '/early', { method: 'POST', body, headers: kept });
    assert.deepEqual([early.status, early.text], [413, 'too much']);
    const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABk' };
    assert.equal((await ask(proxy, '/x', { headers })).status, 200);
    assert.deepEqual([came.headers.upgrade, came.headers['http2-settings']], [undefined, undefined]);
  });

  test('what a client no longer reads is no longer asked for', async () => {
    const outgoing = httpRequest({ port: proxy.port, path: '/endless', headers: { host: 'localhost' } });
    outgoing.end();
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    answer.on('error', () => {});
    await once(answer, 'data');
    outgoing.destroy();
    await endlessEnded.promise;
  });

  test('upgrades carry every byte both ways, and wait for who does not read', async () => {
    const socket = connect(proxy.port, '127.0.0.1');
    const head =
      'GET /api/upgraded HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n';
    socket.write(`${head}Authorization: Bearer own\r\nImpersonate-User: ann\r\n\r\n`);
    const [first] = (await once(socket, 'data')) as [Buffer];
    assert.match(first.toString('latin1'), /^HTTP\/1\.1 101 /);
    assert.deepEqual(
      [came.url, came.headers.authorization, came.headers['impersonate-user']],
      ['/below/api/upgraded', 'Bearer own', 'ann'],
    );
    const sent = randomBytes(32 * 1024 * 1024);
    socket.pause();
    let written = 0;
    const isWritten = new Promise<void>((resolve) => socket.end(sent, () => resolve()));
    const isStuck = await Promise.race([
      isWritten.then(() => false),
      settled(() => upgraded.at(-1)?.bytesRead),
    ]);
    assert.equal(isStuck, true, 'all was taken of a client that reads nothing');
    const hash = createHash('sha256');
    for await (const chunk of socket) {
      hash.update(chunk as Buffer);
      written += (chunk as Buffer).length;
    }
    assert.equal(written, sent.length);
    assert.equal(hash.digest('hex'), createHash('sha256').update(sent).digest('hex'));
  });

  test('without --append-server-path the server’s path is left out, and that is told', async () => {
    const { port } = backend.address() as AddressInfo;
    const other = await startProxy(
      ...[`--server=https://127.0.0.1:${port}/below`, '--insecure-skip-tls-verify', '--port=0'],
    );
    assert.match(
      other.stderr(),
      /^Warning: Your kube context contains a server path \/below, use --append-server-path/,
    );
    await ask(other, '/x');
    assert.equal(came.url, '/x');
  });

  test('a server that is away is told of by 500', async () => {
    const other = await startProxy('--server=http://127.0.0.1:1', '--port=0', '--token=secret');
    const { status, text: said } = await ask(other, '/version');
    assert.equal(status, 500);
    assert.match(said, /^The connection to the server 127\.0\.0\.1:1 was refused/);
    const upgrade = { connection: 'Upgrade', upgrade: 'websocket' };
    assert.equal((await ask(other, '/version', { headers: upgrade })).status, 500);
  });
});

/** True once a figure has stood still for a while: nothing more is taken. */
async function settled(figure: () => number | undefined): Promise<boolean> {
  let last = figure();
  for (let still = 0; still < 10; ) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    const now = figure();
    still = now === last && (now ?? 0) > 0 ? still + 1 : 0;
    last = now;
  }
  return true;
}

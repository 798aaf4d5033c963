import assert from 'node:assert/strict';
import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer, type ServerHttp2Stream } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, Socket } from 'node:net';
import { test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { FakeClock, systemClock } from '@wherry/clock';
import { type CriClient, CriError } from '@wherry/cri';
import type { HTTPHeader } from '@wherry/kubeapi';
import { container } from '../../../test/builders.ts';
import { selfSigned } from '../../certificates/self-signed.ts';
import { httpTarget, portNumber } from './http-target.ts';
import { runProbe } from './run-probe.ts';

test("an exec probe's command is expanded by what the container's spec says", async () => {
  const asked: string[][] = [];
  const runtime = {
    execSync: async ({ cmd = [] }: { cmd?: string[] }) => {
      asked.push(cmd);
      return { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0), exitCode: 0 };
    },
  } as unknown as CriClient['runtime'];
  const env = [
    { name: 'PORT', value: '8080' },
    { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
  ];
  const command = ['check', ':$(PORT)', '$(NODE)', '$(NONE)', '$$(PORT)'];
  const context = {
    runtime,
    container: container('a', { env }),
    containerId: 'id',
    podIp: '10.0.0.1',
    clock: new FakeClock(),
  };
  await runProbe({ exec: { command } }, context);
  assert.deepEqual(asked, [['check', ':8080', '', '$(NONE)', '$(PORT)']]);
});

test('an exec probe that can not be run says so in the words of the call', async () => {
  const runtime = {
    execSync: () => Promise.reject(new CriError('NOT_FOUND', 'no such container')),
  } as unknown as CriClient['runtime'];
  const context = { ...onLoopback, runtime, containerId: 'id' };
  await assert.rejects(runProbe({ exec: { command: ['true'] } }, context), {
    message: 'rpc error: code = NotFound desc = no such container',
  });
});

/** What a gRPC probe says of a server on loopback. */
async function askGrpc(service: string, answer: (stream: ServerHttp2Stream, asked: Buffer) => void) {
  const server = createServer();
  server.on('sessionError', () => {});
  server.on('stream', (stream) => {
    const chunks: Buffer[] = [];
    stream.on('error', () => {});
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => answer(stream, Buffer.concat(chunks)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    return await runProbe({ grpc: { port, service }, timeoutSeconds: 5 }, onLoopback);
  } finally {
    server.close();
  }
}

const onLoopback = {
  runtime: {} as CriClient['runtime'],
  container: container('a'),
  containerId: 'id',
  podIp: '127.0.0.1',
  clock: systemClock,
};

const grpcHeaders = { ':status': 200, 'content-type': 'application/grpc' };

function answerServing(stream: ServerHttp2Stream): void {
  stream.respond(grpcHeaders, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  stream.end(Buffer.from([0, 0, 0, 0, 2, 0x08, 1]));
}

test('a gRPC probe may name a service of any length', async () => {
  const service = 's'.repeat(300);
  let asked: Buffer = Buffer.alloc(0);
  const outcome = await askGrpc(service, (stream, body) => {
    asked = body;
    answerServing(stream);
  });
  // Field 1 of HealthCheckRequest, its length as a varint: 300 is 0xac 0x02.
  assert.deepEqual([...asked.subarray(0, 8)], [0, 0, 0, 1, 47, 0x0a, 0xac, 0x02]);
  assert.equal(asked.subarray(8).toString(), service);
  assert.equal(outcome.result, 'success');
});

test('a gRPC server that answers without end fails the probe, and none of it is kept', async () => {
  let sentBytes = 0;
  const outcome = await askGrpc('', (stream) => {
    stream.respond(grpcHeaders);
    const chunk = Buffer.alloc(64 * 1_024);
    const pour = () => {
      if (stream.destroyed) return;
      sentBytes += chunk.length;
      if (stream.write(chunk)) setImmediate(pour);
      else stream.once('drain', pour);
    };
    pour();
  });
  assert.equal(outcome.result, 'failure');
  assert.match(outcome.output, /more than .* bytes/);
  assert.ok(sentBytes < 8 * 1_024 * 1_024, `${sentBytes} bytes were taken`);
});

test('a gRPC probe tells an answer that ended well from one that did not, and names what it said', async () => {
  const answer =
    (said: number, trailers: Record<string, string> | undefined) => (stream: ServerHttp2Stream) => {
      stream.respond(grpcHeaders, { waitForTrailers: true });
      stream.on('wantTrailers', () => (trailers ? stream.sendTrailers(trailers) : stream.close()));
      stream.end(Buffer.from([0, 0, 0, 0, 2, 0x08, said]));
    };
  const outcomes: [number, Record<string, string> | undefined, string][] = [
    [1, { 'grpc-status': '0' }, 'service healthy'],
    [2, { 'grpc-status': '0' }, 'service unhealthy (responded with "NOT_SERVING")'],
    [3, { 'grpc-status': '0' }, 'service unhealthy (responded with "SERVICE_UNKNOWN")'],
    [
      1,
      { 'grpc-status': '5', 'grpc-message': 'no k%C3%A4se, 0%25, %zz' },
      'error: health rpc probe failed: rpc error: code = NotFound desc = no käse, 0%, %zz',
    ],
    [
      1,
      { 'grpc-status': '12', 'grpc-message': 'unknown service' },
      'error: this server does not implement the grpc health protocol (grpc.health.v1.Health): unknown service',
    ],
    [
      1,
      undefined,
      'error: health rpc probe failed: rpc error: code = Internal desc = server closed the stream without sending trailers',
    ],
  ];
  for (const [said, trailers, output] of outcomes) {
    const result = output === 'service healthy' ? 'success' : 'failure';
    assert.deepEqual(await askGrpc('', answer(said, trailers)), { result, output });
  }
});

test('a gRPC server that is not there yet is called again until the time is over', async () => {
  const server = createServer();
  server.on('stream', answerServing);
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = free.address() as AddressInfo;
  await new Promise((resolve) => free.close(resolve));
  const clock = new FakeClock();
  const probe = (timeoutSeconds: number) =>
    runProbe({ grpc: { port }, timeoutSeconds }, { ...onLoopback, clock });
  const refused = new Promise((resolve) => setTimeout(resolve, 50));
  const late = probe(1);
  const inTime = probe(10);
  await refused;
  await clock.advanceAsync(1_000);
  assert.deepEqual(await late, {
    result: 'failure',
    output: `timeout: failed to connect service "127.0.0.1:${port}" within 1s: context deadline exceeded`,
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  let isDone = false;
  void inTime.then(() => {
    isDone = true;
  });
  while (!isDone) {
    await clock.advanceAsync(100);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.deepEqual(await inTime, { result: 'success', output: 'service healthy' });
  assert.equal(clock.pendingTimers, 0, 'nobody is called any more');
  server.close();
});

/** What an HTTP probe says of a server on loopback. */
async function askHttp(path: string, answer: RequestListener, httpHeaders: HTTPHeader[] = []) {
  const server = createHttpServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    return await runProbe({ httpGet: { port, path, httpHeaders } }, onLoopback);
  } finally {
    server.close();
  }
}

test('an HTTP probe asks for its path as it was written, at a host with its port', async () => {
  const asked: (string | undefined)[] = [];
  const { result } = await askHttp('/a/../b%2e//c', ({ url }, response) => {
    asked.push(url);
    response.end();
  });
  assert.deepEqual([result, asked], ['success', ['/a/../b%2e//c']]);
  const context = { podIp: 'fd00::5', container: container('a'), userAgent: 'u' };
  assert.equal(httpTarget({ port: 80 }, context).headers['host'], '[fd00::5]:80');
  assert.equal(httpTarget({ port: 443, scheme: 'HTTPS', host: 'h' }, context).headers['host'], 'h:443');
});

test('an HTTP probe follows nine redirects and no tenth', async () => {
  const chain: RequestListener = ({ url = '' }, response) => {
    const left = Number(url.slice(1));
    response.writeHead(left === 0 ? 200 : 302, left === 0 ? {} : { location: `/${left - 1}` }).end();
  };
  assert.equal((await askHttp('/9', chain)).result, 'success');
  const { result, output } = await askHttp('/10', chain);
  assert.equal(result, 'failure');
  assert.match(output, /stopped after 10 redirects/);
});

test('an HTTP probe sends each of the headers that its pod lists, also those of one name', async () => {
  const asked: IncomingMessage[] = [];
  const listed = [
    'X-One=1',
    'x-one=2',
    'Host=web.example:81',
    'Host=other.example',
    'User-Agent=me',
    'Accept=',
  ];
  const httpHeaders = [...listed, 'Content-Length=7'].map((line) => {
    const [name = '', value = ''] = line.split('=');
    return { name, value };
  });
  const { result } = await askHttp(
    '/',
    (request, response) => {
      asked.push(request);
      const { port } = request.socket.address() as AddressInfo;
      if (request.url === '/b') response.end();
      else
        response
          .writeHead(302, { location: request.url === '/' ? '/a' : `http://127.0.0.1:${port}/b` })
          .end();
    },
    httpHeaders,
  );
  assert.equal(result, 'success');
  for (const { headersDistinct: sent } of asked) {
    assert.deepEqual(sent['x-one'], ['1', '2']);
    assert.deepEqual(sent['user-agent'], ['me']);
    assert.deepEqual([sent['accept'], sent['content-length']], [undefined, undefined]);
  }
  const hosts = asked.map(({ headersDistinct }) => headersDistinct.host?.join());
  assert.deepEqual(hosts.slice(0, 2), ['web.example:81', 'web.example:81']);
  assert.match(hosts[2] ?? '', /^127\.0\.0\.1:/);
});

test('headers of an HTTP probe are called as Go writes them, whichever case the pod has', async () => {
  const names: string[] = [];
  const httpHeaders = [{ name: 'x-own-header', value: '1' }];
  await askHttp(
    '/',
    ({ rawHeaders }, response) => {
      names.push(...rawHeaders.filter((_, at) => at % 2 === 0));
      response.end();
    },
    httpHeaders,
  );
  assert.deepEqual(names.sort(), ['Accept', 'Connection', 'Host', 'User-Agent', 'X-Own-Header']);
});

test('a header of an HTTP probe may have any letters, which are sent as UTF-8', async () => {
  const sent: string[] = [];
  const httpHeaders = ['käse', '名前'].map((value) => ({ name: 'X-Word', value }));
  const { result } = await askHttp(
    '/',
    ({ headersDistinct }, response) => {
      const words = headersDistinct['x-word'] ?? [];
      sent.push(...words.map((word) => Buffer.from(word, 'latin1').toString('utf8')));
      response.end();
    },
    httpHeaders,
  );
  assert.deepEqual([result, sent], ['success', ['käse', '名前']]);
});

test('where an answer would lead does not count when it is no redirect', async () => {
  const { result } = await askHttp('/', (_, response) => {
    response.writeHead(200, { location: 'http://[' }).end();
  });
  assert.equal(result, 'success');
});

test('an answer between 300 and 399 that leads nowhere is a warning', async () => {
  for (const head of [[304], [300, { location: '/elsewhere' }], [302]] as const) {
    const { result, output } = await askHttp('/', ({ url }, response) => {
      if (url === '/') response.writeHead(head[0], head[1]).end();
      else response.writeHead(500).end();
    });
    assert.equal(result, 'warning', String(head[0]));
    assert.match(output, /^Probe terminated redirects, Response body: /);
  }
});

test('an answer that breaks off after its head, or has no end in time, is no answer: the probe errored', async () => {
  const short = askHttp('/', (_, response) => {
    response.writeHead(200, { 'content-length': 9 }).write('half', () => response.destroy());
  });
  await assert.rejects(short, { name: 'ProbeError', state: 'failure', message: 'unexpected EOF' });
  const clock = new FakeClock();
  const server = createHttpServer((_, response) => {
    response.writeHead(200).write('half');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const headIsThere = new Promise((resolve) => subscribe('http.client.response.finish', resolve));
  const stalled = runProbe({ httpGet: { port, path: '/' } }, { ...onLoopback, clock });
  await headIsThere;
  clock.advance(1_000);
  const message = 'context deadline exceeded (Client.Timeout or context cancellation while reading body)';
  await assert.rejects(stalled, { name: 'ProbeError', state: 'failure', message });
  server.close();
});

test('an HTTPS probe names its server by what its URL says, not by the header Host', async () => {
  const { cert, key } = await selfSigned('localhost', ['localhost'], Date.now());
  const names: (string | false | null | undefined)[] = [];
  const server = createHttpsServer({ cert, key }, (request, response) => {
    names.push((request.socket as TLSSocket).servername);
    response.end();
  }).listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const httpHeaders = [{ name: 'Host', value: 'web.example' }];
  try {
    for (const host of ['localhost', '127.0.0.1']) {
      const get = { scheme: 'HTTPS' as const, host, port, path: '/', httpHeaders };
      assert.equal((await runProbe({ httpGet: get, timeoutSeconds: 5 }, onLoopback)).result, 'success');
    }
  } finally {
    server.close();
  }
  assert.deepEqual(names, ['localhost', false]);
});

test('a failed HTTP probe says which port it asked, also that of its scheme', async (context) => {
  context.mock.method(Socket.prototype, 'connect', function (this: Socket) {
    return this.destroy(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
  });
  const { output } = await runProbe({ httpGet: { host: '192.0.2.1', port: 80, path: '/z' } }, onLoopback);
  assert.equal(output, 'Get "http://192.0.2.1:80/z": dial tcp 192.0.2.1:80: connect: connection refused');
});

test('a name that a probe does not find is told as Go tells it', async (context) => {
  context.mock.method(Socket.prototype, 'connect', function (this: Socket) {
    return this.destroy(
      Object.assign(new Error('getaddrinfo ENOTFOUND nowhere.test'), { code: 'ENOTFOUND' }),
    );
  });
  const { output } = await runProbe({ tcpSocket: { host: 'nowhere.test', port: 9 } }, onLoopback);
  assert.equal(output, 'dial tcp: lookup nowhere.test: no such host');
});

test('a TCP probe that nobody answers fails when its time is over, by the kubelet’s clock', async (context) => {
  context.mock.method(Socket.prototype, 'connect', function (this: Socket) {
    return this;
  });
  const clock = new FakeClock();
  const outcome = runProbe(
    { tcpSocket: { host: '192.0.2.1', port: 9 }, timeoutSeconds: 3 },
    { ...onLoopback, clock },
  );
  clock.advance(3_000);
  assert.deepEqual(await outcome, { result: 'failure', output: 'dial tcp 192.0.2.1:9: i/o timeout' });
  assert.equal(clock.pendingTimers, 0);
});

test('a port is a number from 1 to 65535, the name of one of the container, or a number as a text', () => {
  const named = container('a', { ports: [{ name: 'found', containerPort: 93 }] });
  assert.deepEqual(
    ['found', '118', 76].map((port) => portNumber(port, named)),
    [93, 118, 76],
  );
  for (const port of [-1, 0, 65_536, '-1', '70000'])
    assert.throws(() => portNumber(port, named), { message: `invalid port number: ${port}` });
  for (const port of ['', 'none', '1.5'])
    assert.throws(() => portNumber(port, named), {
      message: `couldn't find port: "${port}" in container a`,
    });
});

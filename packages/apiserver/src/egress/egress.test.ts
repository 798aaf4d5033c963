/** Which files are taken, how proxies are asked that take CONNECT, and what is told of dials. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { closeServer, listen, trackSockets } from '@wherry/bytes';
import { FakeClock } from '@wherry/clock';
import { createLogger, MetricsRegistry } from '@wherry/telemetry';
import { periods } from '../limits.ts';
import { SettingsError } from '../settings-error.ts';
import { Egress } from './egress.ts';

const folder = mkdtempSync(join(tmpdir(), 'wherry-egress-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const clock = new FakeClock();

function opened(selections: readonly object[], more: object = {}) {
  const file = join(folder, 'egress.yaml');
  writeFileSync(
    file,
    JSON.stringify({
      ...{ apiVersion: 'apiserver.k8s.io/v1beta1', kind: 'EgressSelectorConfiguration' },
      ...{ egressSelections: selections, ...more },
    }),
  );
  const metrics = new MetricsRegistry();
  const egress = Egress.open(file, { clock, metrics, logger: createLogger('test', { write: () => {} }) });
  return { egress, metrics };
}

const selection = (name: string, proxyProtocol: string, transport?: object) => ({
  name,
  connection: { proxyProtocol, ...(transport && { transport }) },
});
const uds = (udsName: string) => ({ uds: { udsName } });
const tcp = (url: string, tlsConfig?: object) => ({ tcp: { url, ...(tlsConfig && { tlsConfig }) } });

describe('a file of egress', () => {
  it('tells of types one by one, by names in any case and by the one of old', () => {
    const { egress } = opened([
      selection('Cluster', 'GRPC', uds('/run/k.sock')),
      selection('master', 'Direct'),
    ]);
    assert.ok(egress.way('cluster'));
    assert.equal(egress.way('controlplane'), undefined);
    assert.deepEqual(
      (['cluster', 'controlplane', 'etcd'] as const).map((type) => egress.tellsOf(type)),
      [true, true, false],
    );
    egress.close();
  });

  const missing = join(folder, 'nothing');
  const refused: Record<string, [readonly object[], RegExp]> = {
    'a protocol that is none': [
      [selection('cluster', 'SOCKS')],
      /service\.connection\.protocol: Unsupported value: "SOCKS": supported values: "Direct", "HTTPConnect", "GRPC"/,
    ],
    'a transport of a direct one': [
      [selection('cluster', 'Direct', uds('/x'))],
      /service\.connection\.transport: Invalid value: "direct": config must be absent for direct connect/,
    ],
    'no transport': [
      [selection('cluster', 'GRPC')],
      /service\.connection\.transport: Required value: transport must be set for GRPC/,
    ],
    'GRPC over TCP': [
      [selection('cluster', 'GRPC', tcp('https://a:1'))],
      /service\.connection\.uds: Required value: UDS must be set with GRPC/,
    ],
    'neither TCP nor a socket': [
      [selection('cluster', 'HTTPConnect', {})],
      /service\.connection\.tcp: Required value: One of TCP or UDS must be set/,
    ],
    'a socket without a name': [
      [selection('cluster', 'HTTPConnect', uds(''))],
      /service\.connection\.udsName: Invalid value: "nil": must be present for UDS connections/,
    ],
    'another scheme': [
      [selection('cluster', 'HTTPConnect', tcp('tcp://a:1'))],
      /service\.connection\.url: Invalid value: "tcp:\/\/a:1": supported connection protocols are http:\/\/ and https:\/\//,
    ],
    'https without files': [
      [selection('cluster', 'HTTPConnect', tcp('https://a:1'))],
      /service\.connection\.tlsConfig: Required value: TLSConfig must be present when using HTTPS/,
    ],
    'files that are not there': [
      [selection('cluster', 'HTTPConnect', tcp('https://a:1', { caBundle: missing, clientCert: missing }))],
      /caBundle: Invalid value: ".*": TLS config ca bundle does not exist.*clientCert: .*TLS client cert does not exist.*clientKey: Invalid value: "nil"/s,
    ],
    'a name that is none': [
      [selection('node', 'Direct')],
      /service\.connection: Unsupported value: "node": supported values: "cluster", "controlplane", "etcd"/,
    ],
    'a name twice': [
      [selection('cluster', 'Direct'), selection('CLUSTER', 'Direct')],
      /service\.connection\[1\]: Duplicate value: "cluster"/,
    ],
    'a field that is none': [
      [{ ...selection('cluster', 'Direct'), proxy: 1 }],
      /unknown field "egressSelections\[0\]\.proxy"/,
    ],
  };
  for (const [name, [selections, message]] of Object.entries(refused))
    it(`is refused with ${name}`, () => {
      assert.throws(
        () => opened(selections),
        (error: Error) => {
          assert.ok(error instanceof SettingsError);
          assert.match(error.message, message);
          return true;
        },
      );
    });

  it('is refused in a version of another group', () => {
    const more = { apiVersion: 'apiserver.config.k8s.io/v1' };
    assert.throws(() => opened([], more), /apiVersion must be apiserver\.k8s\.io\/v1beta1/);
  });
});

/** A proxy that takes CONNECT at a unix socket. */
async function connectProxy(serve: (authority: string, socket: Socket) => void) {
  const path = join(folder, `proxy-${Math.random()}.sock`);
  const server: Server = createServer();
  server.on('connect', ({ url = '' }, socket) => serve(url, socket as Socket));
  const sockets = trackSockets(server);
  await listen(server, { path });
  return { path, close: () => closeServer(server, sockets) };
}

const through = (path: string) => opened([selection('cluster', 'HTTPConnect', uds(path))]);
const host = '127.0.0.1';

describe('CONNECT', () => {
  it('leads to whom it names, and tells of the dial', async () => {
    const echo = createTcpServer((socket) => socket.pipe(socket));
    const echoing = trackSockets(echo);
    await listen(echo, { host, port: 0 });
    const { port } = echo.address() as AddressInfo;
    const proxy = await connectProxy((authority, socket) => {
      const target = connect(Number(authority.split(':')[1]), host, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.pipe(target).pipe(socket);
      });
    });
    const { egress, metrics } = through(proxy.path);
    const socket = await egress.way('cluster')!.dial({ host, port });
    socket.end('hello');
    let said = '';
    for await (const chunk of socket) said += String(chunk);
    assert.equal(said, 'hello');
    const page = metrics.render();
    const labels = '{protocol="http_connect",transport="uds"}';
    assert.ok(page.includes(`apiserver_egress_dialer_dial_start_total${labels} 1`));
    assert.ok(page.includes(`apiserver_egress_dialer_dial_duration_seconds_count${labels} 1`));
    egress.close();
    await proxy.close();
    await closeServer(echo, echoing);
  });

  const failed = (stage: string) =>
    `apiserver_egress_dialer_dial_failure_count{protocol="http_connect",transport="uds",stage="${stage}"} 1`;

  it('that is refused says what the proxy says', async () => {
    const proxy = await connectProxy((_, socket) =>
      socket.end('HTTP/1.1 503 No agent\r\ncontent-length: 0\r\n\r\n'),
    );
    const { egress, metrics } = through(proxy.path);
    await assert.rejects(egress.way('cluster')!.dial({ host: 'fd00::1', port: 443 }), {
      message: `proxy error from ${proxy.path} while dialing [fd00::1]:443, code 503: 503 No agent`,
    });
    assert.ok(metrics.render().includes(failed('proxy')));
    egress.close();
    await proxy.close();
  });

  it('is not believed when bytes come with its answer', async () => {
    const proxy = await connectProxy((_, socket) => socket.write('HTTP/1.1 200 OK\r\n\r\nearly'));
    const { egress } = through(proxy.path);
    await assert.rejects(egress.way('cluster')!.dial({ host, port: 1 }), {
      message: `unexpected 5 bytes of buffered data from CONNECT proxy "${proxy.path}"`,
    });
    egress.close();
    await proxy.close();
  });

  it('to a proxy that is not there fails at once', async () => {
    const path = join(folder, 'nobody.sock');
    const { egress, metrics } = through(path);
    await assert.rejects(egress.way('cluster')!.dial({ host, port: 1 }), {
      message: `dial unix ${path}: connect: no such file or directory`,
    });
    assert.ok(metrics.render().includes(failed('connect')));
    egress.close();
  });

  it('that nobody answers ends after 30 s, or with the signal of who asked', async () => {
    const asked = Promise.withResolvers<void>();
    const proxy = await connectProxy(() => asked.resolve());
    const { egress } = through(proxy.path);
    const { dial } = egress.way('cluster')!;
    const late = dial({ host, port: 1 });
    const refused = assert.rejects(late, { message: 'dial timeout, backstop' });
    await asked.promise;
    await clock.advance(periods.egressDialMs);
    await refused;
    const left = AbortSignal.abort(new Error('the client has gone'));
    await assert.rejects(dial({ host, port: 1, signal: left }), { message: 'the client has gone' });
    egress.close();
    await proxy.close();
  });

  it('to Konnectivity by gRPC fails at once, too, where nobody listens', async () => {
    const path = join(folder, 'nobody.sock');
    const { egress } = opened([selection('cluster', 'GRPC', uds(path))]);
    await assert.rejects(egress.way('cluster')!.dial({ host, port: 1 }), {
      message: `dial unix ${path}: connect: no such file or directory`,
      stage: 'connect',
    });
    egress.close();
  });
});

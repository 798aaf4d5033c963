/** What a sender that nobody knows yet can make the server hold. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { connect, type TLSSocket } from 'node:tls';
import { FakeClock } from '@wherry/clock';
import { MetricsRegistry } from '@wherry/telemetry';
import { TestServer } from '../../test/test-server.ts';
import { limits, periods } from '../limits.ts';

describe('a sender that nobody knows', { timeout: 60_000 }, () => {
  let server: TestServer;
  const clock = new FakeClock();
  const metrics = new MetricsRegistry();
  before(async () => {
    server = await TestServer.start({ clock, metrics });
  });
  after(() => server?.close());

  const open = async (options: { allowHalfOpen?: boolean } = {}): Promise<TLSSocket> => {
    const { authority, apiserver } = server;
    const socket = connect({ ...options, port: apiserver.port, host: '127.0.0.1', ca: authority.cert });
    await once(socket, 'secureConnect');
    return socket;
  };
  const textOf = async (socket: TLSSocket): Promise<string> => {
    let text = '';
    for await (const chunk of socket) text += chunk;
    return text;
  };

  it('chooses no label of a metric', async () => {
    const linesBefore = metrics.render().split('\n').length;
    for (let at = 0; at < 300; at++) {
      const name = `made-up-${at}`;
      await server.request('GET', `/apis/${name}/${name}/namespaces/${name}/${name}/${name}/${name}`, {
        as: null,
      });
      await server.request('GET', `/api/v1/namespaces/default/pods/p/${name}`, { as: null });
      await server.request('GET', `/api/v1/${name}`);
      await server.request('GET', `/${name}`);
    }
    const text = metrics.render();
    assert.ok(!text.includes('made-up'), 'a part of a path became a label');
    const added = text.split('\n').length - linesBefore;
    assert.ok(added < 200, `${added} lines more`);
    await server.request('GET', '/api/v1/namespaces/default/pods');
    assert.match(
      metrics.render(),
      /apiserver_request_total\{verb="LIST",dry_run="",group="",version="v1",resource="pods"/,
    );
  });

  it('has a head of a bounded size', async () => {
    assert.ok(limits.requestHeadBytesMax <= 256 * 1024, 'a stranger may send that much');
    const fits = await server.request('GET', `/healthz?x=${'x'.repeat(limits.requestHeadBytesMax - 4096)}`);
    assert.equal(fits.status, 200);
    const socket = await open();
    socket.write(`GET /healthz?x=${'x'.repeat(limits.requestHeadBytesMax)} HTTP/1.1\r\nhost: a\r\n\r\n`);
    // The server closes while the head is still on its way, so the answer may be lost on a reset.
    assert.match(await textOf(socket).catch(() => 'reset'), /^HTTP\/1\.1 431 |^reset$|^$/);
  });

  it('ends when its body does not come', async () => {
    const socket = await open();
    const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
    const { token } = await robot();
    const head = [
      'host: a',
      'content-type: application/json',
      'content-length: 1000',
      `authorization: Bearer ${token}`,
    ];
    socket.write(`POST ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n{"spec"`);
    const closed = once(socket.resume(), 'close');
    await untilServed(() =>
      metrics.render().includes('apiserver_current_inflight_requests{request_kind="mutating"} 1'),
    );
    clock.advance(periods.requestBodyMs);
    await closed;
  });

  it('is answered and then cut off when it goes on sending what nobody reads', async () => {
    const socket = await open();
    socket.write('POST /api/v1/namespaces HTTP/1.1\r\nhost: a\r\ncontent-length: 1000000\r\n\r\nx');
    const [chunk] = await once(socket, 'data');
    assert.match(String(chunk), /^HTTP\/1\.1 403 .*connection: close/is);
    const closed = once(socket.resume(), 'close');
    clock.advance(periods.discardedBodyMs);
    await closed;
  });

  it('is read on behind its answer, so that no reset takes that away', async () => {
    const socket = await open({ allowHalfOpen: true });
    const bytes = 4_000_000;
    socket.write(`POST /api/v1/namespaces HTTP/1.1\r\nhost: a\r\ncontent-length: ${bytes}\r\n\r\n`);
    const [chunk] = await once(socket, 'data');
    assert.match(String(chunk), /^HTTP\/1\.1 403 .*connection: close/is);
    await once(socket.resume(), 'end');
    const piece = Buffer.alloc(bytes / 20, 'x');
    for (let sent = 0; sent < bytes; sent += piece.length)
      await new Promise<void>((resolve, reject) =>
        socket.write(piece, (error) => (error ? reject(error) : setImmediate(resolve))),
      );
    const closed = once(socket, 'close');
    socket.end();
    assert.deepEqual(await closed, [false]);
  });

  async function robot(): Promise<{ token: string }> {
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    await server.request('POST', accounts, { body: { metadata: { name: 'robot' } } });
    const { body } = await server.request('POST', `${accounts}/robot/token`, { body: { spec: {} } });
    return { token: body.status.token };
  }

  async function untilServed(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
  }
});

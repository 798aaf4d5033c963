import assert from 'node:assert/strict';
import { createSecureServer, type Http2SecureServer, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { before, type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { TestAuthority } from '../../apiserver/test/pki.ts';
import { KubeClient, type KubeClientOptions, type KubeObject, kinds } from '../src/index.ts';

let authority: TestAuthority;
let identity: { cert: string; key: string };
before(async () => {
  authority = await TestAuthority.create('http2');
  identity = await authority.issue({ name: 'server', hosts: ['127.0.0.1'] });
});

const object = { metadata: { name: 'a', namespace: 'default', uid: 'a', resourceVersion: '1' } };
const list = { metadata: { resourceVersion: '1' }, items: [object] };

/** A server of both versions of HTTP; each test says what it answers. */
async function startServer(
  context: TestContext,
  {
    allowHTTP1 = true,
    streams = 100,
    certificateAuthority = authority.cert,
    ...options
  }: Partial<KubeClientOptions> & {
    allowHTTP1?: boolean;
    streams?: number;
    certificateAuthority?: string;
  } = {},
) {
  const seen = {
    versions: [] as string[],
    sessions: new Set<ServerHttp2Session>(),
    sockets: new Set<Socket>(),
    watches: 0,
  };
  const server: Http2SecureServer = createSecureServer(
    { ...identity, allowHTTP1, settings: { maxConcurrentStreams: streams } },
    (request, response) => {
      seen.versions.push(request.httpVersion);
      response.setHeader('content-type', 'application/json');
      if (request.url.includes('watch=true')) {
        seen.watches += 1;
        response.stream?.on('close', () => (seen.watches -= 1));
        response.write(
          `${JSON.stringify({ type: 'ADDED', object: { metadata: { name: 'b', namespace: 'default' } } })}\n`,
        );
      } else if (request.url.endsWith('/big')) {
        response.setHeader('content-encoding', 'gzip');
        response.end(gzipSync(JSON.stringify({ data: 'x'.repeat(3_000_000) })));
      } else if (request.method === 'POST') request.pipe(response as never);
      else
        response.end(
          JSON.stringify(request.url.endsWith('configmaps') || request.url.includes('?') ? list : object),
        );
    },
  );
  server.on('session', (session) =>
    seen.sessions.add(session.on('close', () => seen.sessions.delete(session))),
  );
  server.on('secureConnection', (socket) =>
    seen.sockets.add(socket.on('close', () => seen.sockets.delete(socket))),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = new KubeClient({
    ...options,
    access: {
      server: new URL(`https://127.0.0.1:${port}`),
      tls: { ca: Buffer.from(certificateAuthority), rejectUnauthorized: true },
      namespace: 'default',
      headers: () => ({ authorization: 'Bearer secret' }),
    },
  });
  context.after(() => {
    client.close();
    for (const session of seen.sessions) session.destroy();
    for (const socket of seen.sockets) socket.destroy();
    server.close();
  });
  return { client, seen, server };
}

test('requests go over one HTTP/2 connection where the server offers it: small, large, packed, with a body', async (context) => {
  const { client, seen } = await startServer(context);
  const [one, many, big] = await Promise.all([
    client.get('ConfigMap/a'),
    Promise.all(Array.from({ length: 50 }, () => client.get('ConfigMap/a'))),
    client.get<KubeObject & { data: string }>('ConfigMap/big'),
  ]);
  assert.equal(one.metadata.name, 'a');
  assert.equal(many.length, 50);
  assert.equal(big.data.length, 3_000_000);
  const made = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { a: 'b' } };
  assert.deepEqual(await client.create(made), made);
  assert.deepEqual([seen.sessions.size, new Set(seen.versions)], [1, new Set(['2.0'])]);
});

test('many watches share a connection; above its bound of streams there is another', async (context) => {
  const { client, seen } = await startServer(context, { streams: 20 });
  const stop = new AbortController();
  const first = await Promise.all(
    Array.from({ length: 50 }, async () => {
      const events = client.resource(kinds.configMaps).watch({ signal: stop.signal });
      return (await events.next()).value.object.metadata.name;
    }),
  );
  assert.deepEqual(new Set(first), new Set(['b']));
  assert.deepEqual([seen.sessions.size, seen.watches], [3, 50]);
  stop.abort();
  assert.equal((await client.get('ConfigMap/a')).metadata.name, 'a');
  for (let turns = 0; seen.watches > 0 && turns < 200; turns += 1)
    await new Promise((next) => setTimeout(next, 5));
  assert.equal(seen.watches, 0);
});

test('a connection that the server ends or tears is replaced, and a GET is not lost', async (context) => {
  const { client, seen } = await startServer(context);
  await client.get('ConfigMap/a');
  for (const end of [
    (session: ServerHttp2Session) => session.goaway(),
    (session: ServerHttp2Session) => session.destroy(),
  ]) {
    for (const session of seen.sessions) end(session);
    assert.equal((await client.get('ConfigMap/a')).metadata.name, 'a');
  }
});

test('a GET whose connection ends before the first answer is sent again', async (context) => {
  const { FakeClock } = await import('@wherry/clock');
  const clock = new FakeClock();
  const { client, server, seen } = await startServer(context, { clock });
  const tear = () => {
    for (const socket of seen.sockets) socket.destroy();
  };
  server.once('session', (session) => session.once('stream', tear));
  const hasPaused = new Promise<void>((resolve) => {
    const { after } = clock;
    clock.after = (delayMs, call) => {
      if (delayMs === 1_000) resolve();
      return after.call(clock, delayMs, call);
    };
  });
  const asked = client.get('ConfigMap/a');
  await Promise.race([hasPaused, asked]);
  await clock.advanceAsync(1_000);
  assert.equal((await asked).metadata.name, 'a');
});

test('a server that answers no ping ends what is open', async (context) => {
  const { FakeClock } = await import('@wherry/clock');
  const clock = new FakeClock();
  const { client, seen } = await startServer(context, { clock });
  const events = client.resource(kinds.configMaps).watch({});
  await events.next();
  for (const socket of seen.sockets) socket.pause();
  const ended = assert.rejects(events.next(), /answers no ping/);
  await clock.advanceAsync(30_000);
  await clock.advanceAsync(15_000);
  await ended;
  for (const socket of seen.sockets) socket.resume();
});

test('a server that agrees to HTTP/2 and says nothing is given up', async (context) => {
  const { FakeClock } = await import('@wherry/clock');
  const clock = new FakeClock();
  const { client, server, seen } = await startServer(context, { clock });
  server.removeAllListeners('secureConnection');
  const silent = new Promise<void>((resolve) =>
    server.on('secureConnection', (socket) => {
      seen.sockets.add(socket);
      socket.once('data', () => resolve());
    }),
  );
  const asked = client.resource(kinds.configMaps).get({ name: 'a' });
  const refused = assert.rejects(asked, /the first settings of the server/);
  await silent;
  await clock.advanceAsync(5_000);
  await refused;
});

test('a server without HTTP/2 is spoken to in HTTP/1.1, over the connection that found it out', async (context) => {
  const { createServer } = await import('node:https');
  let connections = 0;
  const server = createServer(identity, (_request, response) => response.end(JSON.stringify(object)));
  server.on('secureConnection', () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = new KubeClient({
    access: {
      server: new URL(`https://127.0.0.1:${port}`),
      tls: { ca: Buffer.from(authority.cert), rejectUnauthorized: true },
      namespace: 'default',
      headers: () => ({}),
    },
  });
  context.after(() => {
    client.close();
    server.closeAllConnections();
    server.close();
  });
  for (let round = 0; round < 3; round += 1)
    assert.equal((await client.get('ConfigMap/a')).metadata.name, 'a');
  assert.equal(connections, 1);
});

test('a server is trusted whose own certificate stands where the authority would', async (context) => {
  const { client } = await startServer(context, { certificateAuthority: identity.cert });
  assert.equal((await client.get('ConfigMap/a')).metadata.name, 'a');
  const other = await authority.issue({ name: 'other', hosts: ['127.0.0.1'] });
  const { client: wary } = await startServer(context, { certificateAuthority: other.cert });
  await assert.rejects(wary.get('ConfigMap/a'), { code: 'unreachable' });
});

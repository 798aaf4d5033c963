/** Requests that a server of Node's got and passes on, over both versions of HTTP. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  createServer,
  get,
  type IncomingMessage,
  type RequestListener,
  type RequestOptions,
  request as requestHttp,
  type ServerResponse,
} from 'node:http';
import {
  type ClientHttp2Stream,
  connect as connectHttp2,
  createServer as createHttp2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { type AddressInfo, connect, type Server } from 'node:net';
import { buffer, json, text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { KubeClient, type PassedExchange, type PassedOutcome } from '../src/index.ts';

const mebibyte = 1 << 20;

async function listen(context: TestContext, server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  context.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

interface Gateway {
  client: KubeClient;
  /** Ports at which it listens. */
  http1: number;
  http2: number;
  outcomes: PassedOutcome[];
}

/** A server that answers by `backend`, and gateways in front of it. */
async function start(
  context: TestContext,
  backend: RequestListener,
  extra: Partial<PassedExchange> = {},
): Promise<Gateway> {
  const port = await listen(context, createServer(backend));
  const client = clientOf(port);
  context.after(() => client.close());
  const outcomes: PassedOutcome[] = [];
  const pass = async (
    request: IncomingMessage | Http2ServerRequest,
    response: ServerResponse | Http2ServerResponse,
  ) => {
    response.setHeader('x-gateway', 'here');
    const exchange = { request, response, path: request.url ?? '', ...extra };
    outcomes.push(await client.passRequest(exchange));
  };
  const [http1, http2] = await Promise.all([
    listen(context, createServer(pass)),
    listen(context, createHttp2Server(pass)),
  ]);
  return { client, http1, http2, outcomes };
}

const clientOf = (port: number) =>
  new KubeClient({
    access: {
      server: new URL(`http://127.0.0.1:${port}`),
      tls: { rejectUnauthorized: true },
      namespace: 'default',
      headers: () => ({ authorization: 'Bearer of-the-gateway' }),
    },
  });

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: NodeJS.ReadableStream;
  leave(): void;
}

/** Asks over one version of HTTP. */
type Ask = (
  gateway: Gateway,
  path: string,
  asked?: { method?: string; headers?: OutgoingHttpHeaders; body?: string },
) => Promise<Answer>;

const askHttp1: Ask = async ({ http1 }, path, { body, ...asked } = {}) => {
  const sent = requestHttp({ port: http1, path, ...(asked as RequestOptions) }).end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return {
    ...{ status: answer.statusCode ?? 0, headers: answer.headers, body: answer },
    leave: () => answer.destroy(),
  };
};

const askHttp2: Ask = async ({ http2 }, path, { method = 'GET', headers, body } = {}) => {
  const session = connectHttp2(`http://127.0.0.1:${http2}`);
  const head = { ...headers, ':path': path, ':method': method };
  const stream: ClientHttp2Stream = session.request(head, { endStream: body === undefined });
  if (body !== undefined) stream.end(body);
  stream.once('close', () => session.close());
  const [answered] = await once(stream, 'response');
  return {
    ...{ status: answered[':status'], headers: answered, body: stream },
    leave: () => session.destroy(),
  };
};

const versions: readonly [string, Ask][] = [
  ['HTTP/1.1', askHttp1],
  ['HTTP/2', askHttp2],
];

for (const [version, ask] of versions) {
  test(`what comes by ${version} goes on with its body, without what is the gateway’s own`, async (context) => {
    const gateway = await start(context, async (asked, response) => {
      const { method, url, headers } = asked;
      const body = await text(asked);
      response.appendHeader('Warning', '299 - "old"').appendHeader('Warning', '299 - "older"');
      response.setHeader('Cache-Control', 'private').statusCode = 201;
      response.end(JSON.stringify({ method, url, body, headers }));
    });
    const answer = await ask(gateway, '/api/v1/pods?limit=1', {
      method: 'POST',
      headers: { cookie: 'log-in=secret', authorization: 'Bearer of-who-asks', accept: 'application/json' },
      body: 'a body',
    });
    const { headers, ...rest } = (await json(answer.body)) as Record<string, Record<string, string>>;
    assert.deepEqual(rest, { method: 'POST', url: '/api/v1/pods?limit=1', body: 'a body' });
    const { cookie, authorization, accept, 'x-forwarded-for': address } = headers ?? {};
    assert.deepEqual(
      { cookie, authorization, accept },
      { cookie: undefined, authorization: 'Bearer of-the-gateway', accept: 'application/json' },
    );
    assert.match(address ?? '', /127\.0\.0\.1$/);
    assert.equal(answer.status, 201);
    assert.equal(answer.headers['warning'], '299 - "old", 299 - "older"');
    assert.equal(answer.headers['cache-control'], 'private, no-transform');
    assert.equal(answer.headers['x-gateway'], 'here');
    assert.deepEqual(gateway.outcomes, [{ statusCode: 201, error: null }]);
  });

  test(`events come by ${version} as they are sent, until the client leaves`, {
    timeout: 10_000,
  }, async (context) => {
    let left: Promise<unknown> | undefined;
    const gateway = await start(context, (_, response) => {
      left = once(response, 'close');
      response.write('event\n');
    });
    const { body, leave } = await ask(gateway, '/api/v1/pods?watch=true');
    const [event] = await once(body, 'data');
    assert.equal(String(event), 'event\n');
    leave();
    await left;
    while (gateway.outcomes.length === 0) await new Promise(setImmediate);
    assert.match(gateway.outcomes[0]?.error?.message ?? '', /the client has gone/);
  });

  test(`an answer that is torn is torn for who asked by ${version}, too`, {
    timeout: 10_000,
  }, async (context) => {
    const gateway = await start(context, (_, response) => {
      response.write('half');
      setImmediate(() => setImmediate(() => response.destroy()));
    });
    const { body } = await ask(gateway, '/api/v1/pods');
    await assert.rejects(buffer(body));
    while (gateway.outcomes.length === 0) await new Promise(setImmediate);
    assert.equal(gateway.outcomes[0]?.statusCode, 200);
    assert.ok(gateway.outcomes[0]?.error);
  });

  test(`a slow reader by ${version} slows the server`, { timeout: 20_000 }, async (context) => {
    let writtenBytes = 0;
    const total = 64 * mebibyte;
    const chunk = Buffer.alloc(mebibyte);
    const gateway = await start(context, async (_, response) => {
      for (; writtenBytes < total; writtenBytes += chunk.length)
        if (!response.write(chunk)) await once(response, 'drain');
      response.end();
    });
    const { body } = await ask(gateway, '/api/v1/pods');
    let before = -1;
    while (before !== writtenBytes) {
      before = writtenBytes;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    assert.ok(writtenBytes < total / 2, `${writtenBytes} bytes`);
    assert.equal((await buffer(body)).length, total);
  });

  test(`a path that means another one is refused by ${version}`, async (context) => {
    const gateway = await start(context, (_, response) => response.end('not asked'));
    // HTTP/2 takes no other target than a path.
    const targets = ask === askHttp1 ? ['http://elsewhere/', '/a\\b'] : [];
    for (const path of ['/a/../b', '/a/%2E./b', '/a/..%2fb', '/a/.', ...targets]) {
      const { status, body } = await ask(gateway, path);
      assert.match(`${status} ${await text(body)}`, /^400 The path .* can't be passed on/, path);
    }
  });
}

test('a body that was read before is told of, and can be handed over', async (context) => {
  const seen: unknown[] = [];
  const backend: RequestListener = async (asked, response) => {
    seen.push([asked.headers['content-length'], asked.headers['content-encoding'], await text(asked)]);
    response.end();
  };
  const { client } = await start(context, backend);
  for (const body of [undefined, Buffer.from('as it was decoded')]) {
    const parsing = createServer(async (request, response) => {
      await text(request);
      await client.passRequest({ request, response, path: '/api', body });
    });
    const port = await listen(context, parsing);
    const headers = { 'content-encoding': 'gzip' };
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: 'packed' });
    const said = await answer.text();
    if (body) assert.equal(answer.status, 200);
    else assert.match(`${answer.status} ${said}`, /^500 the body of POST \/ was read before .* as "body"/);
  }
  assert.deepEqual(seen, [['17', undefined, 'as it was decoded']]);
});

test('a server that is not there is told of in the gateway’s own words', async (context) => {
  const renderError = (statusCode: number) => ({
    ...{ statusCode: statusCode + 3, headers: [['content-type', 'text/x-own']] as const, body: 'later' },
  });
  const gateway = await start(context, (asked) => asked.socket.destroy(), { renderError });
  const answer = await askHttp1(gateway, '/api', { method: 'POST', body: 'x' });
  assert.deepEqual(
    [answer.status, answer.headers['content-type'], await text(answer.body)],
    [503, 'text/x-own', 'later'],
  );
  assert.match(gateway.outcomes[0]?.error?.message ?? '', /Unable to connect to the server/);
});

/** A gateway of upgrades whose client is asked for credentials by `current`. */
async function startUpgrades(context: TestContext, current: () => Promise<never>) {
  const client = new KubeClient({
    access: {
      ...{ server: new URL('http://127.0.0.1:1'), tls: { rejectUnauthorized: true }, namespace: 'default' },
      headers: () => ({}),
      credentials: { current, replace: async () => false },
    },
  });
  const outcomes: unknown[] = [];
  const server = createServer().on('upgrade', async (request, socket, head) => {
    outcomes.push(await client.passUpgrade({ path: request.url ?? '', request, socket, head }));
  });
  return { port: await listen(context, server), outcomes };
}

const upgrading = { connection: 'Upgrade', upgrade: 'SPDY/3.1' };

test('an upgrade for which there are no credentials is answered, and so is a path that means another', async (context) => {
  const { port, outcomes } = await startUpgrades(context, () => Promise.reject(new Error('no plug-in')));
  for (const [path, expected] of [
    ['/api', /^500 no plug-in/],
    ['/a/%2e%2e/b', /^400 The path/],
  ] as const) {
    const [answer] = await once(get({ port, path, headers: upgrading }), 'response');
    assert.match(`${answer.statusCode} ${await text(answer)}`, expected);
  }
  assert.equal(outcomes.length, 2);
});

test('a client that resets its connection while credentials are waited for ends nothing but itself', async (context) => {
  const asked = Promise.withResolvers<void>();
  const credentials = Promise.withResolvers<never>();
  const { port, outcomes } = await startUpgrades(context, () => {
    asked.resolve();
    return credentials.promise;
  });
  const socket = connect(port, '127.0.0.1');
  socket.write('GET /api HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n');
  await asked.promise;
  socket.resetAndDestroy();
  await new Promise((resolve) => setTimeout(resolve, 100));
  credentials.reject(new Error('too late'));
  while (outcomes.length === 0) await new Promise(setImmediate);
});

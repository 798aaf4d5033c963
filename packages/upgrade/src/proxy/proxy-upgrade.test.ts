import assert from 'node:assert/strict';
import { type AddressInfo, createServer, Socket } from 'node:net';
import { mock, test } from 'node:test';
import { collect } from '@wherry/bytes';
import { makeCertificate } from '../../test/certificate.ts';
import { head, rawConnection } from '../../test/raw-http.ts';
import { upgradeServer } from '../../test/upgrade-server.ts';
import { acceptSpdyUpgrade } from '../spdy/accept.ts';
import { requestUpgrade } from '../spdy/request.ts';
import { acceptWebSocket } from '../websocket/accept.ts';
import { dialWebSocket } from '../websocket/dial.ts';
import type { ProxyOutcome, ProxyUpgradeOptions } from './contract.ts';
import { proxyUpgrade } from './proxy-upgrade.ts';

const upgradeRequest = [
  'POST /front?x=1 HTTP/1.1',
  'Host: node.example:10250',
  'Content-Length: 0',
  'Connection: Upgrade',
  'Upgrade: SPDY/3.1',
  'X-Stream-Protocol-Version: v4.channel.k8s.io',
];
const switching = head(
  'HTTP/1.1 101 Switching Protocols',
  'Connection: Upgrade',
  'Upgrade: SPDY/3.1',
  'X-Stream-Protocol-Version: v4.channel.k8s.io',
);

/** A backend that hands its sockets, and everything they receive, to the test. */
async function backend(serve: (socket: Socket, received: () => string) => void) {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let received = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => (received += chunk.toString('latin1')));
    serve(socket, () => received);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/back?y=2`,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function proxy(url: string, options: Partial<ProxyUpgradeOptions> = {}) {
  const outcome = Promise.withResolvers<ProxyOutcome>();
  const server = await upgradeServer((request, socket, rest) => {
    proxyUpgrade({ backend: { url }, ...options, request, socket, head: rest }).then(outcome.resolve);
  });
  return {
    url: server.url,
    outcome: outcome.promise,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Answers the first request head. */
function answerWith(text: string) {
  return (socket: Socket) => {
    socket.once('data', () => socket.write(text));
    socket.once('end', () => socket.end());
  };
}

test('116: the request reaches the backend with its Host, its lines and our address, and the new target', async () => {
  const got = Promise.withResolvers<string>();
  await using back = await backend((socket, received) => {
    socket.once('data', () => {
      got.resolve(received());
      socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
    });
  });
  await using front = await proxy(back.url);
  const request = head(...upgradeRequest, 'X-Custom: kept', 'X-Forwarded-For: 10.1.1.1');
  await rawConnection(front.url, request).rest();
  const lines = (await got.promise).split('\r\n');
  assert.equal(lines[0], 'POST /back?y=2 HTTP/1.1');
  for (const line of [
    'Host: node.example:10250',
    'Upgrade: SPDY/3.1',
    'X-Custom: kept',
    'X-Forwarded-For: 10.1.1.1, 127.0.0.1',
  ]) {
    assert.ok(lines.includes(line), `missing "${line}" in ${lines.join(' | ')}`);
  }
});

for (const repliesAhead of [undefined, { inPairs: true }]) {
  const word = repliesAhead ? 'is told' : 'is not told';
  test(`a backend ${word} that this hop answers the streams, whatever the client says`, async () => {
    const got = Promise.withResolvers<string>();
    await using back = await backend((socket, received) => {
      socket.once('data', () => {
        got.resolve(received());
        socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
      });
    });
    await using front = await proxy(back.url, { repliesAhead });
    const own = repliesAhead ? ['X-Stream-Replies-Ahead: client'] : [];
    await rawConnection(front.url, head(...upgradeRequest, ...own)).rest();
    const lines = (await got.promise).split('\r\n').filter((line) => /^x-stream-replies/i.test(line));
    assert.deepEqual(lines, repliesAhead ? ['X-Stream-Replies-Ahead: true'] : []);
  });
}

test("the client's credentials stay at this hop, and the hop's own are sent", async () => {
  const got = Promise.withResolvers<string>();
  await using back = await backend((socket, received) => {
    socket.once('data', () => {
      got.resolve(received());
      socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
    });
  });
  await using front = await proxy(back.url, {
    backend: { url: back.url, headers: { Authorization: 'Bearer hop' } },
  });
  const secrets = ['Authorization: Bearer client', 'Impersonate-User: root', 'X-Remote-User: root'];
  const bearer = 'Sec-WebSocket-Protocol: base64url.bearer.authorization.k8s.io.c2VjcmV0, v4.channel.k8s.io';
  await rawConnection(front.url, head(...upgradeRequest, ...secrets, bearer)).rest();
  const text = await got.promise;
  assert.match(text, /\r\nAuthorization: Bearer hop\r\n/);
  assert.match(text, /\r\nSec-WebSocket-Protocol: v4.channel.k8s.io\r\n/);
  assert.doesNotMatch(text, /Bearer client|Impersonate|X-Remote|c2VjcmV0/);
});

for (const statusCode of [200, 204, 301, 302, 307]) {
  test(`68: ${statusCode} from the backend is neither relayed nor followed`, async () => {
    let connections = 0;
    await using back = await backend((socket) => {
      connections++;
      socket.once('data', () =>
        socket.end(`HTTP/1.1 ${statusCode} X\r\nLocation: ${back.url}\r\nContent-Length: 0\r\n\r\n`),
      );
    });
    await using front = await proxy(back.url);
    const answer = await rawConnection(front.url, head(...upgradeRequest)).rest();
    assert.match(answer, /^HTTP\/1.1 500 /);
    assert.match(answer, new RegExp(`\r\n\r\ninvalid upgrade response: status code ${statusCode}\n$`));
    assert.doesNotMatch(answer, /Location/);
    assert.equal(connections, 1);
    assert.equal((await front.outcome).statusCode, 500);
  });
}

test('69: after a failed upgrade no byte of the client reaches the backend (CVE-2018-1002105)', async () => {
  const ended = Promise.withResolvers<string>();
  await using back = await backend((socket, received) => {
    socket.once('data', () => socket.write('HTTP/1.1 403 Forbidden\r\nContent-Length: 6\r\n\r\ndenied'));
    socket.once('end', () => socket.end());
    socket.once('close', () => ended.resolve(received()));
  });
  await using front = await proxy(back.url);
  const smuggled = head('GET /api/v1/secrets HTTP/1.1', 'Host: x');
  const client = rawConnection(front.url, head(...upgradeRequest) + smuggled);
  await client.until(/denied/);
  client.socket.write(smuggled);
  await client.rest();
  assert.doesNotMatch(await ended.promise, /secrets/);
});

test("70: the backend's refusal is relayed with its body, chunked or not, and the connection closed", async () => {
  for (const body of [
    'Content-Length: 9\r\n\r\nforbidden',
    'Transfer-Encoding: chunked\r\n\r\n5\r\nforbi\r\n4\r\ndden\r\n0\r\n\r\n',
  ]) {
    await using back = await backend(answerWith(`HTTP/1.1 403 Forbidden\r\nX-Reason: rbac\r\n${body}`));
    await using front = await proxy(back.url);
    const answer = await rawConnection(front.url, head(...upgradeRequest)).rest();
    assert.match(answer, /^HTTP\/1.1 403 Forbidden\r\nX-Reason: rbac\r\n/);
    assert.match(answer, /\r\nConnection: close\r\n/);
    assert.match(answer, /\r\n\r\nforbidden$/);
    assert.deepEqual(await front.outcome, {
      statusCode: 403,
      bytesFromClient: 0,
      bytesFromBackend: 0,
      error: null,
    });
  }
});

test('a backend that is not there gives 500 in the words of this hop', async () => {
  const gone = await backend(() => {});
  await gone[Symbol.asyncDispose]();
  await using plain = await proxy(gone.url);
  assert.match(
    await rawConnection(plain.url, head(...upgradeRequest)).rest(),
    /\r\n\r\nerror dialing backend: .*ECONNREFUSED.*\n$/,
  );
  await using json = await proxy(gone.url, {
    renderError: (statusCode, message) => ({
      statusCode,
      headers: [['Content-Type', 'application/json']],
      body: JSON.stringify({ kind: 'Status', message }),
    }),
  });
  const answer = await rawConnection(json.url, head(...upgradeRequest)).rest();
  assert.match(answer, /\r\nContent-Type: application\/json\r\n/);
  assert.match(answer, /\{"kind":"Status","message":"error dialing backend: /);
});

test('a backend that hangs up without an answer gives 500', async () => {
  await using back = await backend((socket) => socket.once('data', () => socket.destroy()));
  await using front = await proxy(back.url);
  assert.match(
    await rawConnection(front.url, head(...upgradeRequest)).rest(),
    /\r\n\r\nerror sending request: socket hang up\n$/,
  );
});

test('a real 101 is passed on as it is, with the bytes behind it and the bytes pipelined by the client', async () => {
  await using back = await backend((socket) => {
    socket.once('data', () => socket.write(`${switching}server first`));
    socket.on('data', (chunk) => chunk.includes('client early') && socket.end(', got it'));
  });
  await using front = await proxy(back.url);
  const client = rawConnection(front.url, `${head(...upgradeRequest)}client early`);
  assert.equal(await client.rest(), `${switching}server first, got it`);
  const { statusCode, error, bytesFromClient } = await front.outcome;
  assert.deepEqual([statusCode, error, bytesFromClient], [101, null, 12]);
});

test('when one direction ends the other is drained to its last byte, at the pace of a slow client', async () => {
  const total = 24 * 2 ** 20;
  await using back = await backend((socket) => {
    socket.once('data', () => {
      socket.write(switching);
      socket.end(Buffer.alloc(total, 'x'));
    });
  });
  await using front = await proxy(back.url);
  const client = rawConnection(front.url, head(...upgradeRequest));
  await client.until(/\r\n\r\n/);
  client.socket.end();
  client.socket.pause();
  await new Promise((resolve) => setTimeout(resolve, 200));
  client.socket.resume();
  assert.equal((await client.rest()).length, switching.length + total);
  assert.equal((await front.outcome).error, null);
});

test('a client that half-closes gets the answer that comes later', async () => {
  await using back = await backend((socket) => {
    socket.once('data', () => socket.write(switching));
    socket.once('end', () => setTimeout(() => socket.end('late answer'), 100));
  });
  await using front = await proxy(back.url);
  const client = rawConnection(front.url, head(...upgradeRequest));
  await client.until(/\r\n\r\n/);
  client.socket.end('question');
  assert.equal(await client.rest(), `${switching}late answer`);
});

test("a client's reset reaches the backend", async () => {
  const broken = Promise.withResolvers<void>();
  await using back = await backend((socket) => {
    socket.once('data', () => socket.write(switching));
    socket.once('close', () => broken.resolve());
  });
  await using front = await proxy(back.url);
  const client = rawConnection(front.url, head(...upgradeRequest));
  await client.until(/\r\n\r\n/);
  client.socket.resetAndDestroy();
  await broken.promise;
  assert.ok((await front.outcome).error);
});

test('TCP asks both sides after the silence that the hop is told', async () => {
  await using back = await backend(answerWith(switching));
  await using front = await proxy(back.url, { keepAliveDelayMs: 7_000 });
  const asked = mock.method(Socket.prototype, 'setKeepAlive');
  const client = rawConnection(front.url, head(...upgradeRequest));
  await client.until(/\r\n\r\n/);
  const delays = asked.mock.calls.map(({ arguments: [, delayMs] }) => delayMs);
  asked.mock.restore();
  assert.equal(delays.filter((delayMs) => delayMs === 7_000).length, 2);
  client.socket.destroy();
  await front.outcome;
});

test('an abort cuts both sides', async () => {
  const closed = Promise.withResolvers<void>();
  await using back = await backend((socket) => {
    socket.once('data', () => socket.write(switching));
    socket.once('close', () => closed.resolve());
  });
  const abort = new AbortController();
  await using front = await proxy(back.url, { signal: abort.signal });
  const client = rawConnection(front.url, head(...upgradeRequest));
  await client.until(/\r\n\r\n/);
  abort.abort();
  await Promise.all([client.rest(), closed.promise]);
  assert.match(String((await front.outcome).error), /the proxy is closing/);
});

test('over TLS on both hops, too, each direction ends apart and is drained', async () => {
  const total = 8 * 2 ** 20;
  const pair = makeCertificate('node');
  await using back = await upgradeServer((request, socket, rest) => {
    const { channel } = acceptSpdyUpgrade({ request, socket, head: rest, protocols: ['v4'] });
    collect(channel, { bytesMax: total }).then(async (question) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      channel.write(question);
      channel.end();
    });
  }, pair);
  await using front = await upgradeServer((request, socket, rest) => {
    proxyUpgrade({ request, socket, head: rest, backend: { url: back.url, tls: { ca: pair.ca } } });
  }, pair);
  const { channel } = await requestUpgrade({ url: front.url, protocols: ['v4'], tls: { ca: pair.ca } });
  channel.write(Buffer.alloc(total, 'q'));
  channel.end();
  assert.equal((await collect(channel, { bytesMax: total })).length, total);
  assert.equal(await channel.closed, null);
});

for (const closer of ['client', 'backend'] as const)
  test(`a WebSocket that its ${closer} closes is ended by the ${closer}, whoever ends the connection first`, async () => {
    const receiver = { message() {}, closed() {} };
    await using back = await upgradeServer((request, socket, rest) => {
      const served = acceptWebSocket({ request, socket, head: rest, protocols: ['v5'] });
      served.receive(receiver);
      served.sendText('hello');
      if (closer === 'backend') served.close();
    });
    await using front = await proxy(back.url);
    const client = await dialWebSocket({ url: front.url, protocols: ['v5'] });
    client.receive(receiver);
    if (closer === 'client') client.close();
    assert.equal(await client.closed, null);
    const { endedBy, error } = await front.outcome;
    assert.deepEqual([endedBy, error], [closer, null]);
  });

test('a client that leaves while the backend is being asked ends the request there', async () => {
  const asked = Promise.withResolvers<void>();
  const hungUp = Promise.withResolvers<void>();
  await using back = await backend((socket) => {
    socket.once('data', () => asked.resolve());
    socket.once('end', () => socket.end());
    socket.once('close', () => hungUp.resolve());
  });
  await using front = await proxy(back.url);
  const client = rawConnection(front.url, head(...upgradeRequest));
  await asked.promise;
  client.socket.resetAndDestroy();
  await hungUp.promise;
  assert.ok((await front.outcome).error);
});

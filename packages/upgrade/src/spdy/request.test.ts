import assert from 'node:assert/strict';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { collect } from '@wherry/bytes';
import { makeCertificate } from '../../test/certificate.ts';
import { head } from '../../test/raw-http.ts';
import { upgradeServer } from '../../test/upgrade-server.ts';
import { UpgradeError } from '../errors.ts';
import { acceptSpdyUpgrade } from './accept.ts';
import { requestUpgrade } from './request.ts';

const protocols = ['v4.channel.k8s.io'];

/** A server that answers every request with the same bytes. */
async function cannedServer(answer: string): Promise<AsyncDisposable & { url: string; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (chunk) => {
      requests.push(chunk.toString());
      socket.end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function refusalOf(answer: string): Promise<UpgradeError> {
  await using server = await cannedServer(answer);
  const error = await requestUpgrade({ url: server.url, protocols }).catch((reason) => reason);
  assert.ok(error instanceof UpgradeError, String(error));
  return error;
}

test('the request has one protocol line for each offer, in order, and is a POST', async () => {
  await using server = await cannedServer('HTTP/1.1 400 Bad Request\r\n\r\n');
  await requestUpgrade({
    url: `${server.url}/exec?x=1`,
    protocols: ['v5', 'v4'],
    headers: { Authorization: 'Bearer t' },
  }).catch(() => {});
  const lines = server.requests[0]?.split('\r\n') ?? [];
  assert.equal(lines[0], 'POST /exec?x=1 HTTP/1.1');
  assert.ok(lines.includes('Connection: Upgrade') && lines.includes('Upgrade: SPDY/3.1'));
  assert.ok(lines.includes('Authorization: Bearer t'));
  const offers = lines.filter((line) => line.startsWith('X-Stream-Protocol-Version'));
  assert.deepEqual(offers, ['X-Stream-Protocol-Version: v5', 'X-Stream-Protocol-Version: v4']);
});

test('23: a 101 without the protocol header gives an empty protocol', async () => {
  await using server = await cannedServer(
    head('HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: SPDY/3.1'),
  );
  const upgraded = await requestUpgrade({ url: server.url, protocols });
  assert.equal(upgraded.protocol, '');
  upgraded.channel.end();
  await collect(upgraded.channel);
});

for (const { name, body, text } of [
  {
    name: "24: a Status's message",
    body: '{"kind":"Status","message":"pods \\"p\\" not found"}',
    text: 'pods "p" not found',
  },
  { name: 'the field error', body: '{"error":"no such thing"}', text: 'no such thing' },
  { name: 'the trimmed body', body: '  plain words\n', text: 'plain words' },
  { name: 'a stand-in for an empty body', body: '', text: 'empty server response' },
]) {
  test(`${name} is what a refused upgrade says`, async () => {
    const error = await refusalOf(`HTTP/1.1 404 Not Found\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    assert.equal(error.message, `unable to upgrade connection: ${text}`);
    assert.deepEqual([error.code, error.statusCode], ['refused', 404]);
  });
}

test('a redirect is a refusal and is not followed', async () => {
  await using target = await cannedServer('HTTP/1.1 200 OK\r\n\r\n');
  const error = await refusalOf(
    `HTTP/1.1 302 Found\r\nLocation: ${target.url}/\r\nContent-Length: 0\r\n\r\n`,
  );
  assert.equal(error.statusCode, 302);
  assert.deepEqual(target.requests, []);
});

test('a 101 without upgrade headers is a refusal', async () => {
  const error = await refusalOf('HTTP/1.1 101 Switching Protocols\r\n\r\n');
  assert.match(error.message, /missing upgrade headers in response/);
});

test('a 101 to another protocol is a refusal', async () => {
  const error = await refusalOf(
    head('HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: websocket'),
  );
  assert.match(error.message, /server upgraded to "websocket"/);
});

test('a closed port and an unknown scheme are unreachable', async () => {
  const server = await cannedServer('');
  await server[Symbol.asyncDispose]();
  for (const url of [server.url, 'ftp://127.0.0.1/']) {
    const error = await requestUpgrade({ url, protocols }).catch((reason) => reason);
    assert.ok(error instanceof UpgradeError);
    assert.equal(error.code, 'unreachable');
  }
});

test('an abort ends the wait for an answer with its reason', async () => {
  const silent = createHttpServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const abort = new AbortController();
  const reason = new Error('enough');
  setTimeout(() => abort.abort(reason), 20);
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  await assert.rejects(requestUpgrade({ url, protocols, signal: abort.signal }), reason);
  silent.closeAllConnections();
  silent.close();
});

test('bytes behind the 101 in the same read are not lost', async () => {
  const answer = head('HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: SPDY/3.1');
  await using server = await cannedServer(`${answer}early`);
  const { channel } = await requestUpgrade({ url: server.url, protocols });
  channel.end();
  assert.equal(Buffer.from(await collect(channel)).toString(), 'early');
});

test('a client certificate and a private authority make mutual TLS', async () => {
  const pair = makeCertificate('node');
  const server = createHttpsServer({ ...pair, requestCert: true, rejectUnauthorized: true });
  server.on('upgrade', (incoming, socket, rest) => {
    const subjectName = (incoming.socket as TLSSocket).getPeerCertificate().subject.CN;
    const { channel } = acceptSpdyUpgrade({ request: incoming, socket, head: rest, protocols });
    channel.receive({ data() {}, end() {}, closed() {} });
    channel.write(Buffer.from(`hello ${subjectName}`));
    channel.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { channel } = await requestUpgrade({ url, protocols, tls: pair });
  channel.end();
  assert.equal(Buffer.from(await collect(channel)).toString(), 'hello node');
  for (const tls of [{ ca: pair.ca }, {}]) {
    const stranger = await requestUpgrade({ url, protocols, tls }).catch((reason) => reason);
    assert.ok(stranger instanceof UpgradeError);
    assert.equal(stranger.code, 'unreachable');
  }
  server.close();
});

test('a transport of the caller carries the upgrade', async () => {
  await using server = await upgradeServer((request, socket, rest) => {
    const { channel } = acceptSpdyUpgrade({ request, socket, head: rest, protocols });
    channel.receive({ data() {}, end() {}, closed() {} });
    channel.end();
  });
  const { connect } = await import('node:net');
  const { port } = new URL(server.url);
  const upgraded = await requestUpgrade({
    url: 'http://nowhere.invalid/',
    protocols,
    connect: () => connect({ host: '127.0.0.1', port: Number(port) }),
  });
  assert.equal(upgraded.protocol, 'v4.channel.k8s.io');
  upgraded.channel.end();
  await collect(upgraded.channel);
});

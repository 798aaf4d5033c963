import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collect } from '@wherry/bytes';
import { head, rawConnection } from '../../test/raw-http.ts';
import { upgradeServer } from '../../test/upgrade-server.ts';
import { UpgradeError } from '../errors.ts';
import { acceptSpdyUpgrade, negotiateSpdy } from './accept.ts';

const protocols = ['v4.channel.k8s.io', 'v3.channel.k8s.io'];

/** A request as Node gives it, from its header lines. */
function requestWith(...lines: [string, string][]) {
  const headers: Record<string, string> = { host: 'x' };
  for (const [name, value] of lines) headers[name.toLowerCase()] = value;
  return { rawHeaders: lines.flat(), headers };
}

const upgrade: [string, string][] = [
  ['Connection', 'Upgrade'],
  ['Upgrade', 'SPDY/3.1'],
];

test('18: a request without the protocol header is refused with 400 and the count of its headers', () => {
  const negotiation = negotiateSpdy(requestWith(...upgrade), protocols);
  assert.ok(!negotiation.accepted);
  assert.equal(negotiation.answer.statusCode, 400);
  assert.equal(
    negotiation.answer.body,
    'unable to upgrade: header X-Stream-Protocol-Version does not exist in request with 2 headers\n',
  );
});

test('18: a blank protocol header is refused with 400', () => {
  const negotiation = negotiateSpdy(requestWith(...upgrade, ['X-Stream-Protocol-Version', ' , ']), protocols);
  assert.ok(!negotiation.accepted);
  assert.equal(negotiation.answer.statusCode, 400);
  assert.match(String(negotiation.answer.body), /contains \[ , ], but no valid protocols\n$/);
});

test('19: without a common protocol the answer is 403 with one line for each that the server speaks', () => {
  const negotiation = negotiateSpdy(requestWith(...upgrade, ['X-Stream-Protocol-Version', 'v9']), protocols);
  assert.ok(!negotiation.accepted);
  assert.equal(negotiation.answer.statusCode, 403);
  const lines = negotiation.answer.headers.filter(([name]) => name === 'X-Accepted-Stream-Protocol-Versions');
  assert.deepEqual(
    lines.map(([, value]) => value),
    protocols,
  );
  assert.equal(
    negotiation.answer.body,
    'unable to upgrade: unable to negotiate protocol: client supports [v9], server accepts [v4.channel.k8s.io v3.channel.k8s.io]\n',
  );
});

test('20: comma lists and repeated lines negotiate alike, and the client decides the order', () => {
  const list = requestWith(...upgrade, [
    'X-Stream-Protocol-Version',
    'v9, v3.channel.k8s.io,v4.channel.k8s.io',
  ]);
  const repeated = requestWith(
    ...upgrade,
    ['X-Stream-Protocol-Version', 'v9'],
    ['x-stream-protocol-version', 'v3.channel.k8s.io'],
    ['X-Stream-Protocol-Version', 'v4.channel.k8s.io'],
  );
  for (const request of [list, repeated]) {
    assert.deepEqual(negotiateSpdy(request, protocols), { accepted: true, protocol: 'v3.channel.k8s.io' });
  }
});

test('21: Connection: keep-alive, Upgrade is accepted in any case', () => {
  for (const [connection, token] of [
    ['keep-alive, Upgrade', 'SPDY/3.1'],
    ['UPGRADE', 'spdy/3.1'],
  ] as const) {
    const request = requestWith(
      ['Connection', connection],
      ['Upgrade', token],
      ['X-Stream-Protocol-Version', 'v4.channel.k8s.io'],
    );
    assert.ok(negotiateSpdy(request, protocols).accepted);
  }
});

test('a request that is no upgrade is refused with 400 behind the protocol checks', () => {
  const negotiation = negotiateSpdy(
    requestWith(['X-Stream-Protocol-Version', 'v4.channel.k8s.io']),
    protocols,
  );
  assert.ok(!negotiation.accepted);
  assert.equal(negotiation.answer.statusCode, 400);
  assert.match(String(negotiation.answer.body), /^unable to upgrade: missing upgrade headers in request: /);
});

test('22: bytes pipelined behind the request head belong to the stream, and the 101 is exact', async () => {
  const received = Promise.withResolvers<Uint8Array>();
  await using server = await upgradeServer((request, socket, rest) => {
    const accepted = acceptSpdyUpgrade({ request, socket, head: rest, protocols });
    const { channel, protocol, repliesAhead } = accepted;
    assert.deepEqual({ protocol, repliesAhead }, { protocol: 'v4.channel.k8s.io', repliesAhead: true });
    collect(channel).then(received.resolve);
    channel.end();
  });
  const request = head(
    'POST /exec HTTP/1.1',
    'Host: x',
    'Content-Length: 0',
    'Connection: Upgrade',
    'Upgrade: SPDY/3.1',
    'X-Stream-Protocol-Version: v4.channel.k8s.io',
    'X-Stream-Replies-Ahead: true',
  );
  const connection = rawConnection(server.url, `${request}pipelined`);
  const answer = await connection.until(/\r\n\r\n/);
  assert.equal(
    answer,
    head(
      'HTTP/1.1 101 Switching Protocols',
      'Connection: Upgrade',
      'Upgrade: SPDY/3.1',
      'X-Stream-Protocol-Version: v4.channel.k8s.io',
    ),
  );
  connection.socket.end(' and later');
  assert.equal(Buffer.from(await received.promise).toString(), 'pipelined and later');
});

test('a refused upgrade is answered on the wire, and told to the caller with its status', async () => {
  const thrown = Promise.withResolvers<unknown>();
  await using server = await upgradeServer((request, socket, rest) => {
    try {
      acceptSpdyUpgrade({ request, socket, head: rest, protocols });
    } catch (error) {
      thrown.resolve(error);
    }
  });
  const answer = await rawConnection(
    server.url,
    head(
      'POST / HTTP/1.1',
      'Host: x',
      'Connection: Upgrade',
      'Upgrade: SPDY/3.1',
      'X-Stream-Protocol-Version: v9',
    ),
  ).rest();
  const error = await thrown.promise;
  assert.ok(error instanceof UpgradeError);
  assert.equal(error.statusCode, 403);
  assert.match(answer, /^HTTP\/1.1 403 Forbidden\r\n/);
  assert.match(answer, /\r\nX-Accepted-Stream-Protocol-Versions: v4.channel.k8s.io\r\n/);
  assert.match(answer, /server accepts \[v4.channel.k8s.io v3.channel.k8s.io]\n$/);
});

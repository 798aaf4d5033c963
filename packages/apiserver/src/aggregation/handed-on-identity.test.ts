import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { connect } from 'node:tls';
import { startFrontProxy } from '../../test/front-proxy.ts';
import type { Credentials } from '../../test/pki.ts';
import { TestExtension } from '../../test/test-extension.ts';
import type { TestServer } from '../../test/test-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'wherry-handed-on-'));
const things = '/apis/ext.example.com/v1/namespaces/default/things';
/** Of a server whose proxies, and so what extension servers are told to believe, have headers of their own. */
const headers = {
  requestheaderUsernameHeaders: ['X-Login'],
  requestheaderUidHeaders: ['X-Login-Uid'],
  requestheaderGroupHeaders: ['X-Team'],
  requestheaderExtraHeadersPrefix: ['X-Note-'],
};
const claims = { 'X-Login': 'admin', 'x-login-uid': '0', 'X-TEAM': 'system:masters', 'X-Note-Scopes': 'all' };
let server: TestServer;
let extension: TestExtension;
let someone: Credentials;

before(async () => {
  const started = await startFrontProxy(folder, headers);
  server = started.server;
  const serving = await server.authority.issue({ name: 'extension', hosts: ['extension.default.svc'] });
  extension = await TestExtension.start(serving, started.frontProxy.cert);
  someone = await server.authority.issue({ name: 'someone', groups: ['system:masters'] });
  await extension.register(server);
  while ((await server.request('GET', things)).status !== 200)
    await new Promise((resolve) => setTimeout(resolve, 10));
});
after(async () => {
  extension.close();
  await server.close();
  rmSync(folder, { recursive: true });
});

function assertNobodyElse(): void {
  const seen = extension.seen.at(-1)!.headers;
  for (const name of Object.keys(claims)) assert.equal(seen[name.toLowerCase()], undefined, name);
  assert.equal(seen['x-remote-user'], 'someone');
}

test('what a client says of itself in the headers of proxies reaches no extension server', async () => {
  assert.equal((await server.request('GET', things, { as: someone, headers: claims })).status, 200);
  assertNobodyElse();
});

test('nor does it where a connection becomes another', async () => {
  const { port } = server.apiserver;
  const socket = connect({ port, host: '127.0.0.1', ca: server.authority.cert, ...someone });
  await once(socket, 'secureConnect');
  const lines = Object.entries({ host: 'a', connection: 'upgrade', upgrade: 'SPDY/3.1', ...claims });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.write(`GET ${things}/a HTTP/1.1\r\n${head}\r\n`);
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk));
  while (!text.includes('\r\n\r\n')) await once(socket, 'data');
  assert.match(text, /^HTTP\/1\.1 101 /);
  socket.destroy();
  assertNobodyElse();
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { limits } from '../../limits.ts';
import { download } from './download.ts';

const asked: string[] = [];
const files = createServer(({ url = '' }, response) => {
  if (url.startsWith('/moved')) response.writeHead(302, { location: '/there?of=it' }).end();
  else if (url === '/round') response.writeHead(301, { location: '/round' }).end();
  else if (url === '/away') response.writeHead(302, { location: 'file:///etc/passwd' }).end();
  else if (url === '/long') response.end(Buffer.alloc(limits.manifestBytesMax + 1));
  else if (url === '/nope') response.writeHead(404).end('nothing');
  else response.end(`text of ${url}`);
});
const proxy = createServer();
proxy.on('connect', ({ url = '' }, socket) => {
  asked.push(url);
  socket.write('HTTP/1.1 200 OK\r\n\r\n');
  files.emit('connection', socket);
});
let origin: string;
const { HTTP_PROXY, NO_PROXY } = process.env;

before(async () => {
  for (const server of [files, proxy]) await once(server.listen(0, '127.0.0.1'), 'listening');
  origin = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
  process.env['HTTP_PROXY'] = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  process.env['NO_PROXY'] = 'direct.invalid';
});
after(() => {
  Object.assign(process.env, { HTTP_PROXY, NO_PROXY });
  for (const [name, value] of Object.entries({ HTTP_PROXY, NO_PROXY }))
    if (value === undefined) delete process.env[name];
  for (const server of [files, proxy]) {
    server.close();
    server.closeAllConnections();
  }
});

test('a file by its URL comes through the proxy of the environment, but for hosts of NO_PROXY and loopback', async () => {
  assert.equal(await download('http://files.invalid/a.yaml?b=c'), 'text of /a.yaml?b=c');
  assert.deepEqual(asked, ['files.invalid:80']);
  assert.equal(await download(`${origin}/a.yaml`), 'text of /a.yaml');
  await assert.rejects(
    download('http://direct.invalid/a.yaml'),
    /^CommandError: reading http:\/\/direct\.invalid\/a\.yaml: /,
  );
  assert.deepEqual(asked, ['files.invalid:80']);
});

test('redirects are followed, as many as Go follows, and to the web alone', async () => {
  assert.equal(await download(`${origin}/moved/a.yaml`), 'text of /there?of=it');
  await assert.rejects(download(`${origin}/round`), /stopped after 10 redirects$/);
  await assert.rejects(download(`${origin}/away`), /the server redirects to file:/);
});

test('what is not there, and what is too long, is refused', async () => {
  await assert.rejects(download(`${origin}/nope`), /\/nope: the server answered 404 Not Found$/);
  await assert.rejects(download(`${origin}/long`), /longer than 16777216 bytes$/);
});

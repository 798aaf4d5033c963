import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { connect } from 'node:tls';
import { startFrontProxy } from '../../test/front-proxy.ts';
import { Http2Client } from '../../test/http2-client.ts';
import { TestExtension } from '../../test/test-extension.ts';
import { TestKubelet } from '../../test/test-kubelet.ts';
import type { TestServer } from '../../test/test-server.ts';

const things = '/apis/ext.example.com/v1/namespaces/default/things';
const kubeletPage = '/api/v1/nodes/worker/proxy/pods';
const methods = ['GET', 'DELETE', 'OPTIONS', 'HEAD', 'POST', 'PUT'];
const second = [
  'POST /run/default/web/main?cmd=id HTTP/1.1',
  'Host: a',
  'X-Remote-User: admin',
  'X-Remote-Group: system:masters',
  'Content-Length: 0',
].join('\r\n');
const smuggled = `${second}\r\n\r\n`;
let server: TestServer;
let extension: TestExtension;
let kubelet: TestKubelet;
/** `METHOD URL` and the body of whatever a backend took for a request. */
const asked: string[] = [];

/** Sends a request in HTTP/1.1 as it is written, and waits for the end of the connection. */
async function sendRaw(head: readonly string[], body: string): Promise<string> {
  const { port } = server.apiserver;
  const socket = connect({ port, host: '127.0.0.1', ca: server.authority.cert, ...server.admin });
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  socket.write(`${[...head, 'Host: a', 'Connection: close'].join('\r\n')}\r\n\r\n${body}`);
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text;
}

const chunked = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;

describe('a body that is passed on to another server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-smuggled-'));
  before(async () => {
    const started = await startFrontProxy(folder, {});
    server = started.server;
    kubelet = await TestKubelet.start(server);
    await kubelet.register(server);
    kubelet.answer = async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      asked.push(`${request.method} ${request.url} ${body}`);
      response.end('{}');
    };
    const serving = await server.authority.issue({ name: 'extension', hosts: ['extension.default.svc'] });
    extension = await TestExtension.start(serving, started.frontProxy.cert);
    extension.answer = ({ method, url, body }, response) => {
      asked.push(`${method} ${url} ${body}`);
      response.end('{}');
    };
    await extension.register(server);
    while ((await server.request('GET', things)).status !== 200)
      await new Promise((resolve) => setTimeout(resolve, 10));
  });
  after(async () => {
    extension.close();
    await kubelet.close();
    await server.close();
    rmSync(folder, { recursive: true });
  });

  for (const [what, path] of [
    ['an extension server', things],
    ['a kubelet', kubeletPage],
  ] as const) {
    const target = path === things ? things : '/pods';

    it(`is no second request at ${what}, whatever its method`, async () => {
      for (const method of methods) {
        asked.length = 0;
        const head = [`${method} ${path} HTTP/1.1`, 'Transfer-Encoding: chunked'];
        assert.match(await sendRaw(head, chunked(smuggled)), /^HTTP\/1\.1 200 /, method);
        await server.request('GET', path);
        assert.deepEqual(asked, [`${method} ${target} ${smuggled}`, `GET ${target} `]);
      }
    });

    it(`is none at ${what} where it comes over HTTP/2, with its length or without`, async () => {
      const client = new Http2Client(server);
      for (const headers of [{}, { 'content-length': String(smuggled.length) }]) {
        asked.length = 0;
        const { status } = await client.request('GET', path, { headers, body: smuggled });
        assert.equal(status, 200);
        await server.request('GET', path);
        assert.deepEqual(asked, [`GET ${target} ${smuggled}`, `GET ${target} `]);
      }
      asked.length = 0;
      const lying = client.request('GET', path, { headers: { 'content-length': '0' }, body: smuggled });
      await assert.rejects(lying);
      await server.request('GET', path);
      assert.deepEqual(asked.slice(-1), [`GET ${target} `]);
      assert.ok(!asked.some((one) => one.startsWith('POST')));
      client.close();
    });
  }
});

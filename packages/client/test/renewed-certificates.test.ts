import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createSecureServer, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { FakeClock } from '@wherry/clock';
import { TestAuthority } from '../../apiserver/test/pki.ts';
import { createKubeClient } from '../src/index.ts';
import { limits } from '../src/limits.ts';

const sessionOf = ({ stream }: { stream?: { session?: { socket?: unknown } | undefined } | undefined }) =>
  stream?.session?.socket;

/** A server that answers with the name of who asks, over one version of HTTP, and a client of a kubeconfig that names files. */
async function start(context: TestContext, version: '1.1' | '2') {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-renewed-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const authority = await TestAuthority.create('first-ca');
  const serving = await authority.issue({ name: 'server', hosts: ['127.0.0.1'] });
  const slow: Http2ServerResponse[] = [];
  const server = createSecureServer(
    {
      ...{ ...serving, ca: authority.cert, requestCert: true, allowHTTP1: true },
      ALPNProtocols: version === '2' ? ['h2'] : ['http/1.1'],
    },
    (request, response) => {
      const socket = (sessionOf(request) ?? request.socket) as TLSSocket;
      const { CN: name } = socket.getPeerCertificate().subject;
      response.setHeader('content-type', 'application/json');
      const body = JSON.stringify({ name });
      if (request.url.endsWith('/slow')) {
        response.write(body.slice(0, 5));
        slow.push(response);
      } else response.end(body);
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const at = (name: string) => join(folder, name);
  const write = async (name: string) => {
    const { cert, key } = await authority.issue({ name });
    writeFileSync(at('client.crt'), cert);
    writeFileSync(at('client.key'), key);
  };
  writeFileSync(at('ca.crt'), authority.cert);
  await write('first');
  const kubeconfig = at('kubeconfig');
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'c' },
      clusters: [
        { name: 'c', cluster: { server: `https://127.0.0.1:${port}`, 'certificate-authority': 'ca.crt' } },
      ],
      users: [{ name: 'c', user: { 'client-certificate': 'client.crt', 'client-key': 'client.key' } }],
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'c' } }],
    }),
  );
  const clock = new FakeClock();
  const client = createKubeClient({ kubeconfig, clock });
  context.after(() => client.close());
  const ask = (path = '/who') => client.request({ method: 'GET', path });
  const later = () => clock.advance(limits.tlsFilesReuseMs);
  return { ask, write, later, slow, at };
}

for (const version of ['1.1', '2'] as const) {
  test(`a renewed certificate is shown by later requests over HTTP/${version}, and answers under way go on`, async (context) => {
    const { ask, write, later, slow } = await start(context, version);
    assert.deepEqual(await ask(), { name: 'first' });
    const underWay = ask('/slow');
    while (slow.length === 0) await delay(5);
    await write('second');
    assert.deepEqual(await ask(), { name: 'first' }, 'files are not read at each request');
    later();
    assert.deepEqual(await ask(), { name: 'second' });
    slow[0]?.end('e":"under way"}');
    assert.deepEqual(await underWay, { name: 'under way' });
  });
}

test('a pair of which one half is written, and a file that is gone, leave the last certificate in use', async (context) => {
  const { ask, write, later, at } = await start(context, '1.1');
  assert.deepEqual(await ask(), { name: 'first' });
  writeFileSync(at('client.crt'), (await (await TestAuthority.create('x')).issue({ name: 'x' })).cert);
  later();
  assert.deepEqual(await ask(), { name: 'first' });
  rmSync(at('ca.crt'));
  await write('second');
  later();
  assert.deepEqual(await ask(), { name: 'first' });
});

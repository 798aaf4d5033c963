import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer, get } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { FakeClock } from '@wherry/clock';
import type { Node } from '@wherry/kubeapi';
import { noTracer, silentLogger } from '@wherry/telemetry';
import { TestAuthority } from '../../test/pki.ts';
import { DialGuard } from '../dialing/dial-guard.ts';
import { ClientFiles } from '../documents/client-files.ts';
import { periods } from '../limits.ts';
import type { ObjectCache } from '../objects/object-cache.ts';
import { Kubelets } from './kubelets.ts';

test('a renewed client certificate is shown from then on, and what is under way goes on', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-kubelets-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const authority = await TestAuthority.create('test-ca');
  const serving = await authority.issue({ name: 'kubelet', hosts: ['127.0.0.1'] });
  const slow: ServerResponse[] = [];
  const kubelet = createServer({ ...serving, ca: authority.cert, requestCert: true }, (request, response) => {
    response.write(`${(request.socket as TLSSocket).getPeerCertificate().subject.CN}`);
    if (request.url === '/slow') slow.push(response);
    else response.end();
  });
  await new Promise<void>((resolve) => kubelet.listen(0, '127.0.0.1', resolve));
  context.after(() => kubelet.close());
  const { port } = kubelet.address() as AddressInfo;
  const paths = { ca: join(folder, 'ca'), cert: join(folder, 'cert'), key: join(folder, 'key') };
  const write = async (name: string) => {
    const { cert, key } = await authority.issue({ name });
    writeFileSync(paths.cert, cert);
    writeFileSync(paths.key, key);
  };
  writeFileSync(paths.ca, authority.cert);
  await write('first');
  const clock = new FakeClock();
  const status = {
    addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
  };
  const kubelets = new Kubelets({
    nodes: { get: () => ({ status }) } as unknown as ObjectCache<Node>,
    ...{ addressTypes: ['InternalIP'], defaultPort: 1, localNodes: ['here'], tracer: noTracer },
    guard: new DialGuard({ ownPort: () => 1, ownAddresses: [] }),
    files: new ClientFiles(paths, { towards: 'kubelets', clock, logger: silentLogger }),
  });
  context.after(() => kubelets.close());
  const signal = new AbortController().signal;
  const ask = async (path: string) => {
    const address = await kubelets.locate('here', signal);
    return new Promise<string>((resolve, reject) => {
      const options = { host: '127.0.0.1', port, path, ...kubelets.requestOptions(address) };
      get(options, async (response) => {
        let body = '';
        for await (const chunk of response) body += chunk;
        resolve(body);
      }).on('error', reject);
    });
  };
  assert.equal(await ask('/'), 'first');
  const underWay = ask('/slow');
  while (slow.length === 0) await delay(5);
  await write('second');
  clock.advance(periods.configurationFileMs);
  await delay(50);
  assert.equal(await ask('/'), 'second');
  slow[0]?.end(' to its end');
  assert.equal(await underWay, 'first to its end');
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import type { CriClient } from '@wherry/cri';
import { container, pod } from '../../../test/builders.ts';
import { runHook } from './hooks.ts';

/** What an httpGet hook asks of a server without TLS, and the reasons of events. */
async function asked(scheme: 'HTTP' | 'HTTPS') {
  const requests: IncomingMessage[] = [];
  const events: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    if (request.url === '/first') response.writeHead(302, { location: '/second' }).end();
    else response.writeHead(500).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const only = container('a');
  const httpHeaders = [
    { name: 'Authorization', value: 'secret' },
    { name: 'X-Other', value: 'kept' },
  ];
  try {
    await runHook(
      { httpGet: { scheme, port, path: '/first', httpHeaders } },
      {
        runtime: {} as CriClient['runtime'],
        clock: new FakeClock(),
        recorder: { record: ({ reason }) => void events.push(reason) },
        pod: pod({ containers: [only] }),
        target: { kind: 'regular', container: only },
        containerId: 'id',
        podIp: '127.0.0.1',
        signal: new AbortController().signal,
      },
    );
  } finally {
    server.close();
  }
  const headers = requests.map(({ headers }) => [headers.authorization, headers['x-other']]);
  return { paths: requests.map(({ url }) => url), headers, events };
}

test('an HTTP hook follows redirects of its server, and takes whatever it answers', async () => {
  assert.deepEqual(await asked('HTTP'), {
    paths: ['/first', '/second'],
    headers: [
      ['secret', 'kept'],
      ['secret', 'kept'],
    ],
    events: [],
  });
});

test('an HTTPS hook whose server has no TLS is asked without it and without credentials, and says so', async () => {
  assert.deepEqual(await asked('HTTPS'), {
    paths: ['/first', '/second'],
    headers: [
      [undefined, 'kept'],
      [undefined, 'kept'],
    ],
    events: ['LifecycleHTTPFallback'],
  });
});

test('a hook that fails says which it was, where, and what it printed', async () => {
  const only = container('a');
  const context = {
    runtime: {
      execSync: async () => ({ exitCode: 3, stdout: Buffer.from('out\n'), stderr: Buffer.from('err') }),
    } as unknown as CriClient['runtime'],
    clock: new FakeClock(),
    recorder: { record: () => {} },
    pod: pod({ containers: [only] }),
    target: { kind: 'regular' as const, container: only },
    containerId: 'id',
    podIp: '127.0.0.1',
    signal: new AbortController().signal,
  };
  const where = 'for Container "a" in Pod "p_default(uid-1)" failed - error:';
  await assert.rejects(runHook({ exec: { command: ['sh', '-c', 'x'] } }, context), {
    message: `Exec lifecycle hook ([sh -c x]) ${where} command 'sh -c x' exited with 3: err, message: "out\\nerr"`,
  });
  await assert.rejects(runHook({ httpGet: { port: 'none', path: '/x' } }, context), {
    message: `HTTP lifecycle hook (/x) ${where} couldn't find port: "none" in container a`,
  });
});

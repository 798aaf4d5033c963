import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import type { CriClient } from '@wherry/cri';
import { MetricsRegistry } from '@wherry/telemetry';
import { container, pod } from '../../../test/builders.ts';
import { hookFigures, runHook } from './hooks.ts';

/** What an httpGet hook asks of a server without TLS, and the reasons of events. */
async function asked(scheme: 'HTTP' | 'HTTPS') {
  const requests: IncomingMessage[] = [];
  const events: string[] = [];
  const metrics = new MetricsRegistry();
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
        figures: hookFigures(metrics),
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
  const [, fallbacks] = /^kubelet_lifecycle_handler_http_fallbacks_total (.*)$/m.exec(metrics.render()) ?? [];
  return { paths: requests.map(({ url }) => url), headers, events, fallbacks };
}

test('an HTTP hook follows redirects of its server, and takes whatever it answers', async () => {
  assert.deepEqual(await asked('HTTP'), {
    paths: ['/first', '/second'],
    headers: [
      ['secret', 'kept'],
      ['secret', 'kept'],
    ],
    events: [],
    fallbacks: '0',
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
    fallbacks: '1',
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
    figures: hookFigures(new MetricsRegistry()),
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

test('a pause that its container does not outlive is counted, one that ends is not', async () => {
  const only = container('a');
  const clock = new FakeClock();
  const metrics = new MetricsRegistry();
  const context = {
    ...{ runtime: {} as CriClient['runtime'], clock, recorder: { record: () => {} } },
    ...{ figures: hookFigures(metrics), pod: pod({ containers: [only] }) },
    ...{ target: { kind: 'regular' as const, container: only }, containerId: 'id', podIp: '' },
  };
  const gone = new AbortController();
  const ended = runHook({ sleep: { seconds: 1 } }, { ...context, signal: new AbortController().signal });
  const cut = runHook({ sleep: { seconds: 9 } }, { ...context, signal: gone.signal });
  await clock.advanceAsync(1_000);
  await ended;
  gone.abort(new Error('the container has stopped'));
  await assert.rejects(cut);
  assert.match(metrics.render(), /^kubelet_sleep_action_terminated_early_total 1$/m);
});

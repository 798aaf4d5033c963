/** Probes of each kind and hooks of each kind, with what follows from them; all on one node. */
import assert from 'node:assert/strict';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { TestAuthority } from '../packages/apiserver/test/pki.ts';
import { eventually, podOf, TestNode } from './node.ts';

let node: TestNode;
let plain: Answering;
let secure: Answering;
let health: { port: number; asked: string[]; isServing: boolean };
const servers: Server[] = [];

/** A server beside the node; requests are answered 200 while `isGood`. */
interface Answering {
  port: number;
  isGood: boolean;
  requests: IncomingMessage[];
}

before(async () => {
  node = await TestNode.start('probes');
  plain = await answering((answer) => http.createServer(answer));
  const authority = await TestAuthority.create('probed');
  const identity = await authority.issue({ name: 'probed', hosts: ['elsewhere.example'] });
  secure = await answering((answer) => https.createServer(identity, answer));
  health = await healthService();
});
after(async () => {
  for (const server of servers) server.close();
  await node?.remove();
});

async function listening(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, resolve));
  server.unref();
  return (server.address() as AddressInfo).port;
}

async function answering(
  create: (answer: (request: IncomingMessage, response: ServerResponse) => void) => Server,
): Promise<Answering> {
  const state: Answering = { port: 0, isGood: true, requests: [] };
  const server = create((request, response) => {
    state.requests.push(request);
    response.writeHead(state.isGood ? 200 : 503).end();
  });
  state.port = await listening(server);
  return state;
}

/** grpc.health.v1.Health/Check: 1 is SERVING, 2 NOT_SERVING; `asked` lists the services asked for. */
async function healthService() {
  const state = { port: 0, asked: [] as string[], isServing: true };
  const server = http2.createServer();
  server.on('stream', async (stream, headers) => {
    assert.equal(headers[':path'], '/grpc.health.v1.Health/Check');
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    // Five bytes of frame head, then field 1 with its length.
    state.asked.push(Buffer.concat(chunks).subarray(7).toString());
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.end(Buffer.from([0, 0, 0, 0, 2, 0x08, state.isServing ? 1 : 2]));
  });
  state.port = await listening(server as unknown as Server);
  return state;
}

const run = (pod: string, script: string) => node.kubectlOk(['exec', pod, '--', 'sh', '-c', script]);
const create = (...pods: object[]) =>
  node.kubectlOk(['apply', '-f', '-'], { stdin: pods.map((pod) => JSON.stringify(pod)).join('\n') });

async function containerOf(name: string) {
  const { status } = JSON.parse(await node.kubectlOk(['get', 'pod', name, '-o', 'json']));
  return status.containerStatuses?.[0] ?? {};
}

/** Waits until the container is ready, or not. */
const untilReady = (name: string, ready: boolean) =>
  eventually(`${name} to be ${ready ? '' : 'not '}ready`, async () => {
    const found = await containerOf(name);
    return found.ready === ready && found;
  });

/** Waits for an event of the pod whose message matches. */
const untilEvent = (name: string, reason: string, message: RegExp) =>
  eventually(`event ${reason} of ${name}`, async () => {
    const words = ['get', 'events', '--field-selector', `involvedObject.name=${name},reason=${reason}`];
    const { items } = JSON.parse(await node.kubectlOk([...words, '-o', 'json']));
    return items.some((event: { message: string }) => message.test(event.message));
  });

const often = { periodSeconds: 1, timeoutSeconds: 5 };

describe('a startup probe', () => {
  test('holds readiness back until it succeeds', async () => {
    const startupProbe = { exec: { command: ['test', '-f', '$(MARK)'] }, ...often, failureThreshold: 600 };
    const readinessProbe = { exec: { command: ['true'] }, ...often };
    const env = [{ name: 'MARK', value: '/tmp/started' }];
    await create(podOf('starting', { startupProbe, readinessProbe, env }));
    await untilEvent('starting', 'Unhealthy', /^Startup probe failed: /);
    const { started, ready, restartCount } = await containerOf('starting');
    assert.deepEqual([started, ready, restartCount], [false, false, 0]);
    await run('starting', 'touch /tmp/started');
    const after = await untilReady('starting', true);
    assert.deepEqual([after.started, after.restartCount], [true, 0]);
  });

  test('that never succeeds has the container started anew', async () => {
    const startupProbe = {
      exec: { command: ['sh', '-c', 'echo not yet; false'] },
      ...often,
      failureThreshold: 2,
    };
    await create(podOf('never', { startupProbe }));
    await untilEvent('never', 'Unhealthy', /^Startup probe failed: not yet\n$/);
    await untilEvent('never', 'Killing', /^Container main failed startup probe, will be restarted$/);
    await eventually('a restart', async () => (await containerOf('never')).restartCount > 0);
  });
});

describe('a readiness probe', () => {
  test('over HTTP and HTTPS goes by the status, with its host, path and headers, and restarts nothing', async () => {
    const probeOf = (scheme: string, { port }: Answering) => ({
      readinessProbe: {
        httpGet: {
          scheme,
          host: '127.0.0.1',
          port,
          path: '/ready?deep=1',
          httpHeaders: [
            { name: 'X-Kind', value: 'probe' },
            { name: 'Host', value: 'app.example' },
          ],
        },
        ...often,
        failureThreshold: 2,
      },
    });
    const kinds: [name: string, scheme: string, server: Answering][] = [
      ['over-http', 'HTTP', plain],
      ['over-https', 'HTTPS', secure],
    ];
    await create(...kinds.map(([name, scheme, server]) => podOf(name, probeOf(scheme, server))));
    for (const [name, , server] of kinds) {
      await untilReady(name, true);
      const { url, headers } = server.requests[0] ?? {};
      assert.equal(url, '/ready?deep=1');
      assert.equal(headers?.['x-kind'], 'probe');
      assert.equal(headers?.host, 'app.example');
      assert.match(headers?.['user-agent'] ?? '', /^kube-probe\/1\./);
      const before = server.requests.length;
      server.isGood = false;
      await untilReady(name, false);
      assert.ok(server.requests.length - before >= 2, 'one failure is less than the threshold');
      await untilEvent(name, 'Unhealthy', /^Readiness probe failed: HTTP probe failed with statuscode: 503$/);
      server.isGood = true;
      assert.equal((await untilReady(name, true)).restartCount, 0);
    }
  });

  test('goes on while the pod ends, and its status follows', async () => {
    const script = 'trap "touch /tmp/ending" TERM; while [ ! -f /tmp/go ]; do sleep 0.1; done';
    const readinessProbe = {
      exec: { command: ['sh', '-c', '! test -f /tmp/ending'] },
      ...often,
      failureThreshold: 1,
    };
    const grace = { terminationGracePeriodSeconds: 60 };
    await create(podOf('draining', { command: ['sh', '-c', script], readinessProbe }, grace));
    await untilReady('draining', true);
    await node.kubectlOk(['delete', 'pod', 'draining', '--wait=false']);
    assert.ok((await untilReady('draining', false)).state.running, 'it was unready before it ended');
    await run('draining', 'touch /tmp/go');
    await node.kubectlOk(['wait', '--for=delete', 'pod/draining', '--timeout=30s']);
  });

  test("over TCP goes to a named port of the pod's own", async () => {
    const readinessProbe = { tcpSocket: { port: 'web' }, ...often };
    const ports = [{ name: 'web', containerPort: 8080 }];
    await create(podOf('over-tcp', { readinessProbe, ports }));
    await untilEvent(
      'over-tcp',
      'Unhealthy',
      /^Readiness probe failed: dial tcp .*:8080: connect: connection refused$/,
    );
    assert.equal((await containerOf('over-tcp')).ready, false);
    await run('over-tcp', 'httpd -p 8080');
    await untilReady('over-tcp', true);
  });

  test('over gRPC asks for its service', async () => {
    const readinessProbe = { grpc: { port: health.port, service: 'shop' }, ...often, failureThreshold: 1 };
    await create(podOf('over-grpc', { readinessProbe }, { hostNetwork: true }));
    await untilReady('over-grpc', true);
    assert.equal(health.asked[0], 'shop');
    health.isServing = false;
    await untilReady('over-grpc', false);
  });
});

test('a liveness probe has a failing container started anew, after as many failures as it may have', async () => {
  const livenessProbe = {
    httpGet: { port: 8080, path: '/alive' },
    ...often,
    failureThreshold: 2,
    terminationGracePeriodSeconds: 1,
  };
  const command = [
    'sh',
    '-c',
    'mkdir /www; echo yes > /www/alive; echo begun; exec httpd -f -p 8080 -h /www',
  ];
  await create(podOf('living', { command, livenessProbe }));
  const first = await eventually('it to run', async () => {
    const found = await containerOf('living');
    return found.state?.running && found;
  });
  await run('living', 'rm /www/alive');
  await untilEvent('living', 'Killing', /^Container main failed liveness probe, will be restarted$/);
  await untilEvent('living', 'Unhealthy', /^Liveness probe failed: HTTP probe failed with statuscode: 404$/);
  const second = await eventually('it to run again', async () => {
    const found = await containerOf('living');
    return found.restartCount === 1 && found.state?.running && found;
  });
  assert.notEqual(second.containerID, first.containerID);
  assert.equal(second.lastState.terminated.containerID, first.containerID);
  assert.equal(await node.kubectlOk(['logs', '--previous', 'living']), 'begun\n');
});

describe('a hook', () => {
  test('after the start that fails has the container started anew', async () => {
    const lifecycle = { postStart: { exec: { command: ['sh', '-c', 'echo broken >&2; exit 3'] } } };
    await create(podOf('unhooked', { lifecycle }));
    await untilEvent('unhooked', 'FailedPostStartHook', /^PostStartHook failed$/);
    const waiting = await eventually('why it waits', async () => {
      const { state } = await containerOf('unhooked');
      return state?.waiting?.reason && state.waiting.reason !== 'ContainerCreating' && state.waiting;
    });
    assert.match(waiting.reason, /^(PostStartHookError|CrashLoopBackOff)$/);
    // What it printed may be secret: events can be read by many.
    const events = await node.kubectlOk(['get', 'events', '-o', 'json']);
    assert.doesNotMatch(events, /broken.*exited with|exited with 3/);
  });

  test('after the start that succeeds comes before readiness', async () => {
    const lifecycle = { postStart: { exec: { command: ['sh', '-c', 'sleep 1; echo done > /tmp/hook'] } } };
    await node.apply(podOf('hooked', { lifecycle }));
    assert.equal(await run('hooked', 'cat /tmp/hook'), 'done\n');
  });

  test('before the stop runs to its end while the container lives: as a command, a request, a sleep', async () => {
    const request = { httpGet: { host: '127.0.0.1', port: plain.port, path: '/stopping' } };
    const command = {
      exec: { command: ['sh', '-c', `sleep 1; wget -q -O - http://$NODE:${plain.port}/ran`] },
    };
    const env = [{ name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'status.hostIP' } } }];
    const grace = { terminationGracePeriodSeconds: 60 };
    const hooks: [name: string, preStop: object][] = [
      ['by-command', command],
      ['by-request', request],
      ['by-sleep', { sleep: { seconds: 3 } }],
    ];
    const stopping = ['sh', '-c', 'trap "exit 0" TERM; while true; do sleep 0.1; done'];
    await node.apply(
      ...hooks.map(([name, preStop]) =>
        podOf(name, { command: stopping, env, lifecycle: { preStop } }, grace),
      ),
    );
    plain.requests.length = 0;
    const begun = performance.now();
    await node.kubectlOk(['delete', 'pod', 'by-sleep']);
    assert.ok(performance.now() - begun >= 3_000);
    await node.kubectlOk(['delete', 'pod', 'by-command', 'by-request']);
    assert.deepEqual(
      plain.requests
        .map(({ url }) => url)
        .filter((url) => url !== '/ready?deep=1')
        .sort(),
      ['/ran', '/stopping'],
    );
  });

  test('before the stop has no longer than the grace', async () => {
    const preStop = { exec: { command: ['sleep', '1000'] } };
    const grace = { terminationGracePeriodSeconds: 2 };
    const stopping = ['sh', '-c', 'trap "exit 0" TERM; while true; do sleep 0.1; done'];
    await node.apply(podOf('endless', { command: stopping, lifecycle: { preStop } }, grace));
    await node.kubectlOk(['delete', 'pod', 'endless', '--timeout=60s']);
  });
});

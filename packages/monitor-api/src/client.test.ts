import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { ContainerStatus } from './container.ts';
import {
  createMonitorServer,
  type EventMessage,
  MonitorClient,
  MonitorError,
  type MonitorHandlers,
} from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'wherry-monitor-api-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const refuse = () => {
  throw new MonitorError('INTERNAL', 'not part of this test');
};

function handlers(more: Partial<MonitorHandlers>): MonitorHandlers {
  const names = [
    'container.create',
    'container.start',
    'container.kill',
    'container.wait',
    'container.delete',
  ];
  const others = [
    'container.list',
    'container.status',
    'container.update',
    'container.reopenLog',
    'exec.sync',
    'version',
  ];
  const streams = ['stream.exec', 'stream.attach', 'stream.portForward', 'events.subscribe'];
  const all = Object.fromEntries([...names, ...others, ...streams].map((name) => [name, refuse]));
  return { ...(all as unknown as MonitorHandlers), ...more };
}

const aborted = (signal: AbortSignal) =>
  new Promise<Record<string, never>>((resolve) =>
    signal.addEventListener('abort', () => resolve({}), { once: true }),
  );

const status = (id: string) => ({ id }) as ContainerStatus;

test('results, errors with their codes, and unknown methods come back to the right caller', async () => {
  const socketPath = join(folder, 'calls.sock');
  const server = await createMonitorServer({
    socketPath,
    handlers: handlers({
      'exec.sync': async ({ timeoutMs }) => ({
        exitCode: timeoutMs,
        stdout: Buffer.from([0, 255]),
        stderr: Buffer.alloc(0),
      }),
      'container.status': ({ id }) => {
        throw new MonitorError('NOT_FOUND', `no container "${id}"`);
      },
    }),
  });
  const client = new MonitorClient({ socketPath });
  const run = (timeoutMs: number) =>
    client.call('exec.sync', {
      containerId: 'c',
      process: { user: { uid: 0, gid: 0 }, args: ['x'], cwd: '/' },
      timeoutMs,
    });
  const results = await Promise.all(Array.from({ length: 50 }, (_, index) => run(index)));
  assert.deepEqual(
    results.map(({ exitCode }) => exitCode),
    Array.from({ length: 50 }, (_, index) => index),
  );
  assert.deepEqual([...results[0]!.stdout], [0, 255]);
  await assert.rejects(client.call('container.status', { id: 'x' }), {
    code: 'NOT_FOUND',
    message: 'no container "x"',
  });
  await assert.rejects(client.call('toString' as 'version', {}), { code: 'INVALID_ARGUMENT' });
  await client.close();
  await server.close();
});

test('a call that is given up is cancelled at the monitor', async () => {
  const socketPath = join(folder, 'cancel.sock');
  const cancelled = Promise.withResolvers<void>();
  const server = await createMonitorServer({
    socketPath,
    handlers: handlers({
      'container.wait': async (_, { signal }) => {
        await aborted(signal);
        cancelled.resolve();
        return status('c');
      },
    }),
  });
  const client = new MonitorClient({ socketPath });
  const controller = new AbortController();
  const waiting = client.call('container.wait', { id: 'c' }, { signal: controller.signal });
  setTimeout(() => controller.abort(new Error('enough')), 20);
  await assert.rejects(waiting, { message: 'enough' });
  await cancelled.promise;
  await client.close();
  await server.close();
});

test('without a monitor a call fails unavailable after its time', async () => {
  const client = new MonitorClient({ socketPath: join(folder, 'nobody.sock'), connectTimeoutMs: 50 });
  await assert.rejects(client.call('version', {}), { code: 'UNAVAILABLE' });
  await client.close();
});

test('events go on across a monitor’s restart, from the position last seen', async () => {
  const socketPath = join(folder, 'events.sock');
  const asked: unknown[] = [];
  const serve = (messages: EventMessage[]) =>
    createMonitorServer({
      socketPath,
      handlers: handlers({
        'events.subscribe': ({ after }, { notify, signal }) => {
          asked.push(after);
          for (const message of messages) notify(message);
          return aborted(signal);
        },
      }),
    });
  const position = { stream: 's', sequence: 1 };
  const first = await serve([{ kind: 'resync', position, containers: [] }]);
  const client = new MonitorClient({ socketPath });
  const events = client.events();
  assert.equal((await events.next()).value?.kind, 'resync');
  const following = events.next();
  await first.close();
  const event = { ...position, sequence: 2, type: 'created' as const, timeNs: 5n, container: status('c') };
  const second = await serve([{ kind: 'event', event }]);
  assert.deepEqual((await following).value, { kind: 'event', event });
  assert.deepEqual(asked, [null, position]);
  await client.close();
  await second.close();
});

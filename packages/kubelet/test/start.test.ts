/** What is left of a kubelet that does not start. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { silentLogger } from '@wherry/telemetry';
import { startKubelet } from '../src/index.ts';
import { MemoryRuntime } from './memory-runtime.ts';

let folder: string;
let runtime: MemoryRuntime;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubelet-'));
  runtime = new MemoryRuntime({ events: true });
  await runtime.listen(join(folder, 'cri.sock'));
});
after(async () => {
  await runtime.close();
  await rm(folder, { recursive: true, force: true });
});

const start = (configuration: object) =>
  startKubelet({
    rootDir: join(folder, 'root'),
    hostnameOverride: 'n1',
    nodeIp: '192.0.2.1',
    logger: silentLogger,
    configuration: {
      ...{ address: '127.0.0.1', port: 0, healthzPort: 0 },
      containerRuntimeEndpoint: `unix://${join(folder, 'cri.sock')}`,
      podLogsDir: join(folder, 'logs'),
      ...{ cgroupDriver: 'systemd', resolvConf: '', failSwapOn: false, failCgroupV1: false },
      ...configuration,
    },
  });

async function listening(): Promise<{ server: Server; port: number }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as AddressInfo).port };
}

const isServed = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

it('serves nothing where one of its ports is taken', async () => {
  const [free, taken] = [await listening(), await listening()];
  free.server.close();
  try {
    await assert.rejects(start({ port: free.port, healthzPort: taken.port }), { code: 'EADDRINUSE' });
    assert.equal(await isServed(free.port), false);
  } finally {
    taken.server.close();
  }
});

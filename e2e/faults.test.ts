/**
 * A proxy that breaks connections stands between two hops of a session. Whatever it does, the session ends with all
 * its bytes and the right exit code, or with a failure that says so: never cut short in silence, never a success that
 * is none, never a hang.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { createCriClient } from '@wherry/cri';
import type { Finished } from './command.ts';
import { startCriProxy } from './faults/cri-proxy.ts';
import { type Fault, type FaultProxy, startFaultProxy } from './faults/fault-proxy.ts';
import { podOf, TestNode, transports } from './node.ts';

const lines = 20_000;
const exitCode = 3;
const words = ['exec', 'target', '--', 'sh', '-c', `seq 1 ${lines}; exit ${exitCode}`];
const whole = `${Array.from({ length: lines }, (_, index) => index + 1).join('\n')}\n`;
const timeoutMs = 60_000;

const harmless: Fault[] = [
  { kind: 'none' },
  { kind: 'delay', delayMs: 20 },
  { kind: 'one-byte-writes' },
  { kind: 'stalled-reader', direction: 'downstream', afterBytes: 30_000, pauseMs: 3_000 },
];

const harmful: Fault[] = [
  { kind: 'tear', direction: 'downstream', afterBytes: 30_000 },
  { kind: 'tear', direction: 'downstream', afterBytes: 100_000 },
  { kind: 'tear', direction: 'upstream', afterBytes: 900 },
  { kind: 'reset', direction: 'downstream', afterBytes: 30_000 },
  { kind: 'reset', direction: 'upstream', afterBytes: 900 },
];

const nameOf = (fault: Fault) =>
  'afterBytes' in fault ? `${fault.kind} ${fault.direction} after ${fault.afterBytes} bytes` : fault.kind;

function assertWhole({ code, stdout }: Finished): void {
  assert.equal(code, exitCode);
  assert.equal(stdout, whole);
}

function assertHonest(finished: Finished): void {
  assert.equal(finished.signal, null, 'the session hung');
  if (finished.code === exitCode) {
    assertWhole(finished);
    return;
  }
  assert.equal(finished.code, 1);
  assert.notEqual(finished.stderr, '');
  assert.ok(whole.startsWith(finished.stdout), 'the output is not the beginning of what was sent');
}

/** Puts `fault` between two hops, runs `use`, and takes it away again. */
type Hop = (fault: Fault, use: () => Promise<Finished>) => Promise<Finished>;

async function throughProxy(port: number, fault: Fault, use: (proxy: FaultProxy) => Promise<Finished>) {
  const proxy = await startFaultProxy({ host: '127.0.0.1', port }, fault);
  try {
    return await use(proxy);
  } finally {
    await proxy.close();
  }
}

function suite(
  hops: () => Record<string, Hop>,
  run: (env: Record<string, string>) => Promise<Finished>,
): void {
  for (const hop of ['client to API server', 'API server to kubelet', 'kubelet to streaming server']) {
    for (const { name, env } of transports) {
      for (const fault of [...harmless, ...harmful]) {
        it(`${hop}, ${name}: ${nameOf(fault)}`, async () => {
          const finished = await hops()[hop]!(fault, () => run(env));
          if (harmful.includes(fault)) assertHonest(finished);
          else assertWhole(finished);
        });
      }
    }
  }
}

describe('a session with a fault between two hops', { timeout: 600_000 }, () => {
  let node: TestNode;
  let hops: Record<string, Hop>;

  before(async () => {
    node = await TestNode.start('faults');
    await node.apply(podOf('target'));
    const { endpoints } = await node.status();
    hops = {
      'client to API server': (fault, use) =>
        throughProxy(Number(new URL(endpoints.api).port), fault, (proxy) => withServerPort(proxy.port, use)),
      'API server to kubelet': (fault, use) =>
        throughProxy(Number(new URL(endpoints.kubelet).port), fault, (proxy) =>
          withKubeletPort(proxy.port, use),
        ),
      'kubelet to streaming server': withStreamingFault,
    };
  });

  after(() => node.remove());

  async function withServerPort(port: number, use: () => Promise<Finished>): Promise<Finished> {
    const original = readFileSync(node.kubeconfig, 'utf8');
    const own = /server: (https:\/\/.*):\d+/;
    writeFileSync(node.kubeconfig, original.replace(own, `server: $1:${port}`));
    return use().finally(() => writeFileSync(node.kubeconfig, original));
  }

  async function withKubeletPort(port: number, use: () => Promise<Finished>): Promise<Finished> {
    const patch = JSON.stringify({ status: { daemonEndpoints: { kubeletEndpoint: { Port: port } } } });
    const words = ['patch', 'node', node.name, '--subresource=status', '--type=merge', '-p'];
    const { endpoints } = await node.status();
    await node.kubectlOk([...words, patch]);
    return use().finally(() =>
      node.kubectlOk([...words, patch.replace(String(port), new URL(endpoints.kubelet).port)]),
    );
  }

  /** A CRI server stands in the runtime's place and sends sessions to the proxy; the kubelet is started anew for it. */
  async function withStreamingFault(fault: Fault, use: () => Promise<Finished>): Promise<Finished> {
    const { endpoints } = await node.status();
    const socketPath = endpoints.cri.replace(/^unix:\/\//, '');
    const port = await streamingPort(socketPath);
    return throughProxy(port, fault, async (proxy) => {
      const runtimePath = `${socketPath}.real`;
      await rename(socketPath, runtimePath);
      const cri = await startCriProxy({ socketPath, runtimePath, streamingPort: proxy.port });
      try {
        await restartKubelet();
        return await use();
      } finally {
        await cri.close();
        await rename(runtimePath, socketPath);
        await restartKubelet();
      }
    });
  }

  async function restartKubelet(): Promise<void> {
    process.kill(await node.pidOf('kubelet'), 'SIGKILL');
    await node.up();
  }

  suite(
    () => hops,
    (env) => node.kubectl(words, { env, timeoutMs }),
  );
});

async function streamingPort(socketPath: string): Promise<number> {
  const client = createCriClient(socketPath);
  try {
    const { containers } = await client.runtime.listContainers();
    const containerId = containers[0]?.id ?? '';
    const { url } = await client.runtime.exec({ containerId, cmd: ['true'], stdout: true });
    return Number(new URL(url).port);
  } finally {
    client.close();
  }
}

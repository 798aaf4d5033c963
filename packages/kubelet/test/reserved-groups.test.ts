import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import type { Event } from '@wherry/kubeapi';
import { selfSigned } from '../src/certificates/self-signed.ts';
import { MemoryRuntime } from './memory-runtime.ts';

const answerMs = 300;
const emptyList = JSON.stringify({
  kind: 'List',
  apiVersion: 'v1',
  metadata: { resourceVersion: '1' },
  items: [],
});

test('a kubelet whose reserved group is missing ends by itself, once the API server has its event', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kubelet-'));
  const events: Event[] = [];
  const pair = await selfSigned('n1', ['127.0.0.1'], Date.now());
  const server = createSecureServer({ ...pair }, async (request, response) => {
    const body = await text(request);
    response.setHeader('content-type', 'application/json');
    if (request.url?.includes('watch=')) response.stream.respond();
    else if (request.method === 'GET') response.end(emptyList);
    else {
      events.push(JSON.parse(body) as Event);
      setTimeout(() => response.end(body), answerMs);
    }
  }).listen(0, '127.0.0.1');
  const runtime = new MemoryRuntime({ events: true });
  try {
    await once(server, 'listening');
    await runtime.listen(join(folder, 'cri.sock'));
    const { port } = server.address() as AddressInfo;
    const { exitCode, said } = await startAlone(folder, `https://127.0.0.1:${port}`);
    assert.equal(exitCode, 0, said);
    assert.match(said, /kubeReservedCgroup: .*there is no control group \/wherry-test-missing/);
    assert.deepEqual(
      events.map(({ type, reason, message, involvedObject: { kind } }) => [type, reason, message, kind]),
      [
        [
          'Warning',
          'FailedNodeAllocatableEnforcement',
          'Failed to enforce Kube Reserved Cgroup Limits on "/wherry-test-missing": there is no control group /wherry-test-missing',
          'Node',
        ],
      ],
    );
  } finally {
    server.close();
    await runtime.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

/** A kubelet in a process of its own, until that ends: what it said, and 0 where nothing had to end it. */
async function startAlone(
  folder: string,
  server: string,
): Promise<{ exitCode: number | null; said: string }> {
  const kubeconfig = join(folder, 'kubeconfig');
  const named = {
    clusters: [{ name: 'c', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'u', user: { token: 't' } }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
  };
  writeFileSync(kubeconfig, JSON.stringify({ ...named, 'current-context': 'c' }));
  const options = {
    ...{ rootDir: join(folder, 'root'), kubeconfig, hostnameOverride: 'n1', nodeIp: '192.0.2.1' },
    configuration: {
      ...{ address: '127.0.0.1', port: 0, healthzPort: 0, failSwapOn: false, failCgroupV1: false },
      containerRuntimeEndpoint: `unix://${join(folder, 'cri.sock')}`,
      podLogsDir: join(folder, 'logs'),
      enforceNodeAllocatable: ['kube-reserved'],
      kubeReservedCgroup: '/wherry-test-missing',
      kubeReserved: { cpu: '1' },
    },
  };
  const script = `
    import { startKubelet } from ${JSON.stringify(import.meta.resolve('../src/index.ts'))};
    await startKubelet(${JSON.stringify(options)}).catch((error) => console.log(error.message));`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 20_000,
  });
  const [said, [exitCode]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return { exitCode, said };
}

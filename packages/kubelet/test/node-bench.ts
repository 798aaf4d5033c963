import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Node } from '@wherry/kubeapi';
import { silentLogger } from '@wherry/telemetry';
import { startKubelet } from '../src/index.ts';
import { MemoryRuntime } from './memory-runtime.ts';

/** An API server that holds nothing: lists are empty, watches quiet, and what is written comes back. */
async function answer(request: IncomingMessage, response: ServerResponse, nodes: Node[]): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const url = new URL(request.url ?? '/', 'http://api');
  response.setHeader('content-type', 'application/json');
  if (url.searchParams.get('watch')) {
    response.flushHeaders();
    return;
  }
  if (request.method === 'GET') {
    response.end(
      JSON.stringify({ kind: 'List', apiVersion: 'v1', metadata: { resourceVersion: '1' }, items: [] }),
    );
    return;
  }
  const body = JSON.parse(Buffer.concat(chunks).toString());
  if (url.pathname.startsWith('/api/v1/nodes')) nodes.push(body);
  response.end(JSON.stringify({ ...body, metadata: { name: 'n1', uid: 'u', ...body.metadata } }));
}

/** Where a test reaches the kubelet and what it runs on. */
export interface NodeBench {
  folder: string;
  runtime: MemoryRuntime;
  port: number;
}

/** A kubelet with such a configuration, and the nodes it says it is. */
export async function withNode(
  configuration: object,
  run: (nodes: readonly Node[], bench: NodeBench) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'kubelet-'));
  const nodes: Node[] = [];
  const server = http.createServer((request, response) => void answer(request, response, nodes));
  const runtime = new MemoryRuntime({ events: true, statusDelayMs: 300 });
  await runtime.listen(join(folder, 'cri.sock'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const kubeconfig = join(folder, 'kubeconfig');
  const cluster = { server: `http://127.0.0.1:${port}` };
  const contexts = [{ name: 'c', context: { cluster: 'c', user: 'u' } }];
  const users = [{ name: 'u', user: { token: 't' } }];
  const clusters = [{ name: 'c', cluster }];
  await writeFile(kubeconfig, JSON.stringify({ clusters, users, contexts, 'current-context': 'c' }));
  const kubelet = await startKubelet({
    rootDir: join(folder, 'root'),
    kubeconfig,
    hostnameOverride: 'n1',
    nodeIp: '192.0.2.1,2001:db8::1',
    logger: silentLogger,
    configuration: {
      address: '127.0.0.1',
      port: 0,
      healthzPort: 0,
      containerRuntimeEndpoint: `unix://${join(folder, 'cri.sock')}`,
      podLogsDir: join(folder, 'logs'),
      cgroupDriver: 'systemd',
      resolvConf: '',
      failSwapOn: false,
      failCgroupV1: false,
      ...configuration,
    },
  });
  try {
    await run(nodes, { folder, runtime, port: kubelet.port });
  } finally {
    await kubelet.close();
    server.closeAllConnections();
    server.close();
    await runtime.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Waits until that holds, ten seconds at most. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 10_000; !(await holds()) && performance.now() < end; ) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** What the node says of one condition. */
export const conditionOf = (node: Node | undefined, wanted: string) =>
  node?.status?.conditions?.find(({ type }) => type === wanted);

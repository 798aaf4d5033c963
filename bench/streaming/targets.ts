import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKubeClient, type KubeClient } from '@wherry/client';
import { type CriClient, createCriClient } from '@wherry/cri';
import type { RemoteCommandStreams } from '@wherry/remotecommand';
import { startContainerd } from '../../conformance/peers/containerd.ts';
import { image, type MeasuredNode } from '../node.ts';
import type { KubectlTarget } from './kubectl-road.ts';
import { attachScript, servedPorts, serveScript } from './measures.ts';
import type { CriTarget, HttpTarget } from './road.ts';

const podName = 'bench';
const attachName = 'attach';

/** Everything that is measured, in one run: our hops and containerd's streaming server. */
export interface Targets {
  containerd: CriTarget;
  wherry: CriTarget;
  kubelet: HttpTarget;
  apiServer: HttpTarget;
  kubectl: KubectlTarget;
  client: KubeClient;
  close(): Promise<void>;
}

/** Starts the pod on `node` and its like on containerd. */
export async function startTargets(node: MeasuredNode, forwardBytes: number): Promise<Targets> {
  const peer = await startContainerd();
  const logs = await mkdtemp(join(tmpdir(), 'streaming-bench-'));
  const own = createCriClient(await node.criSocket());
  const client = createKubeClient({ kubeconfig: node.kubeconfig });
  const close = async () => {
    client.close();
    own.close();
    await peer.close();
    await rm(logs, { recursive: true, force: true });
  };
  try {
    await startPod(node, forwardBytes);
    const status = JSON.parse(await node.request('GET', `/api/v1/nodes`)).items[0].status;
    const address = status.addresses.find(({ type }: { type: string }) => type === 'InternalIP').address;
    const kubelet = new URL(`https://${address}:${status.daemonEndpoints.kubeletEndpoint.Port}`);
    return {
      containerd: await containerdTarget(peer.client, { image: peer.image, logs, forwardBytes }),
      wherry: await wherryTarget(own),
      kubelet: kubeletTarget(kubelet, client),
      apiServer: apiServerTarget(client),
      kubectl: { node, pod: podName, attachContainer: attachName, ports: servedPorts },
      client,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startPod(node: MeasuredNode, forwardBytes: number): Promise<void> {
  const base = { image, imagePullPolicy: 'Never' };
  const containers = [
    { ...base, name: 'main', command: ['sh', '-c', serveScript(forwardBytes)] },
    { ...base, name: attachName, command: ['sh', '-c', attachScript], stdin: true },
  ];
  await node.request('POST', '/api/v1/namespaces/default/pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: podName },
    spec: { terminationGracePeriodSeconds: 0, containers },
  });
  await node.kubectl(['wait', '--for=condition=Ready', `pod/${podName}`, '--timeout=60s']);
}

async function wherryTarget(client: CriClient): Promise<CriTarget> {
  const { containers } = await client.runtime.listContainers();
  const find = (name: string) => containers.find(({ metadata }) => metadata?.name === name);
  const main = find('main');
  return {
    name: 'wherry CRI',
    client,
    podSandboxId: main?.podSandboxId ?? '',
    containerId: main?.id ?? '',
    attachContainerId: find(attachName)?.id ?? '',
  };
}

async function containerdTarget(
  client: CriClient,
  options: { image: string; logs: string; forwardBytes: number },
): Promise<CriTarget> {
  const metadata = { name: podName, namespace: 'default', uid: podName, attempt: 0 };
  const sandboxConfig = { metadata, logDirectory: options.logs, linux: {} };
  const { podSandboxId } = await client.runtime.runPodSandbox({ config: sandboxConfig });
  const start = async (name: string, script: string, stdin: boolean) => {
    const config = {
      metadata: { name },
      image: { image: options.image },
      command: ['sh', '-c', script],
      logPath: `${name}.log`,
      stdin,
      linux: {},
    };
    const { containerId } = await client.runtime.createContainer({ podSandboxId, config, sandboxConfig });
    await client.runtime.startContainer({ containerId });
    return containerId;
  };
  return {
    name: 'containerd 1.6 CRI',
    client,
    podSandboxId,
    containerId: await start('main', serveScript(options.forwardBytes), false),
    attachContainerId: await start(attachName, attachScript, true),
  };
}

function kubeletTarget(origin: URL, client: KubeClient): HttpTarget {
  return {
    name: 'wherry kubelet',
    commandUrl(verb, command, streams) {
      const container = verb === 'attach' ? attachName : 'main';
      const url = new URL(`/${verb}/default/${podName}/${container}`, origin);
      addCommand(url, command, { input: streams.stdin, output: streams.stdout, error: streams.stderr });
      return url;
    },
    forwardUrl: new URL(`/portForward/default/${podName}`, origin),
    access: credentials(client),
  };
}

function apiServerTarget(client: KubeClient): HttpTarget {
  const base = `/api/v1/namespaces/default/pods/${podName}`;
  const { server } = client.access;
  return {
    name: 'wherry API server',
    commandUrl(verb, command, { stdin, stdout, stderr }: RemoteCommandStreams) {
      const url = new URL(`${base}/${verb}`, server);
      url.searchParams.set('container', verb === 'attach' ? attachName : 'main');
      addCommand(url, command, { stdin, stdout, stderr });
      return url;
    },
    forwardUrl: new URL(`${base}/portforward`, server),
    access: credentials(client),
  };
}

function addCommand(url: URL, command: readonly string[], flags: Record<string, boolean>): void {
  for (const word of command) url.searchParams.append('command', word);
  for (const [name, isWanted] of Object.entries(flags)) if (isWanted) url.searchParams.set(name, 'true');
}

/** The kubelet's serving certificate and the API server's come from one authority, and it takes the same users. */
function credentials(client: KubeClient): HttpTarget['access'] {
  return { headers: client.access.headers(), tls: client.access.tls };
}

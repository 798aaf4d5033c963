import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type KubeClient, kinds } from '@wherry/client';
import { sleep, systemClock } from '@wherry/clock';
import { type Deployment, hasReason, type Pod, type PodSpec, type Service } from '@wherry/kubeapi';
import type { NodeLayout } from '@wherry/node';
import { CommandError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Steps } from '../../output/steps.ts';

/** With a tag of its own, so that whoever runs it elsewhere needs no registry (`latest` is always pulled). */
const imageName = 'docker.io/library/wherry-demo:1';
const podName = 'demo';
const webName = 'web';
const webReplicas = 2;
const httpPort = 8080;
const namespace = 'default';
const busyboxPaths = ['/bin/busybox', '/usr/bin/busybox'];

/** What the demo needs of a node that is up. */
export interface DemoOptions {
  layout: NodeLayout;
  client: KubeClient;
  steps: Steps;
  /** How long the pod may take to run. */
  timeoutMs: number;
}

/** What the demo runs. */
export interface Demo {
  pod: string;
  /** A service with pods behind it, which other pods reach by this name. */
  service: string;
}

/** Builds a small image of the machine's static busybox, and runs a pod and a deployment behind a service from it. */
export async function startDemo({ layout, client, steps, timeoutMs }: DemoOptions): Promise<Demo> {
  await steps.run('demo image', () => buildDemoImage(layout));
  await steps.run('demo pods', async () => {
    await Promise.all([pod, deployment, service].map((object) => createUnlessThere(client, object)));
    const [address] = await Promise.all([
      waitUntilRunning(client, timeoutMs),
      waitUntilReady(client, timeoutMs),
    ]);
    return `${podName} runs, ${address}; ${webReplicas} answer as http://${webName}`;
  });
  return { pod: podName, service: webName };
}

async function buildDemoImage(layout: NodeLayout): Promise<string> {
  const { createImageClient, packTree } = await import('@wherry/images');
  const images = createImageClient(layout.imageSocket);
  const tree = mkdtempSync(join(tmpdir(), 'wherry-demo-'));
  try {
    fillTree(tree);
    await images.build(packTree(tree), { name: imageName, cmd: ['sh', '-c', demoScript] });
    return imageName;
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}

/** Prints a line each second and serves a page on 8080, so that logs and port-forward have something to show. */
const demoScript = [
  'mkdir -p /www && echo "hello from $(hostname)" > /www/index.html',
  `httpd -p ${httpPort} -h /www`,
  'i=0; while true; do i=$((i+1)); echo "line $i"; sleep 1; done',
].join('\n');

function fillTree(tree: string): void {
  for (const folder of ['bin', 'etc', 'tmp', 'root']) mkdirSync(join(tree, folder));
  const busybox = findBusybox();
  copyFileSync(busybox, join(tree, 'bin/busybox'));
  const { stdout } = spawnSync(busybox, ['--list'], { encoding: 'utf8' });
  for (const applet of stdout.split('\n')) {
    if (applet !== '' && applet !== 'busybox') symlinkSync('busybox', join(tree, 'bin', applet));
  }
  writeFileSync(join(tree, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n');
  writeFileSync(join(tree, 'etc/group'), 'root:x:0:\n');
}

function findBusybox(): string {
  const found = busyboxPaths.find((path) => spawnSync(path, ['true']).status === 0);
  if (!found) throw new CommandError('the demo image is made of busybox; install busybox-static');
  return found;
}

const podSpec: PodSpec = {
  terminationGracePeriodSeconds: 1,
  containers: [
    {
      name: podName,
      image: imageName,
      imagePullPolicy: 'Never',
      ports: [{ name: 'http', containerPort: httpPort }],
    },
  ],
};

const pod: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: podName, namespace, labels: { app: podName } },
  spec: podSpec,
};

const labels = { app: webName };

const deployment: Deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: webName, namespace, labels },
  spec: {
    replicas: webReplicas,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: podSpec },
  },
};

const service: Service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: webName, namespace, labels },
  spec: { selector: labels, ports: [{ name: 'http', port: 80, targetPort: httpPort }] },
};

async function createUnlessThere(client: KubeClient, object: Pod | Deployment | Service): Promise<void> {
  try {
    await client.create(object);
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error;
  }
}

async function waitUntilRunning(client: KubeClient, timeoutMs: number): Promise<string> {
  const deadline = systemClock.monotonicMs() + timeoutMs;
  for (;;) {
    const pod = await client.resource(kinds.pods).get({ name: podName, namespace });
    const ready = pod.status?.conditions?.find(({ type }) => type === 'Ready');
    if (pod.status?.phase === 'Running' && ready?.status === 'True') return `IP ${pod.status.podIP}`;
    if (systemClock.monotonicMs() > deadline) {
      throw new CommandError(
        `pod "${podName}" is ${pod.status?.phase ?? 'Pending'} after ${timeoutMs / 1000} s; see "kubectl describe pod ${podName}"`,
      );
    }
    await sleep({ clock: systemClock, delayMs: limits.demoPollMs });
  }
}

async function waitUntilReady(client: KubeClient, timeoutMs: number): Promise<void> {
  const deadline = systemClock.monotonicMs() + timeoutMs;
  for (;;) {
    const { status } = await client.resource(kinds.deployments).get({ name: webName, namespace });
    if ((status?.availableReplicas ?? 0) >= webReplicas) return;
    if (systemClock.monotonicMs() > deadline) {
      throw new CommandError(
        `of deployment "${webName}" ${status?.availableReplicas ?? 0} of ${webReplicas} pods are ready after ${timeoutMs / 1000} s; see "kubectl describe deployment ${webName}"`,
      );
    }
    await sleep({ clock: systemClock, delayMs: limits.demoPollMs });
  }
}

import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type KubeClient, kinds } from '@wherry/client';
import { sleep, systemClock } from '@wherry/clock';
import { hasReason, type Pod } from '@wherry/kubeapi';
import type { NodeLayout } from '@wherry/node';
import { CommandError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Steps } from '../../output/steps.ts';

const imageName = 'docker.io/library/wherry-demo:latest';
const podName = 'demo';
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

/** Builds a small image of the machine's static busybox and runs a pod from it. Returns the pod's name. */
export async function startDemo({ layout, client, steps, timeoutMs }: DemoOptions): Promise<string> {
  await steps.run('demo image', () => buildDemoImage(layout));
  await steps.run('demo pod', async () => {
    await createPod(client, timeoutMs);
    return `${podName} runs, ${await waitUntilRunning(client, timeoutMs)}`;
  });
  return podName;
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
  'mkdir -p /www && echo "hello from wherry" > /www/index.html',
  'httpd -p 8080 -h /www',
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

async function createPod(client: KubeClient, timeoutMs: number): Promise<void> {
  const pod: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: podName, namespace, labels: { app: podName } },
    spec: {
      terminationGracePeriodSeconds: 1,
      containers: [
        {
          name: podName,
          image: imageName,
          imagePullPolicy: 'Never',
          ports: [{ name: 'http', containerPort: 8080 }],
        },
      ],
    },
  };
  const deadline = systemClock.monotonicMs() + timeoutMs;
  for (;;) {
    try {
      await client.resource(kinds.pods).create(pod);
      return;
    } catch (error) {
      if (hasReason(error, 'AlreadyExists')) return;
      // A namespace's default service account is made a moment after the namespace.
      if (!hasReason(error, 'Forbidden') || systemClock.monotonicMs() > deadline) throw error;
      await sleep({ clock: systemClock, delayMs: limits.demoPollMs });
    }
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

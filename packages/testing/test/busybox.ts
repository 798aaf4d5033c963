import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pod } from '@wherry/kubeapi';
import type { ImageBuild } from '@wherry/testing';

/** An image of the machine's static busybox alone; its folder goes with this process. */
export function busyboxImage(): ImageBuild {
  const from = mkdtempSync(join(tmpdir(), 'wherry-busybox-'));
  process.once('exit', () => rmSync(from, { recursive: true, force: true }));
  mkdirSync(join(from, 'bin'));
  const busybox = ['/bin/busybox', '/usr/bin/busybox'].find(existsSync) ?? '/bin/busybox';
  for (const name of ['busybox', 'sh']) copyFileSync(busybox, join(from, 'bin', name));
  return { name: 'busybox:test', from };
}

/** A pod that says hello, serves its files on 8080, and goes on until it is ended. */
export const sleepingPod = (name: string, nodeName?: string) =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default' },
    spec: {
      ...(nodeName !== undefined && { nodeName }),
      terminationGracePeriodSeconds: 0,
      containers: [
        {
          name: 'main',
          image: 'busybox:test',
          imagePullPolicy: 'Never',
          command: ['sh', '-c', 'busybox echo hello; exec busybox httpd -f -p 8080 -h /'],
          ports: [{ name: 'http', containerPort: 8080 }],
        },
      ],
    },
  }) satisfies Pod;

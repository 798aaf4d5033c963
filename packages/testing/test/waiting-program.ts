/** A test file that hangs: starts what its words name, says where it is, and waits to be killed. */
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { startApiServer, startNode } from '@wherry/testing';
import { busyboxImage, sleepingPod } from './busybox.ts';

const kinds = process.argv.slice(2);
const image = busyboxImage();
const clusters = await Promise.all(
  kinds.map((kind) => (kind === 'node' ? startNode({ images: [image] }) : startApiServer())),
);

// Nobody removes it once this process is killed.
rmSync(image.from, { recursive: true });
for (const cluster of clusters) {
  if (!('load' in cluster)) continue;
  await cluster.apply(sleepingPod('busy'));
  await cluster.waitFor('Pod/busy', 'Ready');
}
const folders = clusters.map(({ kubeconfig }) => dirname(dirname(kubeconfig.path)));
console.log(JSON.stringify({ folder: folders[0] }));
setInterval(() => {}, 1_000_000);

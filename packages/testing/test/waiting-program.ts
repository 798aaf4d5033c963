/** A test file that hangs: starts what its words name, says where it is, and waits to be killed. */
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { layoutOf, memberLayout } from '@wherry/node';
import { startApiServer, startNode, type TestCluster, type TestNode } from '@wherry/testing';
import { busyboxImage, sleepingPod } from './busybox.ts';
import type { Waiting } from './machine.ts';

const isNode = (cluster: TestCluster): cluster is TestNode => 'nodeNames' in cluster;
const kinds = process.argv.slice(2);
const image = busyboxImage();
const clusters = await Promise.all(
  kinds.map((kind) => {
    if (kind === 'api') return startApiServer();
    return startNode({ images: [image], nodes: kind === 'nodes' ? 2 : 1 });
  }),
);

// Nobody removes it once this process is killed.
rmSync(image.from, { recursive: true });
for (const cluster of clusters) {
  if (!isNode(cluster)) continue;
  for (const [index, nodeName] of cluster.nodeNames.entries()) {
    await cluster.apply(sleepingPod(`busy-${index}`, nodeName));
    await cluster.waitFor(`Pod/busy-${index}`, 'Ready');
  }
}
const homes = clusters.map(({ kubeconfig }) => dirname(kubeconfig.path));
const ids = clusters.flatMap((cluster, index) => {
  const joined = isNode(cluster) ? cluster.nodeNames.slice(1) : [];
  return joined.map((name) => memberLayout(layoutOf(homes[index]!), name).id);
});
console.log(JSON.stringify({ folder: dirname(homes[0]!), ids } satisfies Waiting));
setInterval(() => {}, 1_000_000);

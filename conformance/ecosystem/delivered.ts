/** What the tests of programs share that come as Deployments: images made here, under the names that manifests have. */
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildImage } from '../../e2e/image.ts';
import type { TestNode } from '../../e2e/node.ts';

/** Builds an image of one program at `path`, which it runs as `user`; by default as nobody, as most are delivered. */
export async function bringProgram(
  node: TestNode,
  image: string,
  program: string,
  path: string,
  user = '65532:65532',
): Promise<void> {
  const fill = (tree: string) => {
    for (const folder of ['tmp', 'etc']) mkdirSync(join(tree, folder));
    copyFileSync(program, join(tree, path));
  };
  await buildImage(node.dataDir, image, fill, ['--entrypoint', `/${path}`, '--user', user]);
}

/** Changes the first container of a Deployment: by default no more than that its image, which is in the node's own store, is not pulled. */
export async function changeContainer(
  node: TestNode,
  namespace: string,
  deployment: string,
  name: string,
  change: object = { imagePullPolicy: 'IfNotPresent' },
): Promise<void> {
  const patch = JSON.stringify({ spec: { template: { spec: { containers: [{ name, ...change }] } } } });
  await node.kubectlOk(['-n', namespace, 'patch', `deployment/${deployment}`, '-p', patch]);
}

/** Waits until all pods of a Deployment are those of its last template, and ready. */
export async function rolledOut(node: TestNode, namespace: string, deployment: string): Promise<void> {
  const words = ['-n', namespace, 'rollout', 'status', `deployment/${deployment}`, '--timeout=180s'];
  await node.kubectlOk(words, { timeoutMs: 200_000 });
}

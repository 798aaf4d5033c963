/** The image that buildx's driver for Kubernetes runs: buildkitd, buildctl and what runs the steps of a build. */
import { copyFileSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buildImage, fillTree } from '../../../e2e/image.ts';
import type { TestNode } from '../../../e2e/node.ts';
import { buildTool } from '../build.ts';
import { bringLinkedProgram } from '../linked-program.ts';

export const builderImage = 'docker.io/judge/buildkit:judged';

/** Builds it in the image store of a node. */
export async function buildBuilderImage(node: TestNode): Promise<void> {
  const programs = [await buildTool('buildkitd'), await buildTool('buildctl')];
  const fill = (tree: string) => {
    fillTree(tree);
    for (const folder of ['usr/bin', 'var/lib', 'run']) mkdirSync(join(tree, folder), { recursive: true });
    for (const program of programs) copyFileSync(program, join(tree, 'bin', basename(program)));
    bringLinkedProgram(tree, '/usr/sbin/runc', 'bin/buildkit-runc');
  };
  await buildImage(node.dataDir, builderImage, fill, ['--entrypoint', '/bin/buildkitd']);
}

/** The image that buildx's driver for Kubernetes runs: buildkitd, buildctl and what runs the steps of a build. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildImage, fillTree } from '../../../e2e/image.ts';
import type { TestNode } from '../../../e2e/node.ts';
import { buildTool } from '../build.ts';

export const builderImage = 'docker.io/judge/buildkit:judged';

/** Builds it in the image store of a node. */
export async function buildBuilderImage(node: TestNode): Promise<void> {
  const programs = [await buildTool('buildkitd'), await buildTool('buildctl')];
  const fill = (tree: string) => {
    fillTree(tree);
    for (const folder of ['usr/bin', 'var/lib', 'run']) mkdirSync(join(tree, folder), { recursive: true });
    for (const program of programs) copyFileSync(program, join(tree, 'bin', program.split('/').at(-1)!));
    bringWithLibraries(tree, '/usr/sbin/runc', 'bin/buildkit-runc');
  };
  await buildImage(node.dataDir, builderImage, fill, ['--entrypoint', '/bin/buildkitd']);
}

/** Copies a program of this machine, and the libraries that it is linked with to where it looks for them. */
function bringWithLibraries(tree: string, program: string, path: string): void {
  copyFileSync(program, join(tree, path));
  const listed = execFileSync('ldd', [program], { encoding: 'utf8' });
  for (const [library] of listed.matchAll(/\/\S+\.so\S*/g)) {
    mkdirSync(join(tree, dirname(library)), { recursive: true });
    copyFileSync(library, join(tree, library));
  }
}

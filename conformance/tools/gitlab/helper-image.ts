import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildImage, fillTree } from '../../../e2e/image.ts';
import type { TestNode } from '../../../e2e/node.ts';
import { bringLinkedProgram } from '../linked-program.ts';

/** The image of the container in which the runner's own stages run. */
export const helperImage = 'docker.io/judge/gitlab-helper:judged';

/** Builds it in the image store of a node: the runner under its name there, and the bash that reads scripts from stdin. */
export async function buildHelperImage(node: TestNode, runner: string): Promise<void> {
  const fill = (tree: string) => {
    fillTree(tree);
    mkdirSync(join(tree, 'usr/bin'), { recursive: true });
    copyFileSync(runner, join(tree, 'usr/bin/gitlab-runner-helper'));
    // Its scripts begin with `#!/usr/bin/env bash`.
    symlinkSync('/bin/busybox', join(tree, 'usr/bin/env'));
    bringLinkedProgram(tree, '/bin/bash', 'bin/bash');
    const script = '#!/bin/sh\numask 0000\nexec bash\n';
    writeFileSync(join(tree, 'usr/bin/gitlab-runner-build'), script, { mode: 0o755 });
  };
  await buildImage(node.dataDir, helperImage, fill);
}

import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../e2e/command.ts';
import { buildImage, fillTree } from '../../e2e/image.ts';

const chartImage = 'docker.io/library/wherry-charts:1';

/** Builds what the charts' containers run in the node's store: busybox, and kubectl for operators. */
export async function buildChartImage(dataDir: string): Promise<void> {
  const { stdout } = await run('sh', ['-c', 'command -v kubectl']);
  await buildImage(dataDir, chartImage, (tree) => {
    fillTree(tree);
    copyFileSync(stdout.trim(), join(tree, 'bin/kubectl'));
  });
}

import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../e2e/command.ts';
import { fillTree } from '../../e2e/image.ts';
import { wherry } from '../../e2e/node.ts';

const chartImage = 'docker.io/library/wherry-charts:1';

/** Builds what the charts' containers run in the node's store: busybox, and kubectl for operators. */
export async function buildChartImage(dataDir: string): Promise<void> {
  const tree = mkdtempSync(join(tmpdir(), 'wherry-charts-'));
  try {
    fillTree(tree);
    const { stdout } = await run('sh', ['-c', 'command -v kubectl']);
    copyFileSync(stdout.trim(), join(tree, 'bin/kubectl'));
    const words = ['image', 'build', chartImage, '--from', tree, '--cmd', '["sh"]', '--data-dir', dataDir];
    const { code, stderr } = await wherry(words);
    if (code !== 0) throw new Error(`wherry image build: ${stderr}`);
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}

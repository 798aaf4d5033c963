import { basename } from 'node:path';
import { memberLayouts } from '../layout/cluster.ts';
import type { NodeLayout } from '../layout/layout.ts';
import type { Progress } from '../progress.ts';
import { isNodeFolder } from './purge.ts';

/** Ends the nodes that joined the cluster of a node, each by `end`; all are tried before the first failure is thrown. */
export async function endMembers(
  layout: NodeLayout,
  { end, progress }: { end(member: NodeLayout): Promise<void>; progress: Progress },
): Promise<void> {
  const members = memberLayouts(layout).filter(isNodeFolder);
  if (members.length === 0) return;
  await progress.run('nodes', async () => {
    const ends = await Promise.allSettled(members.map(end));
    const failed = ends.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
    return `${members.map(({ dataDir }) => basename(dataDir)).join(', ')} ended`;
  });
}

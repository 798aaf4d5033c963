import { existsSync } from 'node:fs';
import { detectCgroups, foldersAt, killGroup } from '@wherry/linux';
import { NodeError } from '../errors.ts';
import type { NodeLayout, Role } from '../layout/layout.ts';
import { lockNode } from '../layout/lock.ts';
import { isRunning, type NodeRecord, readRecord, writeRecord } from '../layout/record.ts';
import { endProcess } from '../processes/end-process.ts';
import { type Progress, silentProgress } from '../progress.ts';
import { endMembers } from './end-members.ts';
import { endPods } from './end-pods.ts';
import { leaveCluster } from './leave-cluster.ts';
import { isNodeFolder, purgeNode } from './purge.ts';

/** Options of {@link stopNode}. */
export interface StopOptions {
  /** Leaves nothing of the node on the machine. Default: its folder stays, and a start brings it back. */
  purge?: boolean | undefined;
  /** Ends the processes alone: containers run on, and the next start finds them. Default: pods end too. */
  keepPods?: boolean | undefined;
  /** Is told of each step. Default: nobody is. */
  progress?: Progress | undefined;
}

/**
 * Ends the node and its pods, and the nodes that joined its cluster; also what is left of one whose processes died. One that
 * joined a cluster leaves it when it is purged. A folder that is not there is fine; may be repeated. Throws `NodeError`: `no-node` for a folder that holds something else, which is left as it is.
 */
export async function stopNode(
  layout: NodeLayout,
  { purge = false, keepPods = false, progress = silentProgress }: StopOptions = {},
): Promise<void> {
  if (!existsSync(layout.dataDir)) return;
  if (!isNodeFolder(layout)) {
    throw new NodeError('no-node', `"${layout.dataDir}" holds no node; nothing was ended or removed`);
  }
  if (purge && keepPods)
    throw new NodeError(
      'bad-settings',
      'a node that is purged cannot keep its pods: leave out one of the two',
    );
  const how = { purge, keepPods };
  await endMembers(layout, { end: (member) => endNode(member, how, silentProgress), progress });
  const record = readRecord(layout);
  await endNode(layout, how, progress);
  if (purge && record?.joins !== undefined) await leaveCluster(layout, record);
}

/** What {@link stopNode} does with each node. */
async function endNode(
  layout: NodeLayout,
  how: { purge: boolean; keepPods: boolean },
  progress: Progress,
): Promise<void> {
  using _lock = await lockNode(layout);
  await endInOrder(layout, how, progress);
  if (!how.purge) return;
  await progress.run('purge', async () => {
    await purgeNode(layout);
    return 'mounts, cgroups, bridge, rules and files';
  });
}

/**
 * The kubelet goes first, so that it does not bring containers back; the monitor goes last, so that nothing of what
 * containers say is lost. Of a node that is purged the runtime forgets its pods.
 */
async function endInOrder(
  layout: NodeLayout,
  { purge, keepPods }: { purge: boolean; keepPods: boolean },
  progress: Progress,
): Promise<void> {
  const record = readRecord(layout);
  await endRole('kubelet', layout, record, progress);
  if (!keepPods) {
    await progress.run('pods', async () => {
      const ended = await endPods(layout, purge);
      const killed = killLeftovers(layout) ? '' : '; some processes would not die';
      if (!ended) return `no runtime to ask, killed by cgroup${killed}`;
      const complaints = ended.failures.map((failure) => `; ${failure}`).join('');
      return `${ended.pods} ended${complaints}${killed}`;
    });
  }
  for (const role of ['network', 'controllers', 'apiserver', 'runtime', 'monitor'] as const)
    await endRole(role, layout, record, progress);
}

async function endRole(
  role: Role,
  layout: NodeLayout,
  record: NodeRecord | undefined,
  progress: Progress,
): Promise<void> {
  const identity = record?.processes[role];
  if (!record || !identity || !isRunning(record, role)) return;
  await progress.run(role, async () => {
    const end = await endProcess(identity);
    delete record.processes[role];
    writeRecord(layout, record);
    return end;
  });
}

/** Kills what is still in the node's cgroups; true when nothing is left. */
function killLeftovers(layout: NodeLayout): boolean {
  const cgroups = detectCgroups();
  return [layout.cgroupRoot, layout.sliceRoot]
    .map((path) => killGroup(foldersAt(cgroups, path)))
    .every(Boolean);
}

import { detectCgroups, foldersAt, killGroup } from '@wherry/linux';
import type { Steps } from '../output/steps.ts';
import { endPods } from './end-pods.ts';
import { endProcess } from './end-process.ts';
import type { NodeLayout, Role } from './layout.ts';
import { isRunning, type NodeRecord, readRecord, writeRecord } from './record.ts';

/**
 * Ends the node and its pods. The kubelet goes first, so that it does not bring containers back; the monitor goes
 * last, so that nothing of what containers say is lost. With `remove` the runtime forgets its pods.
 */
export async function stopNode(
  layout: NodeLayout,
  options: { remove: boolean },
  steps: Steps,
): Promise<void> {
  const record = readRecord(layout);
  await endRole('kubelet', layout, record, steps);
  await steps.run('pods', async () => {
    const ended = await endPods(layout, options.remove);
    const killed = killLeftovers(layout) ? '' : '; some processes would not die';
    if (!ended) return `no runtime to ask, killed by cgroup${killed}`;
    const complaints = ended.failures.map((failure) => `; ${failure}`).join('');
    return `${ended.pods} ended${complaints}${killed}`;
  });
  for (const role of ['controllers', 'apiserver', 'runtime', 'monitor'] as const)
    await endRole(role, layout, record, steps);
}

async function endRole(
  role: Role,
  layout: NodeLayout,
  record: NodeRecord | undefined,
  steps: Steps,
): Promise<void> {
  const identity = record?.processes[role];
  if (!record || !identity || !isRunning(record, role)) return;
  await steps.run(role, async () => {
    const end = await endProcess(identity);
    delete record.processes[role];
    writeRecord(layout, record);
    return end;
  });
}

/** Kills what is still in the node's cgroups; true when nothing is left. */
function killLeftovers(layout: NodeLayout): boolean {
  return killGroup(foldersAt(detectCgroups(), layout.cgroupRoot));
}

import { existsSync } from 'node:fs';
import { CommandError } from '../../errors.ts';
import { takeKubeconfig } from '../../kubeconfig/as-user.ts';
import { layoutOf } from '../../node/layout.ts';
import { lockNode } from '../../node/lock.ts';
import { isNodeFolder, purgeNode } from '../../node/purge.ts';
import { readRecord } from '../../node/record.ts';
import { stopNode } from '../../node/stop.ts';
import { Steps } from '../../output/steps.ts';

/** Options of `wherry down`. */
export interface DownOptions {
  dataDir: string;
  purge?: boolean;
}

/** Ends a node and its pods; with `purge` nothing of it is left on the machine. A node that is not there is fine. */
export async function down({ dataDir, purge = false }: DownOptions): Promise<void> {
  const layout = layoutOf(dataDir);
  if (!existsSync(layout.dataDir)) {
    console.error(`no node in ${layout.dataDir}`);
    return;
  }
  if (!isNodeFolder(layout)) {
    throw new CommandError(`"${layout.dataDir}" holds no node; nothing was ended or removed`);
  }
  const steps = new Steps();
  steps.say(`wherry: ending the node in ${layout.dataDir}`);
  using _lock = await lockNode(layout);
  await stopNode(layout, { remove: purge }, steps);
  if (purge) {
    const record = readRecord(layout);
    if (record) forgetKubeconfig(`wherry-${record.name}`, steps);
    await steps.run('purge', async () => {
      await purgeNode(layout);
      return 'mounts, cgroups, bridge, rules and files';
    });
  }
}

/** The node goes, whatever becomes of the entries in the kubeconfig of the user who called sudo. */
function forgetKubeconfig(name: string, steps: Steps): void {
  try {
    takeKubeconfig(name);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    steps.say(error.message);
  }
}

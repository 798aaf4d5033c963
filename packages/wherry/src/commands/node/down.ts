import { existsSync } from 'node:fs';
import { layoutOf, readRecord, stopNode } from '@wherry/node';
import { CommandError } from '../../errors.ts';
import { takeKubeconfig } from '../../kubeconfig/as-user.ts';
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
  const steps = new Steps();
  steps.say(`wherry: ending the node in ${layout.dataDir}`);
  // What names the node elsewhere is known by its record, which goes with it.
  const record = readRecord(layout);
  await stopNode(layout, { purge, progress: steps });
  if (purge && record) forgetKubeconfig(`wherry-${record.name}`, steps);
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

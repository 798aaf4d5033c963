import { existsSync } from 'node:fs';
import { contextNameOf, layoutOf, readRecord, stopNode } from '@wherry/node';
import { forgetKubeconfig } from '../../kubeconfig/share.ts';
import { Steps } from '../../output/steps.ts';

/** Options of `wherry down`. */
export interface DownOptions {
  dataDir: string;
  purge?: boolean;
  keepPods?: boolean;
}

/** Ends a node and its pods; with `purge` nothing of it is left on the machine. A node that is not there is fine. */
export async function down({ dataDir, purge = false, keepPods = false }: DownOptions): Promise<void> {
  const layout = layoutOf(dataDir);
  if (!existsSync(layout.dataDir)) {
    console.error(`no node in ${layout.dataDir}`);
    return;
  }
  const steps = new Steps();
  steps.say(`wherry: ending the node in ${layout.dataDir}`);
  // By what name users know the node, its record tells, which goes with it.
  const record = readRecord(layout);
  await stopNode(layout, { purge, keepPods, progress: steps });
  if (record) forgetKubeconfig(contextNameOf(layout, record), steps);
}

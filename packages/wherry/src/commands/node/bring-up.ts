import type { KubeClient } from '@wherry/client';
import { layoutOf, type NodeLayout, type StartedNode } from '@wherry/node';
import { shareKubeconfig } from '../../kubeconfig/share.ts';
import { Steps } from '../../output/steps.ts';
import { applyFiles } from '../apply/apply.ts';
import { startDemo } from './demo.ts';
import { giveImages } from './give-images.ts';
import { nextSteps } from './next-steps.ts';
import { startAll } from './start-all.ts';
import type { UpOptions, WantedCluster } from './wanted-nodes.ts';

/** A node that is up. */
export interface UpNode extends Pick<StartedNode, 'record'> {
  layout: NodeLayout;
}

/** What bringing up needs beside what is wanted. */
export interface BringingUp {
  signal: AbortSignal;
  /** Is told when a node is up, with all that may come after that still to be done. */
  isUp(node: UpNode): void;
}

/** Brings a node up with those that join its cluster, and gives them images and objects. */
export async function bringUp(node: WantedCluster, options: UpOptions, how: BringingUp): Promise<void> {
  const { signal, isUp } = how;
  const steps = new Steps();
  const layout = layoutOf(node.dataDir);
  const readyTimeoutMs = options.readyTimeout * 1000;
  steps.say(`wherry: bringing up the node in ${layout.dataDir}`);
  const { client, isReady } = await startAll(node, {
    ...{ steps, readyTimeoutMs, signal },
    isUp: ({ record }) => isUp({ layout, record }),
  });
  try {
    await giveImages({ layout, steps, images: node.images, signal });
    await applyAll(client, node.manifests, steps);
    const demo = options.demo
      ? await startDemo({ layout, client, steps, timeoutMs: readyTimeoutMs })
      : undefined;
    signal.throwIfAborted();
    steps.say(`\n${isReady ? 'ready' : 'up'} in ${steps.elapsedSeconds} s`);
    const shared = shareKubeconfig(layout.kubeconfig, steps);
    const { kubeconfig } = layout;
    const { keepPods = false, detach: isDetached = false } = options;
    const { dataDir } = node;
    steps.say(nextSteps({ kubeconfig, shared, demo, keepPods, dataDir, isDetached }));
  } finally {
    client.close();
  }
}

async function applyAll(client: KubeClient, manifests: string[], steps: Steps): Promise<void> {
  if (manifests.length === 0) return;
  await steps.run('manifests', async () => `${await applyFiles(client, manifests)} applied`);
}

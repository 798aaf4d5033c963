import type { KubeClient } from '@wherry/client';
import { layoutOf, type NodeLayout, type StartedNode, silentProgress, startNode } from '@wherry/node';
import { shareKubeconfig } from '../../kubeconfig/share.ts';
import { Steps } from '../../output/steps.ts';
import { applyFiles } from '../objects/apply.ts';
import { startDemo } from './demo.ts';
import { giveImages } from './give-images.ts';
import { nextSteps } from './next-steps.ts';
import type { UpOptions, WantedCluster, WantedMember } from './wanted-nodes.ts';

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

/** Brings a node up, then those that join its cluster, and gives them images and objects. */
export async function bringUp(node: WantedCluster, options: UpOptions, how: BringingUp): Promise<void> {
  const { signal, isUp } = how;
  const steps = new Steps();
  const layout = layoutOf(node.dataDir);
  const readyTimeoutMs = options.readyTimeout * 1000;
  steps.say(`wherry: bringing up the node in ${layout.dataDir}`);
  const choices = node.choices();
  const { record, client } = await startNode(layout, { ...choices, readyTimeoutMs, progress: steps, signal });
  isUp({ layout, record });
  try {
    await allOf(node.members.map((member) => () => join(member, { steps, readyTimeoutMs, signal })));
    await giveImages({ layout, steps, images: node.images, signal });
    await applyAll(client, node.manifests, steps);
    const demo = options.demo
      ? await startDemo({ layout, client, steps, timeoutMs: readyTimeoutMs })
      : undefined;
    signal.throwIfAborted();
    steps.say(`\nready in ${steps.elapsedSeconds} s`);
    const shared = shareKubeconfig(layout.kubeconfig, steps);
    const { kubeconfig } = layout;
    const detachedIn = options.detach ? node.dataDir : undefined;
    steps.say(nextSteps({ kubeconfig, shared, demo, detachedIn }));
  } finally {
    client.close();
  }
}

async function applyAll(client: KubeClient, manifests: string[], steps: Steps): Promise<void> {
  if (manifests.length === 0) return;
  await steps.run('manifests', async () => `${await applyFiles(client, manifests)} applied`);
}

/** Runs all at once, and waits for all of them also when one fails: what is half up would be ended under its hands. */
async function allOf(works: readonly (() => Promise<void>)[]): Promise<void> {
  const ends = await Promise.allSettled(works.map((work) => work()));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
}

interface Joining {
  steps: Steps;
  readyTimeoutMs: number;
  signal: AbortSignal;
}

async function join(member: WantedMember, { steps, readyTimeoutMs, signal }: Joining): Promise<void> {
  const layout = layoutOf(member.dataDir);
  await steps.run(`node ${member.name}`, async () => {
    const choices = member.choices();
    const started = await startNode(layout, { ...choices, readyTimeoutMs, progress: silentProgress, signal });
    started.client.close();
    return `Ready, kubelet on port ${started.record.kubeletPort}`;
  });
  await giveImages({ layout, steps, images: member.images, signal });
}

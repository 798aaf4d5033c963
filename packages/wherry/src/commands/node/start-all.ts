import {
  layoutOf,
  type NodeLayout,
  type StartedNode,
  silentProgress,
  startNode,
  stopNode,
} from '@wherry/node';
import type { Steps } from '../../output/steps.ts';
import { giveImages } from './give-images.ts';
import type { WantedCluster, WantedMember } from './wanted-nodes.ts';

/** What a start needs beside what is wanted. */
export interface Starting {
  steps: Steps;
  readyTimeoutMs: number;
  signal: AbortSignal;
  /** Is told when the first node is up, with all others still on their way. */
  isUp(first: StartedNode): void;
}

/**
 * Starts a node and, as soon as its API server is on its way, those that join its cluster. Resolves with the first once all
 * are Ready and have their images. When the first fails, those that came up with it are ended again; when another fails,
 * what is up stays.
 */
export async function startAll(node: WantedCluster, starting: Starting): Promise<StartedNode> {
  const { steps, readyTimeoutMs, signal } = starting;
  const joinable = Promise.withResolvers<void>();
  // Who joins learns of it; where nobody does, nobody would.
  joinable.promise.catch(() => {});
  const hopeless = new AbortController();
  const cameUp: NodeLayout[] = [];
  const given = { ...starting, cameUp, signal: AbortSignal.any([signal, hopeless.signal]) };
  // All are waited for, also when one fails: what is half up would be ended under its hands.
  const joined = Promise.allSettled(
    node.members.map(async (member) => {
      await joinable.promise;
      await join(member, given);
    }),
  );
  const choices = { ...node.choices(), whenJoinable: joinable.resolve };
  let first: StartedNode;
  try {
    first = await startNode(layoutOf(node.dataDir), { ...choices, readyTimeoutMs, progress: steps, signal });
  } catch (error) {
    hopeless.abort(error);
    joinable.reject(error);
    await joined;
    for (const layout of cameUp) await stopNode(layout, { keepPods: true });
    throw error;
  }
  starting.isUp(first);
  const failed = (await joined).find((end) => end.status === 'rejected');
  if (!failed) return first;
  first.client.close();
  throw failed.reason;
}

interface Joining extends Omit<Starting, 'isUp'> {
  /** Is added to when nothing of the node was there before. */
  cameUp: NodeLayout[];
}

async function join(member: WantedMember, { steps, readyTimeoutMs, signal, cameUp }: Joining): Promise<void> {
  const layout = layoutOf(member.dataDir);
  await steps.run(`node ${member.name}`, async () => {
    const choices = member.choices();
    const { client, record, started, isReady } = await startNode(layout, {
      ...{ ...choices, readyTimeoutMs, progress: silentProgress, signal },
    });
    client.close();
    if (started.length === Object.keys(record.processes).length) cameUp.push(layout);
    return `${isReady ? 'Ready' : 'up, its disk is full'}, kubelet on port ${record.kubeletPort}`;
  });
  await giveImages({ layout, steps, images: member.images, signal });
}

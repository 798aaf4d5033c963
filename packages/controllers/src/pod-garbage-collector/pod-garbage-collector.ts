import { type KubeClient, keyOf, kinds } from '@wherry/client';
import { hasReason, type Node, type Pod, timeFromMs } from '@wherry/kubeapi/objects';
import { isFinished, nodeCondition } from '@wherry/podrules';
import { limits } from '../limits.ts';
import type { ControllerContext, Reconciler } from '../machinery/controller-definition.ts';
import { isLateWrite } from '../machinery/late-write.ts';
import { defineController } from '../machinery/run-controller.ts';

/** The evicted ones first, then the oldest. */
function bySweepOrder(a: Pod, b: Pod): number {
  const rank = ({ status }: Pod) => (status?.phase === 'Failed' && status.reason === 'Evicted' ? 0 : 1);
  const order = ({ metadata }: Pod) => `${metadata.creationTimestamp ?? ''} ${metadata.name}`;
  return rank(a) - rank(b) || order(a).localeCompare(order(b));
}

/** Whether somebody has said that a node is not coming back: it is not ready, and bears the taint for that. */
function isOutOfService(node: Node): boolean {
  const isSaid = node.spec?.taints?.some(({ key }) => key === 'node.kubernetes.io/out-of-service');
  return isSaid === true && nodeCondition(node, 'Ready')?.status !== 'True';
}

/**
 * The pods that nobody will ever finish or look at: those of vanished nodes, those that are to go from nodes that are
 * out of service, and of too many finished ones (none are where `finishedPodsMax` is 0 or below) those that were evicted, then the oldest.
 */
export function podsToSweep(
  pods: Pod[],
  nodeNames: ReadonlySet<string>,
  finishedPodsMax: number,
  nodes: ReadonlyMap<string, Node> = new Map(),
): Pod[] {
  const stranded = pods.filter(({ spec, metadata }) => {
    const node = metadata?.deletionTimestamp ? nodes.get(spec?.nodeName ?? '') : undefined;
    return node !== undefined && isOutOfService(node);
  });
  const homeless = pods.filter(({ spec }) => spec?.nodeName && !nodeNames.has(spec.nodeName));
  const unscheduled = pods.filter(({ spec, metadata }) => metadata?.deletionTimestamp && !spec?.nodeName);
  const finished = pods.filter((pod) => isFinished(pod) && !homeless.includes(pod));
  const surplusCount = finishedPodsMax > 0 ? Math.max(0, finished.length - finishedPodsMax) : 0;
  const surplus = finished.sort(bySweepOrder).slice(0, surplusCount);
  return [...new Set([...homeless, ...stranded, ...unscheduled, ...surplus])];
}

const watches = { pods: { type: kinds.pods }, nodes: { type: kinds.nodes } };

/** Deletes, every `limits.podSweepMs`, what {@link podsToSweep} names; a node must be missing in two sweeps. */
export const podGarbageCollector = defineController({
  name: 'pod-garbage-collector-controller',
  account: 'pod-garbage-collector',
  watches,
  writes: ['pods', 'pods/status'],
  periodMs: limits.podSweepMs,
  build: sweeper,
});

/** One sweep for each turn. */
export function sweeper({
  cluster,
  informers,
}: ControllerContext<typeof watches>): Reconciler<typeof watches> {
  const { client, clock, logger, finishedPodsMax } = cluster;

  /** No kubelet says any more how such a pod ended: whoever waits for its end, as a job does, is told that it failed. */
  async function fail(pod: Pod, isHomeless: boolean, signal: AbortSignal): Promise<void> {
    const { name = '', namespace, uid, generation: observedGeneration } = pod.metadata;
    const condition = {
      ...{ type: 'DisruptionTarget', status: 'True', lastTransitionTime: timeFromMs(clock.nowMs()) },
      ...{ reason: 'DeletionByPodGC', message: 'PodGC: node no longer exists', observedGeneration },
    };
    const status = {
      phase: 'Failed',
      observedGeneration,
      ...(isHomeless ? { conditions: [condition] } : {}),
    };
    const patch = { metadata: { uid }, status };
    const pods = client.resource(kinds.pods);
    await pods.patch({ name, namespace, subresource: 'status', type: 'strategic', patch, signal });
  }

  async function sweep(pod: Pod, isHomeless: boolean, signal: AbortSignal): Promise<void> {
    const { name = '', namespace, uid = '' } = pod.metadata;
    try {
      if (!isFinished(pod)) await fail(pod, isHomeless, signal);
      const options = { gracePeriodSeconds: 0, preconditions: { uid }, signal };
      await client.resource(kinds.pods).delete({ name, namespace }, options);
    } catch (error) {
      if (signal.aborted) throw error;
      // One that can't go keeps no other; the next sweep tries again.
      if (!isLateWrite(error)) logger.warn('a pod could not be swept', { pod: keyOf(pod), error });
    }
  }

  let missing = new Set<string>();
  return {
    async reconcile(_key, signal) {
      const present = new Set([...informers.nodes.objects.values()].map((node) => node.metadata?.name ?? ''));
      const pods = [...informers.pods.objects.values()];
      const nowMissing = new Set(
        pods.map(({ spec }) => spec?.nodeName ?? '').filter((name) => name && !present.has(name)),
      );
      const forgiven = [...nowMissing].filter((name) => !missing.has(name));
      missing = nowMissing;
      const gone: string[] = [];
      for (const name of nowMissing)
        if (!forgiven.includes(name) && (await isGone(client, name))) gone.push(name);
      const known = new Set([...present, ...nowMissing].filter((name) => !gone.includes(name)));
      for (const pod of podsToSweep(pods, known, finishedPodsMax, informers.nodes.objects))
        await sweep(pod, gone.includes(pod.spec?.nodeName ?? ''), signal);
    },
  };
}

/** A node that a watch has not shown may be there all the same: only the server can say that it is not. */
async function isGone(client: KubeClient, name: string): Promise<boolean> {
  try {
    await client.metadata(kinds.nodes).get({ name });
    return false;
  } catch (error) {
    if (hasReason(error, 'NotFound') && error.status.details?.name === name) return true;
    throw error;
  }
}

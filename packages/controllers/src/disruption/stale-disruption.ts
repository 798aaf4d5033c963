import { type KubeClient, kinds } from '@wherry/client';
import { type Pod, type PodCondition, timeFromMs } from '@wherry/kubeapi/objects';
import { isFinished } from '@wherry/podrules';
import { limits } from '../limits.ts';

/**
 * How long, in milliseconds, until nobody may any longer expect that a pod goes which says that it is a target of disruption;
 * undefined where it says no such thing, goes, or has ended. What the kubelet says of it never gets stale, since its
 * own terminations may take any time (upstream: nonTerminatingPodHasStaleDisruptionCondition).
 */
export function staleInMs(pod: Pod, nowMs: number): number | undefined {
  if (pod.metadata.deletionTimestamp || isFinished(pod)) return undefined;
  const condition = pod.status?.conditions?.find(({ type }) => type === 'DisruptionTarget');
  if (condition?.status !== 'True' || condition.reason === 'TerminationByKubelet') return undefined;
  const sinceMs = Date.parse(condition.lastTransitionTime ?? '') || 0;
  return Math.max(0, sinceMs + limits.disruptionMs - nowMs);
}

/** Takes back that a pod is a target of disruption. Rejects with Conflict when the pod has changed since. */
export async function clearDisruption(
  client: KubeClient,
  { metadata: { name = '', namespace, uid, resourceVersion } }: Pod,
  { nowMs, signal }: { nowMs: number; signal: AbortSignal },
): Promise<void> {
  const condition = {
    ...{ type: 'DisruptionTarget', status: 'False', reason: null, message: null },
    lastTransitionTime: timeFromMs(nowMs),
  } as unknown as PodCondition;
  const patch = { metadata: { uid, resourceVersion }, status: { conditions: [condition] } };
  const pods = client.resource(kinds.pods);
  await pods.patch({ name, namespace, subresource: 'status', type: 'strategic', patch, signal });
}

import { type KubeClient, kinds } from '@wherry/client';
import type { Clock } from '@wherry/clock';
import { type Pod, type PodCondition, timeFromMs } from '@wherry/kubeapi/objects';

/** Why a pod has to go, for its condition DisruptionTarget. */
export interface Disruption {
  reason: string;
  message: string;
  signal?: AbortSignal | undefined;
}

/**
 * Says in a pod's status that it is disrupted, and deletes it; never another of its name. Rejects with what the API server
 * says, so that a caller has to ask `isLateWrite`.
 */
export async function disruptPod(
  { client, clock }: { client: KubeClient; clock: Clock },
  { metadata: { name = '', namespace, uid = '', generation } }: Pod,
  { reason, message, signal }: Disruption,
): Promise<void> {
  const condition: PodCondition = {
    ...{ type: 'DisruptionTarget', status: 'True', reason, message },
    lastTransitionTime: timeFromMs(clock.nowMs()),
    observedGeneration: generation,
  };
  const patch = { metadata: { uid }, status: { conditions: [condition] } };
  const pods = client.resource(kinds.pods);
  await pods.patch({ name, namespace, subresource: 'status', type: 'strategic', patch, signal });
  await pods.delete({ name, namespace }, { preconditions: { uid }, signal });
}

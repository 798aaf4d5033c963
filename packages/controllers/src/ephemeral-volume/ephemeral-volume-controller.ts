import { controllerReference, keyOf, kinds } from '@wherry/client';
import type { PersistentVolumeClaim, Pod } from '@wherry/kubeapi/objects';
import { type PodClaim, podClaims, strangersClaim } from '@wherry/podrules';
import { EventRecorder } from '../machinery/events.ts';
import { defineController } from '../machinery/run-controller.ts';
import { messageOf } from '../ownership/pod-writes.ts';

const watches = { pods: { type: kinds.pods }, claims: { type: kinds.persistentVolumeClaims } };

/** Makes the claim of each ephemeral volume, which goes with its pod. Keys are pods. */
export const ephemeralVolumeController = defineController<typeof watches>({
  name: 'ephemeral-volume-controller',
  watches,
  writes: ['persistentvolumeclaims', 'events'],
  build: ({ cluster, informers: { pods, claims } }) => {
    const { client } = cluster;
    const recorder = new EventRecorder({ ...cluster, client, component: 'ephemeral_volume' });
    const ensure = async (pod: Pod, { volume, claimName }: PodClaim, signal: AbortSignal) => {
      const known = claims.objects.get(`${pod.metadata.namespace}/${claimName}`);
      const why = known && strangersClaim(pod, known);
      if (why !== undefined) throw new Error(why);
      if (known) return;
      const claim = claimFor(pod, volume, claimName);
      try {
        await client.resource(kinds.persistentVolumeClaims).create(claim, { signal });
      } catch (error) {
        throw new Error(`create PVC ${claimName}: ${messageOf(error)}`, { cause: error });
      }
    };
    return {
      keysOf: {
        pods: (pod, change) =>
          change === 'deleted' || !podClaims(pod).some(({ isEphemeral }) => isEphemeral) ? [] : [keyOf(pod)],
        claims: (claim, change) => (change === 'deleted' ? podOf(claim) : []),
      },
      async reconcile(key, signal) {
        const pod = pods.objects.get(key);
        if (!pod || pod.metadata.deletionTimestamp) return;
        for (const each of podClaims(pod).filter(({ isEphemeral }) => isEphemeral)) {
          try {
            await ensure(pod, each, signal);
          } catch (error) {
            const message = `ephemeral volume ${each.volume.name}: ${messageOf(error)}`;
            recorder.record(pod, { type: 'Warning', reason: 'FailedBinding', message });
            throw error;
          }
        }
      },
    };
  },
});

/** The pod that a claim was made for, which needs it again. */
function podOf({ metadata }: PersistentVolumeClaim): string[] {
  const owner = metadata.ownerReferences?.find(({ controller, kind }) => controller && kind === 'Pod');
  return owner ? [`${metadata.namespace}/${owner.name}`] : [];
}

function claimFor(pod: Pod, { ephemeral }: PodClaim['volume'], name: string): PersistentVolumeClaim {
  const template = ephemeral?.volumeClaimTemplate;
  const { labels, annotations } = template?.metadata ?? {};
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      ...{ name, namespace: pod.metadata.namespace, ownerReferences: [controllerReference(kinds.pods, pod)] },
      ...(labels ? { labels } : {}),
      ...(annotations ? { annotations } : {}),
    },
    spec: structuredClone(template?.spec ?? {}),
  };
}

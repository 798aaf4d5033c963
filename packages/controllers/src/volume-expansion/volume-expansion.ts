import { keyOf, kinds } from '@wherry/client';
import type { PersistentVolume, PersistentVolumeClaim } from '@wherry/kubeapi/objects';
import { parseQuantity } from '@wherry/kubeapi/objects';
import { EventRecorder } from '../machinery/events.ts';
import { defineController } from '../machinery/run-controller.ts';

const watches = {
  claims: { type: kinds.persistentVolumeClaims },
  volumes: { type: kinds.persistentVolumes },
};

const storage = (amounts: Readonly<Record<string, string>> | undefined) =>
  parseQuantity(amounts?.['storage'] ?? '0');
const requested = ({ spec }: PersistentVolumeClaim) => storage(spec.resources?.requests);
const given = ({ status }: PersistentVolumeClaim) => storage(status?.capacity);

/** Whether a bound claim is to be looked at: a new one, one that asks for more than before, or one that has got more. */
export function mayGrow(claim: PersistentVolumeClaim, previous?: PersistentVolumeClaim): boolean {
  if (claim.status?.phase !== 'Bound') return false;
  if (!previous) return true;
  return requested(claim).cmp(requested(previous)) > 0 || given(claim).cmp(given(previous)) > 0;
}

/** Whether a claim asks for more than its volume has. */
export function waitsForGrowth(claim: PersistentVolumeClaim, volume: PersistentVolume | undefined): boolean {
  return volume?.spec.claimRef?.uid === claim.metadata.uid && requested(claim).cmp(given(claim)) > 0;
}

/**
 * Says of claims that are to grow that somebody else has to do it: none but a driver's own resizer makes a volume larger.
 */
export const volumeExpansion = defineController({
  name: 'persistentvolume-expander-controller',
  watches,
  writes: ['events'],
  waitsForLists: true,
  build: ({ cluster, informers: { claims, volumes } }) => {
    const { client, clock, logger } = cluster;
    const recorder = new EventRecorder({ client, clock, logger, component: 'volume_expand' });
    return {
      keysOf: {
        claims: (claim, change, previous) =>
          change !== 'deleted' && mayGrow(claim, previous) ? [keyOf(claim)] : [],
      },
      async reconcile(key) {
        const claim = claims.objects.get(key);
        if (!claim || !waitsForGrowth(claim, volumes.objects.get(claim.spec.volumeName ?? ''))) return;
        recorder.recordOf(kinds.persistentVolumeClaims, claim, {
          ...{ type: 'Normal', reason: 'ExternalExpanding' },
          message: 'waiting for an external controller to expand this PVC',
        });
      },
    };
  },
});

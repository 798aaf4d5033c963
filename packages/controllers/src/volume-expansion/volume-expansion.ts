import { keyOf, kinds } from '@wherry/client';
import type { PersistentVolume, PersistentVolumeClaim } from '@wherry/kubeapi/objects';
import { parseQuantity } from '@wherry/kubeapi/objects';
import { EventRecorder } from '../machinery/events.ts';
import { defineController } from '../machinery/run-controller.ts';
import { requestOf } from '../persistent-volume/match-volume.ts';

const watches = {
  claims: { type: kinds.persistentVolumeClaims },
  volumes: { type: kinds.persistentVolumes },
};

const givenOf = ({ status }: PersistentVolumeClaim) => parseQuantity(status?.capacity?.['storage'] ?? '0');

/** Whether a bound claim is to be looked at: a new one, one that asks for more than before, or one that has got more. */
export function mayGrow(claim: PersistentVolumeClaim, previous?: PersistentVolumeClaim): boolean {
  if (claim.status?.phase !== 'Bound') return false;
  if (!previous) return true;
  return requestOf(claim).cmp(requestOf(previous)) > 0 || givenOf(claim).cmp(givenOf(previous)) > 0;
}

/** Whether a claim asks for more than its volume has. */
export function waitsForGrowth(claim: PersistentVolumeClaim, volume: PersistentVolume | undefined): boolean {
  return volume?.spec.claimRef?.uid === claim.metadata.uid && requestOf(claim).cmp(givenOf(claim)) > 0;
}

/**
 * Says of claims that are to grow that somebody else has to do it: none but a driver's own resizer makes a volume larger.
 */
export const volumeExpansion = defineController({
  name: 'persistentvolume-expander-controller',
  account: 'expand-controller',
  watches,
  writes: ['events'],
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

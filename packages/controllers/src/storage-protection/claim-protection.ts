import { keyOf, kinds } from '@wherry/client';
import type { PersistentVolumeClaim, Pod } from '@wherry/kubeapi/objects';
import { podClaims, strangersClaim } from '@wherry/podrules';
import { defineController } from '../machinery/run-controller.ts';
import { protect } from './finalizer.ts';

const watches = { claims: { type: kinds.persistentVolumeClaims }, pods: { type: kinds.pods } };

/** A claim that is deleted stays until no pod on a node uses it. */
export const claimProtection = defineController<typeof watches>({
  name: 'persistentvolumeclaim-protection-controller',
  account: 'pvc-protection-controller',
  watches,
  writes: ['persistentvolumeclaims'],
  build: ({ cluster: { client }, informers: { claims, pods } }) => ({
    keysOf: {
      claims: (claim) => [keyOf(claim)],
      pods: (pod) => podClaims(pod).map(({ claimName }) => `${pod.metadata.namespace}/${claimName}`),
    },
    async reconcile(key, signal) {
      const claim = claims.objects.get(key);
      if (!claim) return;
      const { namespace } = claim.metadata;
      // The informer may not have seen a new pod yet: only the server knows that there is none.
      const isUsed = async (claim: PersistentVolumeClaim) =>
        [...pods.objects.values()].some((pod) => uses(pod, claim)) ||
        (await client.resource(kinds.pods).list({ namespace, signal })).items.some((pod) => uses(pod, claim));
      const [type, finalizer] = [kinds.persistentVolumeClaims, 'kubernetes.io/pvc-protection'];
      await protect({ client, type, finalizer, isUsed }, claim, signal);
    },
  }),
});

/** A pod that is on no node yet will not start with a claim that is being deleted (upstream: podUsesPVCForDeletion). */
function uses(pod: Pod, claim: PersistentVolumeClaim): boolean {
  const { namespace, deletionTimestamp, deletionGracePeriodSeconds: grace } = pod.metadata;
  if (!pod.spec?.nodeName || namespace !== claim.metadata.namespace) return false;
  const isShutDown = deletionTimestamp !== undefined && grace === 0;
  return podClaims(pod).some(
    ({ claimName, isEphemeral }) =>
      claimName === claim.metadata.name && (!isEphemeral || (!isShutDown && !strangersClaim(pod, claim))),
  );
}

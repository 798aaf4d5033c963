import type { PersistentVolumeClaimVolumeSource } from '@wherry/kubeapi';
import { actedOn, type MessageVerdicts } from '../../../pod/field-verdict.ts';
import { claimPlugin } from '../persistent/claim-plugin.ts';

const here = 'kubelet/execution/volumes/plugins/persistent-volume-claim';

const fields: MessageVerdicts<PersistentVolumeClaimVolumeSource> = {
  claimName: actedOn(here),
  readOnly: actedOn(here),
};

/** The volume that a claim of the pod's namespace is bound to. */
export const persistentVolumeClaim = claimPlugin<'persistentVolumeClaim'>({
  name: 'persistentVolumeClaim',
  folder: 'persistent-volume',
  supports: { PersistentVolumeClaimVolumeSource: fields },
  claim: ({ claimName, readOnly: isReadOnly = false }) => ({ claimName, isEphemeral: false, isReadOnly }),
});

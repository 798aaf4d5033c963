import { basename } from 'node:path';
import type { CSIVolumeSource } from '@wherry/kubeapi';
import { actedOn, type MessageVerdicts } from '../../../pod/field-verdict.ts';
import type { VolumePlugin } from '../volume-plugin.ts';

const inVolumes = 'kubelet/execution/volumes/csi/csi-volumes';

const fields: MessageVerdicts<CSIVolumeSource> = {
  driver: actedOn(inVolumes),
  readOnly: actedOn(inVolumes),
  fsType: actedOn(inVolumes),
  volumeAttributes: actedOn(inVolumes),
  nodePublishSecretRef: actedOn(inVolumes),
};

/** A volume that a CSI driver makes for the pod alone, and that ends with it. */
export const csi: VolumePlugin<'csi'> = {
  name: 'csi',
  folder: 'csi',
  supports: { CSIVolumeSource: fields },
  takesGroup: true,
  isSettled: true,
  unmounts: true,
  readsApi: () => true,
  setUp: async (request) => ({
    ...(await request.host.csi.publishInline(request)),
    broughtBy: `kubernetes.io/csi:${request.source.driver}`,
  }),
  tearDown: ({ content }, host, uid) => host.csi.release(uid, basename(content)),
};

import type { HostPathVolumeSource } from '@wherry/kubeapi';
import { actedOn, type MessageVerdicts } from '../../../pod/field-verdict.ts';
import { checkHostPath } from '../host-path-check.ts';
import type { VolumePlugin } from '../volume-plugin.ts';

const here = 'kubelet/execution/volumes/plugins/host-path';

const fields: MessageVerdicts<HostPathVolumeSource> = {
  path: actedOn(here),
  type: actedOn(here),
};

/** A file or folder of the node as it is: never made the pod's, never taken away. */
export const hostPath: VolumePlugin<'hostPath'> = {
  name: 'hostPath',
  folder: 'host-path',
  supports: { HostPathVolumeSource: fields },
  takesGroup: false,
  readsApi: () => false,
  async setUp({ source }) {
    await checkHostPath(source);
    return { hostPath: source.path, readOnly: false };
  },
  async tearDown() {},
};

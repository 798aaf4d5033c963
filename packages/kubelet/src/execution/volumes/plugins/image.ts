import type { ImageVolumeSource } from '@wherry/kubeapi';
import { actedOn, type MessageVerdicts } from '../../../pod/field-verdict.ts';
import type { VolumePlugin } from '../volume-plugin.ts';

const fields: MessageVerdicts<ImageVolumeSource> = {
  reference: actedOn('kubelet/execution/volumes/plugins/image'),
  pullPolicy: actedOn('kubelet/execution/images/image-manager'),
};

/** An image's files, which the runtime mounts; the image comes to the node with the container that mounts it. */
export const image: VolumePlugin<'image'> = {
  name: 'image',
  folder: 'image',
  supports: { ImageVolumeSource: fields },
  takesGroup: false,
  readsApi: () => false,
  async setUp({ source }) {
    return { hostPath: '', readOnly: true, image: source.reference ?? '' };
  },
  async tearDown() {},
};

import type { ImageVolumeSource } from '@wherry/kubeapi';
import { actedOn, type MessageVerdicts, warnedWhen } from '../../../pod/field-verdict.ts';
import type { VolumePlugin } from '../volume-plugin.ts';

const fields: MessageVerdicts<ImageVolumeSource> = {
  reference: actedOn('kubelet/execution/volumes/plugins/image'),
  pullPolicy: warnedWhen<string>(
    'all but `Never`',
    (policy) => policy !== 'Never',
    'the image of a volume is not pulled by this kubelet; it must be on the node already',
  ),
};

/** An image's files, which the runtime mounts. */
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

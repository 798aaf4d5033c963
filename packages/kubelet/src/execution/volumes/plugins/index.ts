import type { VolumePlugin } from '../volume-plugin.ts';
import { configMap } from './config-map.ts';
import { downwardApi } from './downward-api.ts';
import { emptyDir } from './empty-dir.ts';
import { hostPath } from './host-path.ts';
import { image } from './image.ts';
import { projected } from './projected.ts';
import { secret } from './secret.ts';

/** Every type of volumes that this kubelet has, in the order in which it tells of them. */
export const volumePlugins: readonly VolumePlugin[] = [
  emptyDir,
  hostPath,
  configMap,
  secret,
  projected,
  downwardApi,
  image,
];

import type { VolumePlugin } from '../volume-plugin.ts';
import { configMap } from './config-map.ts';
import { csi } from './csi.ts';
import { downwardApi } from './downward-api.ts';
import { emptyDir } from './empty-dir.ts';
import { ephemeral } from './ephemeral.ts';
import { hostPath } from './host-path.ts';
import { image } from './image.ts';
import { nfs } from './nfs.ts';
import { persistentVolumeClaim } from './persistent-volume-claim.ts';
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
  persistentVolumeClaim,
  ephemeral,
  csi,
  nfs,
];

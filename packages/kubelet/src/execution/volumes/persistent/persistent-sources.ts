import { stat } from 'node:fs/promises';
import type { PersistentVolumeSpec } from '@wherry/kubeapi';
import { checkHostPath } from '../host-path-check.ts';

/** Where a persistent volume is on this node. */
export interface FoundVolume {
  hostPath: string;
  /** Whether a pod's fsGroup owns it. */
  takesGroup: boolean;
  isDevice: boolean;
}

/** One kind of persistent volumes. */
export interface PersistentSource {
  /** Its field in the volume. */
  name: 'hostPath' | 'local';
  /** Throws in upstream's words when it is not there. */
  find(spec: PersistentVolumeSpec): Promise<FoundVolume>;
}

const isBlock = ({ volumeMode }: PersistentVolumeSpec) => volumeMode === 'Block';

const hostPath: PersistentSource = {
  name: 'hostPath',
  async find(spec) {
    if (isBlock(spec)) throw new Error('hostPath volumes are no block devices; use a local volume');
    await checkHostPath(spec.hostPath!);
    return { hostPath: spec.hostPath!.path, takesGroup: false, isDevice: false };
  },
};

const local: PersistentSource = {
  name: 'local',
  async find(spec) {
    const { path } = spec.local!;
    const found = await stat(path).catch(() => undefined);
    if (!found) throw new Error(`path "${path}" does not exist`);
    if (isBlock(spec) && !found.isBlockDevice()) throw new Error(`path "${path}" is no block device`);
    if (!isBlock(spec) && !found.isDirectory())
      throw new Error(`path "${path}" is no folder; this kubelet makes no file systems on devices`);
    return { hostPath: path, takesGroup: !isBlock(spec), isDevice: isBlock(spec) };
  },
};

/** Every kind of persistent volumes that this kubelet has. */
export const persistentSources: readonly PersistentSource[] = [hostPath, local];

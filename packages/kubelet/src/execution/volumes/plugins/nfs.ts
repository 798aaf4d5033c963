import type { NFSVolumeSource } from '@wherry/kubeapi';
import { actedOn, type MessageVerdicts } from '../../../pod/field-verdict.ts';
import { removeLocalVolume } from '../local-volume.ts';
import type { VolumePlugin } from '../volume-plugin.ts';

const mounts = 'kubelet/execution/volumes/nfs/nfs-mounts';

const fields: MessageVerdicts<NFSVolumeSource> = {
  server: actedOn(mounts),
  path: actedOn(mounts),
  readOnly: actedOn(mounts),
};

/** A folder of an NFS server, which the machine's mount.nfs puts in place. Its owners are the server's business. */
export const nfs: VolumePlugin<'nfs'> = {
  name: 'nfs',
  folder: 'nfs',
  supports: { NFSVolumeSource: fields },
  takesGroup: false,
  isSettled: true,
  readsApi: () => false,
  setUp: ({ source, roots, sources, host }) =>
    host.nfs.mount(source, { target: roots.content, options: [], signal: sources.signal }),
  async tearDown(roots, host) {
    await host.nfs.release(roots.content);
    await removeLocalVolume(roots);
  },
};

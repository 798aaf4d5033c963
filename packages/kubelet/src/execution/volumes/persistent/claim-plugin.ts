import { ownValue, type PersistentVolume, type Volume } from '@wherry/kubeapi';
import type { AssignedPod } from '../../../pod/assigned-pod.ts';
import { containersOf } from '../../../pod/containers.ts';
import { ClaimError } from '../../inputs/claimed-volume.ts';
import { removeLocalVolume } from '../local-volume.ts';
import type { ReadyVolume, VolumePlugin, VolumeRequest } from '../volume-plugin.ts';
import { giveOnce } from './give-once.ts';
import { persistentSources } from './persistent-sources.ts';

/** What makes a type of volumes that stand for a claim. */
export interface ClaimPlugin<Kind extends 'persistentVolumeClaim' | 'ephemeral'>
  extends Pick<VolumePlugin<Kind>, 'name' | 'folder' | 'supports'> {
  claim(
    source: NonNullable<Volume[Kind]>,
    place: { pod: AssignedPod; name: string },
  ): { claimName: string; isEphemeral: boolean; isReadOnly: boolean };
}

/** The plug-in of a type whose volumes are the cluster's: they are there before the pod, and stay when it goes. */
export function claimPlugin<Kind extends 'persistentVolumeClaim' | 'ephemeral'>(
  type: ClaimPlugin<Kind>,
): VolumePlugin<Kind> {
  const { name, folder, supports } = type;
  return {
    ...{ name, folder, supports },
    takesGroup: true,
    isSettled: true,
    readsApi: () => true,
    async setUp(request) {
      const { isReadOnly, ...claim } = type.claim(request.source, request);
      const volume = await request.sources.claimedVolume(claim);
      refuseOtherMode(request, volume);
      const ready = await putInPlace(request, volume, { isReadOnly, claimName: claim.claimName });
      const group = groupNamedIn(volume);
      return group === undefined ? ready : { ...ready, group };
    },
    async tearDown(roots, host) {
      await host.nfs.release(roots.content);
      await removeLocalVolume(roots);
    },
  };
}

/** Throws, in upstream's words, where a container of the pod takes a device for a folder or the other way round. */
function refuseOtherMode({ pod, name }: VolumeRequest<unknown>, { spec }: PersistentVolume): void {
  const mode = spec.volumeMode ?? 'Filesystem';
  const list = mode === 'Block' ? 'volumeMounts' : 'volumeDevices';
  if (containersOf(pod).some(({ container }) => container[list]?.some((use) => use.name === name)))
    throw new ClaimError(`volume ${name} has volumeMode ${mode}, but is specified in ${list}`);
}

async function putInPlace(
  request: VolumeRequest<unknown>,
  volume: PersistentVolume,
  { isReadOnly, claimName }: { isReadOnly: boolean; claimName: string },
): Promise<ReadyVolume> {
  if (volume.spec.csi) {
    const { csi } = request.host;
    const ready = await csi.publishClaimed(request, volume, isReadOnly);
    const place = { pod: request.pod, claimName, volumePath: ready.hostPath };
    if (!isReadOnly) await csi.keepGrown(volume, place, request.sources.signal);
    return { ...ready, broughtBy: `kubernetes.io/csi:${volume.spec.csi.driver}` };
  }
  if (volume.spec.nfs) {
    const { nfs: source, mountOptions: options = [] } = volume.spec;
    const readOnly = isReadOnly || source.readOnly === true;
    const place = { target: request.roots.content, options, signal: request.sources.signal };
    const ready = await request.host.nfs.mount({ ...source, readOnly }, place);
    return { ...ready, broughtBy: 'kubernetes.io/nfs' };
  }
  const { hostPath, takesGroup, isDevice } = await find(volume);
  if (takesGroup && !isReadOnly) await giveOnce(request, hostPath);
  // Upstream tells the figures of local volumes, and none of hostPath's.
  const isMeasured = takesGroup;
  return {
    hostPath,
    readOnly: isReadOnly,
    broughtBy: `kubernetes.io/${volume.spec.local ? 'local-volume' : 'host-path'}`,
    ...(isDevice && { isDevice }),
    ...(isMeasured && { isMeasured }),
  };
}

const groupAnnotation = 'pv.beta.kubernetes.io/gid';

/** The group that may use a volume by its annotation; what is no number names none. */
function groupNamedIn({ metadata }: PersistentVolume): number | undefined {
  const text = ownValue(metadata.annotations, groupAnnotation) ?? '';
  return /^[+-]?\d{1,15}$/.test(text) ? Number(text) : undefined;
}

async function find({ metadata, spec }: PersistentVolume) {
  const source = persistentSources.find(({ name }) => spec[name] !== undefined);
  if (!source) {
    const had = [...persistentSources.map(({ name }) => name), 'nfs', 'csi'].join(', ');
    throw new Error(
      `persistent volume "${metadata.name}" is of a kind that this kubelet does not support; it has ${had}`,
    );
  }
  if (spec.mountOptions?.length) throw new Error('Mount options are not supported for this volume type');
  return source.find(spec);
}

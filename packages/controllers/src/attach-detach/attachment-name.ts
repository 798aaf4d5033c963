import { createHash } from 'node:crypto';
import { ownValue, type PersistentVolume, type VolumeAttachment } from '@wherry/kubeapi/objects';

/** A volume on a node, as the controller's key. */
export const placeKey = (nodeName: string, volumeName: string) => `${nodeName}/${volumeName}`;

/** The name of the attachment that puts a CSI volume on a node: kubelets look for it by this. */
export function attachmentName({ spec }: PersistentVolume, nodeName: string): string {
  const { volumeHandle = '', driver = '' } = spec.csi ?? {};
  return `csi-${createHash('sha256').update(`${volumeHandle}${driver}${nodeName}`).digest('hex')}`;
}

/** Whether a controller of this kind made it: others' attachments are theirs to end. */
export const isOwn = ({ metadata }: VolumeAttachment) => /^csi-[0-9a-f]{64}$/.test(metadata.name ?? '');

/** The name of a volume in a node's status. */
export const uniqueName = ({ spec }: PersistentVolume) =>
  `kubernetes.io/csi/${spec.csi?.driver ?? ''}^${spec.csi?.volumeHandle ?? ''}`;

/** Nodes whose kubelet leaves attaching to a controller say so. */
export const isManaged = (annotations: Readonly<Record<string, string>> | undefined) =>
  ownValue(annotations ?? {}, 'volumes.kubernetes.io/controller-managed-attach-detach') === 'true';

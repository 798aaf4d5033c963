import type {
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  StorageClass,
  Volume,
} from '@wherry/kubeapi/objects';

/** Annotations by which binders, schedulers and provisioners talk (k8s.io/component-helpers/storage/volume). */
export const storageAnnotations = {
  bindCompleted: 'pv.kubernetes.io/bind-completed',
  boundByController: 'pv.kubernetes.io/bound-by-controller',
  provisionedBy: 'pv.kubernetes.io/provisioned-by',
  provisioner: 'volume.kubernetes.io/storage-provisioner',
  betaProvisioner: 'volume.beta.kubernetes.io/storage-provisioner',
  selectedNode: 'volume.kubernetes.io/selected-node',
  betaClass: 'volume.beta.kubernetes.io/storage-class',
  defaultClass: 'storageclass.kubernetes.io/is-default-class',
  betaDefaultClass: 'storageclass.beta.kubernetes.io/is-default-class',
} as const;

/** A volume of a pod that is a claim's. */
export interface PodClaim {
  volume: Volume;
  claimName: string;
  /** Made for the pod, by a controller, and gone with it. */
  isEphemeral: boolean;
}

/** The claims that a pod's volumes stand for. */
export function podClaims({ metadata, spec }: Pick<Pod, 'metadata' | 'spec'>): PodClaim[] {
  return (spec?.volumes ?? []).flatMap((volume): PodClaim[] => {
    const claimName = volume.persistentVolumeClaim?.claimName;
    if (claimName !== undefined) return [{ volume, claimName, isEphemeral: false }];
    if (!volume.ephemeral) return [];
    return [{ volume, claimName: `${metadata?.name ?? ''}-${volume.name}`, isEphemeral: true }];
  });
}

/** Why a claim is not that of the pod's ephemeral volume, although it has its name; undefined when it is. */
export function strangersClaim(pod: Pick<Pod, 'metadata'>, claim: PersistentVolumeClaim): string | undefined {
  const owner = claim.metadata.ownerReferences?.find(({ controller }) => controller);
  if (owner?.uid === pod.metadata?.uid) return undefined;
  const { namespace, name } = claim.metadata;
  const podName = `${pod.metadata?.namespace}/${pod.metadata?.name}`;
  return `PVC ${namespace}/${name} was not created for pod ${podName} (pod is not owner)`;
}

/** The class that a claim or a volume names; '' for none. */
export function storageClassOf({
  metadata,
  spec,
}: {
  metadata: PersistentVolumeClaim['metadata'];
  spec: { storageClassName?: string };
}): string {
  return metadata.annotations?.[storageAnnotations.betaClass] ?? spec.storageClassName ?? '';
}

/** Whether a claim names a class, be it none at all (''). */
export function namesStorageClass({ metadata, spec }: PersistentVolumeClaim): boolean {
  return (
    metadata.annotations?.[storageAnnotations.betaClass] !== undefined || spec.storageClassName !== undefined
  );
}

/** The class of claims that name none: the newest of those that say so, then the first by name. */
export function defaultStorageClass(classes: Iterable<StorageClass>): StorageClass | undefined {
  const { defaultClass, betaDefaultClass } = storageAnnotations;
  const born = ({ metadata }: StorageClass) => Date.parse(metadata.creationTimestamp ?? '') || 0;
  const nameOf = ({ metadata }: StorageClass) => metadata.name ?? '';
  return [...classes]
    .filter(({ metadata }) =>
      [defaultClass, betaDefaultClass].some((key) => metadata.annotations?.[key] === 'true'),
    )
    .sort((a, b) => born(b) - born(a) || (nameOf(a) < nameOf(b) ? -1 : 1))[0];
}

/** Whether both sides of the binding of a claim are written. */
export function isFullyBound({ metadata, spec }: PersistentVolumeClaim): boolean {
  return !!spec.volumeName && metadata.annotations?.[storageAnnotations.bindCompleted] !== undefined;
}

/** Whether a volume is the claim's, or kept for it: by name, and by uid once that is written. */
export function isVolumeOf({ spec }: PersistentVolume, { metadata }: PersistentVolumeClaim): boolean {
  const { claimRef } = spec;
  if (!claimRef || claimRef.name !== metadata.name || claimRef.namespace !== metadata.namespace) return false;
  return !claimRef.uid || claimRef.uid === metadata.uid;
}

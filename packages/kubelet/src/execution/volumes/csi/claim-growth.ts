import type { PersistentVolume, PersistentVolumeClaim, PersistentVolumeClaimStatus } from '@wherry/kubeapi';
import { amountOf } from '../../../pod/amount.ts';

/** What a node has to do for a claim whose volume has grown. */
export interface Growth {
  /** The volume's size, as its object says it. */
  size: string;
  bytes: number;
  /** The claim says so already: another node has done the same. */
  isTold: boolean;
  /** The claim says how far its resize is; those of older controllers do not. */
  isMarked: boolean;
}

const sharedByNodes = 'ReadWriteMany';
/** Says that the controller has done everything. */
const doneAnnotation = 'volume.kubernetes.io/node-expansion-not-required';
const forNodes: readonly (string | undefined)[] = ['NodeResizePending', 'NodeResizeInProgress'];
const resizeConditions: readonly string[] = [
  ...['Resizing', 'FileSystemResizePending'],
  ...['ControllerResizeError', 'NodeResizeError'],
];

/**
 * Whether it is this node's turn to make the file system of a claim's volume larger; `knownBytes` is the size that the node
 * has seen to. Upstream: pkg/volume/util/operationexecutor/node_expander.go, with what it does for older controllers.
 */
export function growthOf(
  { metadata, spec, status = {} }: PersistentVolumeClaim,
  volume: PersistentVolume,
  knownBytes: number,
): Growth | undefined {
  const size = volume.spec.capacity?.['storage'] ?? '0';
  const bytes = amountOf(size);
  if (bytes <= knownBytes) return undefined;
  const resize = status.allocatedResourceStatuses?.['storage'];
  const isTold = resize === undefined && claimedBytes(status) >= bytes;
  const isSharedByNodes = spec.accessModes?.includes(sharedByNodes) ?? false;
  const isWanted = isTold
    ? isSharedByNodes && metadata.annotations?.[doneAnnotation] === undefined
    : forNodes.includes(resize) || (resize === undefined && status.allocatedResources === undefined);
  return isWanted ? { size, bytes, isTold, isMarked: resize !== undefined } : undefined;
}

/** The size that a claim says it has. */
export function claimedBytes({ capacity }: PersistentVolumeClaimStatus): number {
  return amountOf(capacity?.['storage'] ?? '0');
}

/** Of a merge patch: what the claim says once its file system is as large as its volume. */
export function grownStatus({ status }: PersistentVolumeClaim, { size, isMarked }: Growth): object {
  return {
    capacity: { storage: size },
    ...(isMarked ? { allocatedResourceStatuses: { storage: null } } : {}),
    conditions: (status?.conditions ?? []).filter(({ type }) => !resizeConditions.includes(type)),
  };
}

/** Of a merge patch: the node is about to do it. */
export const growingStatus = { allocatedResourceStatuses: { storage: 'NodeResizeInProgress' } };

/** Of a merge patch: the node could not do it, and never will where that is infeasible. */
export function failedStatus(
  { status }: PersistentVolumeClaim,
  { isMarked }: Growth,
  failure: { message: string; isInfeasible: boolean; now: string },
): object {
  const type = 'NodeResizeError';
  const before = status?.conditions?.find((condition) => condition.type === type);
  const lastTransitionTime = before?.lastTransitionTime ?? failure.now;
  const message = `failed to expand pvc with ${failure.message}`;
  return {
    ...(isMarked && failure.isInfeasible
      ? { allocatedResourceStatuses: { storage: 'NodeResizeInfeasible' } }
      : {}),
    conditions: [
      ...(status?.conditions ?? []).filter((condition) => condition !== before),
      { type, status: 'True', lastTransitionTime, message },
    ],
  };
}

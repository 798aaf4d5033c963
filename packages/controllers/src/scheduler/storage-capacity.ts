import {
  type CSIDriver,
  type CSIStorageCapacity,
  matcherFrom,
  type Node,
  type PersistentVolumeClaim,
  parseQuantity,
  type StorageClass,
} from '@wherry/kubeapi/objects';
import { requestOf } from '../persistent-volume/match-volume.ts';

/** Drivers, and the space that they tell of. */
export interface CapacityView {
  drivers: ReadonlyMap<string, CSIDriver>;
  capacities: ReadonlyMap<string, CSIStorageCapacity>;
}

/**
 * Whether a volume for the claim can be made for the node: of a driver that tells how much space it has (`storageCapacity` of its
 * CSIDriver) there must be enough in one place that the node reaches. Others are not asked.
 */
export function hasCapacity(
  claim: PersistentVolumeClaim,
  { storageClass, node, view }: { storageClass: StorageClass; node: Node; view: CapacityView },
): boolean {
  if (view.drivers.get(storageClass.provisioner)?.spec.storageCapacity !== true) return true;
  const wanted = requestOf(claim).value();
  const labels = node.metadata.labels ?? {};
  for (const {
    storageClassName,
    nodeTopology,
    capacity,
    maximumVolumeSize = capacity,
  } of view.capacities.values()) {
    if (storageClassName !== storageClass.metadata.name || !nodeTopology || maximumVolumeSize === undefined)
      continue;
    if (parseQuantity(maximumVolumeSize).value() >= wanted && matcherFrom(nodeTopology).matches(labels))
      return true;
  }
  return false;
}

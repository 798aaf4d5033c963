import type {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  DeviceClass,
  Namespace,
  PersistentVolume,
  PersistentVolumeClaim,
  PodDisruptionBudget,
  ReplicaSet,
  ReplicationController,
  ResourceSlice,
  ResourceV1ResourceClaim,
  Service,
  StatefulSet,
  StorageClass,
  VolumeAttachment,
} from '@wherry/kubeapi/objects';

/** What scheduling looks up beside nodes and pods, by name or `namespace/name`. */
export interface KnownObjects {
  namespaces: ReadonlyMap<string, Namespace>;
  services: ReadonlyMap<string, Service>;
  replicationControllers: ReadonlyMap<string, ReplicationController>;
  replicaSets: ReadonlyMap<string, ReplicaSet>;
  statefulSets: ReadonlyMap<string, StatefulSet>;
  budgets: ReadonlyMap<string, PodDisruptionBudget>;
  claims: ReadonlyMap<string, PersistentVolumeClaim>;
  volumes: ReadonlyMap<string, PersistentVolume>;
  classes: ReadonlyMap<string, StorageClass>;
  drivers: ReadonlyMap<string, CSIDriver>;
  capacities: ReadonlyMap<string, CSIStorageCapacity>;
  csiNodes: ReadonlyMap<string, CSINode>;
  attachments: ReadonlyMap<string, VolumeAttachment>;
  deviceClaims: ReadonlyMap<string, ResourceV1ResourceClaim>;
  deviceClasses: ReadonlyMap<string, DeviceClass>;
  resourceSlices: ReadonlyMap<string, ResourceSlice>;
}

/** The scheduler's view of clusters that a test writes down. */
import type {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  DeviceClass,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodDisruptionBudget,
  ReplicaSet,
  ResourceSlice,
  ResourceV1ResourceClaim,
  Service,
  StorageClass,
} from '@wherry/kubeapi';
import { ClusterState } from '../src/scheduler/cluster/cluster-state.ts';
import { podInfo } from '../src/scheduler/cluster/pod-info.ts';

/** A cluster as objects. */
export interface WrittenCluster {
  nodes: readonly Node[];
  /** Pods with a node. */
  pods?: readonly Pod[];
  /** Pods with a node that they wait for. */
  nominated?: readonly Pod[];
  namespaces?: readonly Namespace[];
  services?: readonly Service[];
  replicaSets?: readonly ReplicaSet[];
  budgets?: readonly PodDisruptionBudget[];
  claims?: readonly PersistentVolumeClaim[];
  volumes?: readonly PersistentVolume[];
  classes?: readonly StorageClass[];
  drivers?: readonly CSIDriver[];
  capacities?: readonly CSIStorageCapacity[];
  csiNodes?: readonly CSINode[];
  deviceClaims?: readonly ResourceV1ResourceClaim[];
  deviceClasses?: readonly DeviceClass[];
  resourceSlices?: readonly ResourceSlice[];
}

interface Named {
  metadata: { name?: string; namespace?: string };
}

function byKey<T extends Named>(objects: readonly T[] = []): Map<string, T> {
  const key = ({ metadata }: T) =>
    metadata.namespace === undefined ? (metadata.name ?? '') : `${metadata.namespace}/${metadata.name}`;
  return new Map(objects.map((object) => [key(object), object]));
}

/** The state of that cluster. */
export function clusterOf(written: WrittenCluster): ClusterState {
  const cluster = new ClusterState({
    ...{ namespaces: byKey(written.namespaces), services: byKey(written.services) },
    ...{ replicationControllers: new Map(), replicaSets: byKey(written.replicaSets) },
    ...{ statefulSets: new Map(), budgets: byKey(written.budgets), claims: byKey(written.claims) },
    ...{
      volumes: byKey(written.volumes),
      classes: byKey(written.classes),
      csiNodes: byKey(written.csiNodes),
    },
    ...{ drivers: byKey(written.drivers), capacities: byKey(written.capacities) },
    attachments: new Map(),
    ...{ deviceClaims: byKey(written.deviceClaims), deviceClasses: byKey(written.deviceClasses) },
    resourceSlices: byKey(written.resourceSlices),
  });
  for (const node of written.nodes) cluster.setNode(node);
  for (const pod of written.pods ?? []) cluster.place(podInfo(pod), pod.spec!.nodeName!);
  for (const pod of written.nominated ?? []) cluster.nominate(podInfo(pod), pod.status!.nominatedNodeName!);
  return cluster;
}

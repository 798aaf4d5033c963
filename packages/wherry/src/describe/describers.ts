import type { KubeObject } from '@wherry/client';
import { describeCertificateRequest } from './access/certificate-request.ts';
import { describeBinding, describeRole } from './access/roles.ts';
import { describeSecret } from './access/secret.ts';
import { describeServiceAccount } from './access/service-account.ts';
import { describeConfigMap } from './cluster/config-map.ts';
import { describeLimitRange, describeQuota } from './cluster/limits.ts';
import { describeNamespace } from './cluster/namespace.ts';
import { describeNode } from './cluster/node.ts';
import { describePriorityClass } from './cluster/priority-class.ts';
import { describeEndpointSlice, describeEndpoints } from './network/endpoints.ts';
import { describeIngress } from './network/ingress.ts';
import { describeNetworkPolicy } from './network/network-policy.ts';
import { describeAddress, describeIngressClass, describeServiceRange } from './network/ranges.ts';
import { describeService } from './network/service.ts';
import { describePod } from './pods/pod.ts';
import { describeCsiNode } from './storage/csi-node.ts';
import { describePersistentVolume } from './storage/persistent-volume.ts';
import { describePersistentVolumeClaim } from './storage/persistent-volume-claim.ts';
import { describeStorageClass, describeVolumeAttributesClass } from './storage/storage-class.ts';
import type { Surroundings } from './surroundings.ts';
import type { Lines } from './text/lines.ts';
import { describeAutoscaler } from './workloads/autoscaler.ts';
import { describeDeployment } from './workloads/deployment.ts';
import { describeDisruptionBudget } from './workloads/disruption-budget.ts';
import { describeCronJob, describeJob } from './workloads/job.ts';
import { describeDaemonSet, describeReplicaSet, describeReplicationController } from './workloads/sets.ts';
import { describeStatefulSet } from './workloads/stateful-set.ts';

/** What tells of an object, asking the server for what stands around it. Throws what the server answers where that fails. */
export type Describer<T extends KubeObject> = (
  object: T,
  surroundings: Surroundings,
) => Lines | Promise<Lines>;

/** Each kind that has a summary of its own, by its name and group. */
export const describers: ReadonlyMap<string, Describer<never>> = new Map<string, Describer<never>>([
  ['CertificateSigningRequest.certificates.k8s.io', describeCertificateRequest],
  ['ClusterRole.rbac.authorization.k8s.io', describeRole],
  ['ClusterRoleBinding.rbac.authorization.k8s.io', describeBinding],
  ['ConfigMap', describeConfigMap],
  ['CronJob.batch', describeCronJob],
  ['CSINode.storage.k8s.io', describeCsiNode],
  ['DaemonSet.apps', describeDaemonSet],
  ['Deployment.apps', describeDeployment],
  ['EndpointSlice.discovery.k8s.io', describeEndpointSlice],
  ['Endpoints', describeEndpoints],
  ['HorizontalPodAutoscaler.autoscaling', describeAutoscaler],
  ['IPAddress.networking.k8s.io', describeAddress],
  ['Ingress.networking.k8s.io', describeIngress],
  ['IngressClass.networking.k8s.io', describeIngressClass],
  ['Job.batch', describeJob],
  ['LimitRange', describeLimitRange],
  ['Namespace', describeNamespace],
  ['NetworkPolicy.networking.k8s.io', describeNetworkPolicy],
  ['Node', describeNode],
  ['PersistentVolume', describePersistentVolume],
  ['PersistentVolumeClaim', describePersistentVolumeClaim],
  ['Pod', describePod],
  ['PodDisruptionBudget.policy', describeDisruptionBudget],
  ['PriorityClass.scheduling.k8s.io', describePriorityClass],
  ['ReplicaSet.apps', describeReplicaSet],
  ['ReplicationController', describeReplicationController],
  ['ResourceQuota', describeQuota],
  ['Role.rbac.authorization.k8s.io', describeRole],
  ['RoleBinding.rbac.authorization.k8s.io', describeBinding],
  ['Secret', describeSecret],
  ['Service', describeService],
  ['ServiceAccount', describeServiceAccount],
  ['ServiceCIDR.networking.k8s.io', describeServiceRange],
  ['StatefulSet.apps', describeStatefulSet],
  ['StorageClass.storage.k8s.io', describeStorageClass],
  ['VolumeAttributesClass.storage.k8s.io', describeVolumeAttributesClass],
]);

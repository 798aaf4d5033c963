/** All kinds of which more is known than the generated facts: one line each. */
import type { GroupVersionKind } from '../generated/types.ts';
import { mutatingAdmissionPolicy } from './admissionregistration/mutating-admission-policy.ts';
import { mutatingAdmissionPolicyBinding } from './admissionregistration/mutating-admission-policy-binding.ts';
import { mutatingWebhookConfiguration } from './admissionregistration/mutating-webhook-configuration.ts';
import { validatingAdmissionPolicy } from './admissionregistration/validating-admission-policy.ts';
import { validatingAdmissionPolicyBinding } from './admissionregistration/validating-admission-policy-binding.ts';
import { validatingWebhookConfiguration } from './admissionregistration/validating-webhook-configuration.ts';
import { customResourceDefinition } from './apiextensions/custom-resource-definition.ts';
import { apiService } from './apiregistration/api-service.ts';
import { controllerRevision } from './apps/controller-revision.ts';
import { daemonSet } from './apps/daemon-set.ts';
import { deployment } from './apps/deployment.ts';
import { replicaSet } from './apps/replica-set.ts';
import { statefulSet } from './apps/stateful-set.ts';
import { tokenRequest } from './authentication/token-request.ts';
import { horizontalPodAutoscaler } from './autoscaling/horizontal-pod-autoscaler.ts';
import { scale } from './autoscaling/scale.ts';
import { cronJob } from './batch/cron-job.ts';
import { job } from './batch/job.ts';
import { certificateSigningRequest } from './certificates/certificate-signing-request.ts';
import { lease } from './coordination/lease.ts';
import { binding } from './core/binding.ts';
import { componentStatus } from './core/component-status.ts';
import { configMap } from './core/config-map.ts';
import { endpoints } from './core/endpoints.ts';
import { event } from './core/event/event.ts';
import { limitRange } from './core/limit-range.ts';
import { namespace } from './core/namespace.ts';
import { node } from './core/node.ts';
import { persistentVolume } from './core/persistent-volume/persistent-volume.ts';
import { persistentVolumeClaim } from './core/persistent-volume/persistent-volume-claim.ts';
import { pod } from './core/pod/pod.ts';
import { podTemplate } from './core/pod-template.ts';
import { replicationController } from './core/replication-controller.ts';
import { resourceQuota } from './core/resource-quota.ts';
import { secret } from './core/secret.ts';
import { service } from './core/service/service.ts';
import { serviceAccount } from './core/service-account.ts';
import type { KindDefinition } from './definition.ts';
import { endpointSlice } from './discovery/endpoint-slice.ts';
import { newEvent } from './events/event.ts';
import { flowSchema } from './flowcontrol/flow-schema.ts';
import { priorityLevelConfiguration } from './flowcontrol/priority-level-configuration.ts';
import { nodeMetrics, podMetrics } from './metrics/metrics.ts';
import { ingress } from './networking/ingress.ts';
import { ingressClass } from './networking/ingress-class.ts';
import { ipAddress } from './networking/ip-address.ts';
import { networkPolicy } from './networking/network-policy.ts';
import { serviceCidr } from './networking/service-cidr.ts';
import { runtimeClass } from './node/runtime-class.ts';
import { podDisruptionBudget } from './policy/pod-disruption-budget.ts';
import { clusterRole } from './rbac/cluster-role.ts';
import { clusterRoleBinding } from './rbac/cluster-role-binding.ts';
import { role } from './rbac/role.ts';
import { roleBinding } from './rbac/role-binding.ts';
import { deviceClass } from './resource/device-class.ts';
import { resourceClaim } from './resource/resource-claim.ts';
import { resourceClaimTemplate } from './resource/resource-claim-template.ts';
import { resourceSlice } from './resource/resource-slice.ts';
import { priorityClass } from './scheduling/priority-class.ts';
import { csiDriver } from './storage/csi-driver.ts';
import { csiNode } from './storage/csi-node.ts';
import { csiStorageCapacity } from './storage/csi-storage-capacity.ts';
import { storageClass } from './storage/storage-class.ts';
import { volumeAttachment } from './storage/volume-attachment.ts';
import { volumeAttributesClass } from './storage/volume-attributes-class.ts';

/** Every definition, by group. */
export const kindDefinitions: readonly KindDefinition[] = [
  // core
  binding,
  componentStatus,
  configMap,
  endpoints,
  event,
  limitRange,
  namespace,
  node,
  persistentVolumeClaim,
  persistentVolume,
  podTemplate,
  pod,
  replicationController,
  resourceQuota,
  secret,
  serviceAccount,
  service,
  // apiextensions
  customResourceDefinition,
  // apiregistration
  apiService,
  // apps
  controllerRevision,
  daemonSet,
  deployment,
  replicaSet,
  statefulSet,
  // batch
  cronJob,
  job,
  // autoscaling
  horizontalPodAutoscaler,
  scale,
  // policy
  podDisruptionBudget,
  // events
  newEvent,
  // discovery
  endpointSlice,
  // coordination
  lease,
  // rbac
  clusterRoleBinding,
  clusterRole,
  roleBinding,
  role,
  // certificates
  certificateSigningRequest,
  // authentication
  tokenRequest,
  // networking
  ingressClass,
  ingress,
  ipAddress,
  networkPolicy,
  serviceCidr,
  // node
  runtimeClass,
  // resource
  deviceClass,
  resourceClaim,
  resourceClaimTemplate,
  resourceSlice,
  // scheduling
  priorityClass,
  // storage
  csiDriver,
  csiNode,
  csiStorageCapacity,
  storageClass,
  volumeAttachment,
  volumeAttributesClass,
  // admissionregistration
  mutatingAdmissionPolicyBinding,
  mutatingAdmissionPolicy,
  mutatingWebhookConfiguration,
  validatingAdmissionPolicy,
  validatingAdmissionPolicyBinding,
  validatingWebhookConfiguration,
  // metrics
  nodeMetrics,
  podMetrics,
  // flowcontrol
  flowSchema,
  priorityLevelConfiguration,
];

const byKind = new Map(kindDefinitions.map((entry) => [`${entry.group}/${entry.kind}`, entry]));

/** What is known of a kind, whatever its version; undefined where the generated facts are all. */
export function kindDefinition({
  group,
  kind,
}: Pick<GroupVersionKind, 'group' | 'kind'>): KindDefinition | undefined {
  return byKind.get(`${group}/${kind}`);
}

/** One facet of all messages, by message. */
export function messageFacet<Key extends 'defaults' | 'computedDefaults' | 'descriptions'>(
  facet: Key,
): NonNullable<KindDefinition[Key]> {
  return Object.assign({}, ...kindDefinitions.map((definition) => definition[facet]));
}

import type { GroupVersionKind } from '@wherry/kubeapi';
import {
  mutatingAdmissionPolicy,
  mutatingAdmissionPolicyBinding,
  validatingAdmissionPolicy,
  validatingAdmissionPolicyBinding,
} from './admissionregistration/policies.ts';
import {
  mutatingWebhookConfiguration,
  validatingWebhookConfiguration,
} from './admissionregistration/webhook-configurations.ts';
import { customResourceDefinition } from './apiextensions/custom-resource-definition.ts';
import { apiService } from './apiregistration/api-service.ts';
import { daemonSet } from './apps/daemon-set.ts';
import { deployment } from './apps/deployment.ts';
import { replicaSet } from './apps/replica-set.ts';
import { statefulSet } from './apps/stateful-set.ts';
import { selfSubjectReview } from './authentication/self-subject-review.ts';
import { tokenReview } from './authentication/token-review.ts';
import { localSubjectAccessReview } from './authorization/local-subject-access-review.ts';
import { selfSubjectAccessReview } from './authorization/self-subject-access-review.ts';
import { selfSubjectRulesReview } from './authorization/self-subject-rules-review.ts';
import { subjectAccessReview } from './authorization/subject-access-review.ts';
import { horizontalPodAutoscaler } from './autoscaling/horizontal-pod-autoscaler.ts';
import { cronJob } from './batch/cron-job.ts';
import { job } from './batch/job.ts';
import { certificateSigningRequest } from './certificates/certificate-signing-request.ts';
import { lease } from './coordination/lease.ts';
import { binding } from './core/binding.ts';
import { componentStatus } from './core/component-status.ts';
import { endpoints } from './core/endpoints.ts';
import { event } from './core/event.ts';
import { limitRange } from './core/limit-range.ts';
import { namespace } from './core/namespace.ts';
import { node } from './core/node.ts';
import { persistentVolume } from './core/persistent-volume.ts';
import { persistentVolumeClaim } from './core/persistent-volume-claim.ts';
import { pod } from './core/pod/pod.ts';
import { podTemplate } from './core/pod-template.ts';
import { replicationController } from './core/replication-controller.ts';
import { resourceQuota } from './core/resource-quota.ts';
import { secret } from './core/secret/secret.ts';
import { service } from './core/service.ts';
import { serviceAccount } from './core/service-account.ts';
import type { ServedKind } from './definition.ts';
import { endpointSlice } from './discovery/endpoint-slice.ts';
import { newEvent } from './events/event.ts';
import { flowSchema, priorityLevelConfiguration } from './flowcontrol/flow-control.ts';
import { nodeMetrics } from './metrics/node-metrics.ts';
import { podMetrics } from './metrics/pod-metrics.ts';
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

/** Every definition, by group: one line each. */
export const servedKinds: readonly ServedKind[] = [
  // core
  binding,
  componentStatus,
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
  // admissionregistration
  mutatingAdmissionPolicyBinding,
  mutatingAdmissionPolicy,
  mutatingWebhookConfiguration,
  validatingAdmissionPolicyBinding,
  validatingAdmissionPolicy,
  validatingWebhookConfiguration,
  // apiextensions
  customResourceDefinition,
  // apiregistration
  apiService,
  // apps
  daemonSet,
  deployment,
  replicaSet,
  statefulSet,
  // authentication
  selfSubjectReview,
  tokenReview,
  // authorization
  localSubjectAccessReview,
  selfSubjectAccessReview,
  selfSubjectRulesReview,
  subjectAccessReview,
  // autoscaling
  horizontalPodAutoscaler,
  // batch
  cronJob,
  job,
  // certificates
  certificateSigningRequest,
  // coordination
  lease,
  // discovery
  endpointSlice,
  // events
  newEvent,
  // flowcontrol
  flowSchema,
  priorityLevelConfiguration,
  // metrics
  nodeMetrics,
  podMetrics,
  // networking
  ingressClass,
  ingress,
  ipAddress,
  networkPolicy,
  serviceCidr,
  // node
  runtimeClass,
  // policy
  podDisruptionBudget,
  // rbac
  clusterRoleBinding,
  clusterRole,
  roleBinding,
  role,
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
];

const byKind = new Map(servedKinds.map((entry) => [`${entry.group}/${entry.kind}`, entry]));

/** What this server does with a kind; where nothing is said it is a plain stored object. */
export function servedKind({ group, kind }: Pick<GroupVersionKind, 'group' | 'kind'>): ServedKind {
  return byKind.get(`${group}/${kind}`) ?? { group, kind };
}

import type { GroupVersionKind } from '@wherry/kubeapi';
import { deployment } from './apps/deployment.ts';
import { replicaSet } from './apps/replica-set.ts';
import { statefulSet } from './apps/stateful-set.ts';
import { selfSubjectReview } from './authentication/self-subject-review.ts';
import { tokenReview } from './authentication/token-review.ts';
import { localSubjectAccessReview } from './authorization/local-subject-access-review.ts';
import { selfSubjectAccessReview } from './authorization/self-subject-access-review.ts';
import { selfSubjectRulesReview } from './authorization/self-subject-rules-review.ts';
import { subjectAccessReview } from './authorization/subject-access-review.ts';
import { job } from './batch/job.ts';
import { certificateSigningRequest } from './certificates/certificate-signing-request.ts';
import { lease } from './coordination/lease.ts';
import { binding } from './core/binding.ts';
import { configMap } from './core/config-map.ts';
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
import { secret } from './core/secret.ts';
import { service } from './core/service.ts';
import { serviceAccount } from './core/service-account.ts';
import type { ServedKind } from './definition.ts';
import { endpointSlice } from './discovery/endpoint-slice.ts';
import { newEvent } from './events/event.ts';
import { runtimeClass } from './node/runtime-class.ts';
import { clusterRole } from './rbac/cluster-role.ts';
import { clusterRoleBinding } from './rbac/cluster-role-binding.ts';
import { role } from './rbac/role.ts';
import { roleBinding } from './rbac/role-binding.ts';
import { priorityClass } from './scheduling/priority-class.ts';
import { csiDriver } from './storage/csi-driver.ts';
import { csiNode } from './storage/csi-node.ts';

/** Every definition, by group: one line each. */
export const servedKinds: readonly ServedKind[] = [
  // core
  binding,
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
  // apps
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
  // batch
  job,
  // certificates
  certificateSigningRequest,
  // coordination
  lease,
  // discovery
  endpointSlice,
  // events
  newEvent,
  // node
  runtimeClass,
  // rbac
  clusterRoleBinding,
  clusterRole,
  roleBinding,
  role,
  // scheduling
  priorityClass,
  // storage
  csiDriver,
  csiNode,
];

const byKind = new Map(servedKinds.map((entry) => [`${entry.group}/${entry.kind}`, entry]));

/** What this server does with a kind; where nothing is said it is a plain stored object, served on demand. */
export function servedKind({ group, kind }: Pick<GroupVersionKind, 'group' | 'kind'>): ServedKind {
  return byKind.get(`${group}/${kind}`) ?? { group, kind };
}

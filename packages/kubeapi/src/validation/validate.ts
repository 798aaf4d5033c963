/** The one door to validation: which checks each kind goes through on creation and on change. */

import type { FieldError } from '../field-error.ts';
import type { GroupVersionKind, ObjectMeta } from '../generated/types.ts';
import { ownValue } from '../json-value.ts';
import { findResourceOfKind } from '../resources.ts';
import * as core from './core.ts';
import * as requests from './kinds/certificate-request.ts';
import * as classes from './kinds/classes.ts';
import * as endpoints from './kinds/endpoints.ts';
import * as events from './kinds/events.ts';
import { validateLease } from './kinds/lease.ts';
import * as rbac from './kinds/rbac.ts';
import * as storage from './kinds/storage.ts';
import { validateMetadata, validateMetadataUpdate } from './metadata.ts';
import { nameFormat } from './names.ts';
import { validatePodCreate } from './pod.ts';
import { validatePodUpdate } from './pod-update.ts';
import { validateService, validateServiceUpdate } from './service.ts';
import * as workloads from './workloads.ts';

interface KindRules {
  create(object: never): FieldError[];
  /** Where it is absent, a change goes through the checks of creation. */
  update?(next: never, previous: never): FieldError[];
}

const replicated: KindRules = {
  create: workloads.validateReplicated,
  update: workloads.validateReplicatedUpdate,
};

const rules: Readonly<Record<string, KindRules>> = {
  '/Pod': { create: validatePodCreate, update: validatePodUpdate },
  '/Node': { create: core.validateNode, update: core.validateNodeUpdate },
  '/Namespace': { create: core.validateNamespace },
  '/ConfigMap': { create: core.validateConfigMap, update: core.validateConfigMapUpdate },
  '/Secret': { create: core.validateSecret, update: core.validateSecretUpdate },
  '/Service': { create: validateService, update: validateServiceUpdate },
  '/Binding': { create: core.validateBinding },
  '/Endpoints': { create: endpoints.validateEndpoints, update: endpoints.validateEndpointsUpdate },
  '/Event': { create: events.validateEvent },
  'events.k8s.io/Event': { create: events.validateNewEvent },
  'discovery.k8s.io/EndpointSlice': {
    create: endpoints.validateEndpointSlice,
    update: endpoints.validateEndpointSliceUpdate,
  },
  'coordination.k8s.io/Lease': { create: validateLease },
  'scheduling.k8s.io/PriorityClass': {
    create: classes.validatePriorityClass,
    update: classes.validatePriorityClassUpdate,
  },
  'node.k8s.io/RuntimeClass': {
    create: classes.validateRuntimeClass,
    update: classes.validateRuntimeClassUpdate,
  },
  'storage.k8s.io/CSIDriver': {
    create: storage.validateCsiDriver,
    update: storage.validateCsiDriverUpdate,
  },
  'storage.k8s.io/CSINode': { create: storage.validateCsiNode, update: storage.validateCsiNodeUpdate },
  'certificates.k8s.io/CertificateSigningRequest': {
    create: requests.validateCertificateRequest,
    update: requests.validateCertificateRequestUpdate,
  },
  'rbac.authorization.k8s.io/Role': { create: rbac.validateRole },
  'rbac.authorization.k8s.io/ClusterRole': { create: rbac.validateClusterRole },
  'rbac.authorization.k8s.io/RoleBinding': {
    create: rbac.validateRoleBinding,
    update: rbac.validateRoleBindingUpdate,
  },
  'rbac.authorization.k8s.io/ClusterRoleBinding': {
    create: rbac.validateClusterRoleBinding,
    update: rbac.validateClusterRoleBindingUpdate,
  },
  'apps/Deployment': replicated,
  'apps/ReplicaSet': replicated,
  'apps/StatefulSet': replicated,
  'apps/DaemonSet': replicated,
  'batch/Job': { create: workloads.validateJob },
  'batch/CronJob': { create: workloads.validateCronJob },
};

interface WithMetadata {
  metadata?: ObjectMeta;
}

/** Violations in an object that is to be created; it must be in the schema's form, with defaults filled in. */
export function validateCreate(gvk: GroupVersionKind, object: object): FieldError[] {
  const { metadata = {} } = object as WithMetadata;
  const resource = findResourceOfKind(gvk);
  // Reviews and bodies of sub-resources are never stored: they need no name.
  const isStored = resource?.verbs.includes('get') ?? false;
  const rules = { namespaced: resource?.namespaced ?? false, name: nameFormat(gvk.group, gvk.kind) };
  return [
    ...(isStored ? validateMetadata(metadata, rules) : []),
    ...(rulesOf(gvk)?.create(object as never) ?? []),
  ];
}

/** Violations in a change from `previous` to `next`, both in the schema's form. */
export function validateUpdate(gvk: GroupVersionKind, next: object, previous: object): FieldError[] {
  const { metadata = {} } = next as WithMetadata;
  const { metadata: before = {} } = previous as WithMetadata;
  const kindRules = rulesOf(gvk);
  const own = kindRules?.update?.(next as never, previous as never) ?? kindRules?.create(next as never) ?? [];
  return [...validateMetadataUpdate(metadata, before), ...own];
}

/** True for kinds that have rules of their own, beyond those of metadata. */
export function hasOwnRules(gvk: GroupVersionKind): boolean {
  return rulesOf(gvk) !== undefined;
}

const rulesOf = ({ group, kind }: GroupVersionKind) => ownValue(rules, `${group}/${kind}`);

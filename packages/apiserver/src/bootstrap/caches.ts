import type {
  APIService,
  ClusterRole,
  ClusterRoleBinding,
  CSIDriver,
  DeviceClass,
  FlowSchema,
  IngressClass,
  IPAddress,
  LimitRange,
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingWebhookConfiguration,
  PriorityLevelConfiguration,
  RangeAllocation,
  ResourceQuota,
  ResourceV1ResourceClaim,
  Role,
  RoleBinding,
  RuntimeClass,
  ServiceCIDR,
  StorageClass,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from '@wherry/kubeapi';
import type { PluginCaches } from '../admission/plugin-parts.ts';
import { NodeGraph } from '../authorization/node-graph.ts';
import { ObjectCache } from '../objects/object-cache.ts';
import type { ServedResource } from '../objects/strategy.ts';
import type { Store } from '../store/store.ts';

/** What the server itself has to know on every request. */
export interface Caches extends PluginCaches {
  roles: ObjectCache<Role>;
  roleBindings: ObjectCache<RoleBinding>;
  clusterRoles: ObjectCache<ClusterRole>;
  clusterRoleBindings: ObjectCache<ClusterRoleBinding>;
  nodeGraph: NodeGraph;
  apiServices: ObjectCache<APIService>;
  flowSchemas: ObjectCache<FlowSchema>;
  priorityLevels: ObjectCache<PriorityLevelConfiguration>;
}

const rbac = 'rbac.authorization.k8s.io/v1';
/** Empty where the kind is not served. */
const csiDriverKind = { group: 'storage.k8s.io', version: 'v1', kind: 'CSIDriver' };
const storageClassKind = { group: 'storage.k8s.io', version: 'v1', kind: 'StorageClass' };
const runtimeClassKind = { group: 'node.k8s.io', version: 'v1', kind: 'RuntimeClass' };
const limitRangeKind = { group: '', version: 'v1', kind: 'LimitRange' };
const resourceQuotaKind = { group: '', version: 'v1', kind: 'ResourceQuota' };
const serviceCidrKind = { group: 'networking.k8s.io', version: 'v1', kind: 'ServiceCIDR' };
const ipAddressKind = { group: 'networking.k8s.io', version: 'v1', kind: 'IPAddress' };
const admission = { group: 'admissionregistration.k8s.io', version: 'v1' };
const flowControl = { group: 'flowcontrol.apiserver.k8s.io', version: 'v1' };
const ingressClassKind = { group: 'networking.k8s.io', version: 'v1', kind: 'IngressClass' };

/** Empty caches; {@link startCaches} fills them. `resource` finds a served resource by `group/version/plural`. */
export function createCaches(resource: (path: string) => ServedResource): Caches {
  const cacheOf = <T>(path: string): ObjectCache<T> => {
    const { keyPrefix, facts } = resource(path);
    return new ObjectCache<T>({ prefix: keyPrefix, gvk: facts });
  };
  return {
    namespaces: cacheOf('/v1/namespaces'),
    nodes: cacheOf('/v1/nodes'),
    services: cacheOf('/v1/services'),
    serviceAccounts: cacheOf('/v1/serviceaccounts'),
    priorityClasses: cacheOf('scheduling.k8s.io/v1/priorityclasses'),
    roles: cacheOf(`${rbac}/roles`),
    roleBindings: cacheOf(`${rbac}/rolebindings`),
    clusterRoles: cacheOf(`${rbac}/clusterroles`),
    clusterRoleBindings: cacheOf(`${rbac}/clusterrolebindings`),
    csiDrivers: new ObjectCache<CSIDriver>({ prefix: '/storage.k8s.io/csidrivers/', gvk: csiDriverKind }),
    runtimeClasses: new ObjectCache<RuntimeClass>({
      ...{ prefix: '/node.k8s.io/runtimeclasses/', gvk: runtimeClassKind },
    }),
    limitRanges: new ObjectCache<LimitRange>({ prefix: '/limitranges/', gvk: limitRangeKind }),
    resourceQuotas: new ObjectCache<ResourceQuota>({ prefix: '/resourcequotas/', gvk: resourceQuotaKind }),
    ingressClasses: new ObjectCache<IngressClass>({
      ...{ prefix: '/networking.k8s.io/ingressclasses/', gvk: ingressClassKind },
    }),
    storageClasses: new ObjectCache<StorageClass>({
      ...{ prefix: '/storage.k8s.io/storageclasses/', gvk: storageClassKind },
    }),
    deviceClasses: new ObjectCache<DeviceClass>({
      prefix: '/resource.k8s.io/deviceclasses/',
      gvk: { group: 'resource.k8s.io', version: 'v1', kind: 'DeviceClass' },
    }),
    deviceClaims: new ObjectCache<ResourceV1ResourceClaim>({
      prefix: '/resource.k8s.io/resourceclaims/',
      gvk: { group: 'resource.k8s.io', version: 'v1', kind: 'ResourceClaim' },
    }),
    serviceCidrs: new ObjectCache<ServiceCIDR>({
      ...{ prefix: '/networking.k8s.io/servicecidrs/', gvk: serviceCidrKind },
    }),
    ipAddresses: new ObjectCache<IPAddress>({
      ...{ prefix: '/networking.k8s.io/ipaddresses/', gvk: ipAddressKind },
    }),
    mutatingWebhooks: new ObjectCache<MutatingWebhookConfiguration>({
      prefix: `/${admission.group}/mutatingwebhookconfigurations/`,
      gvk: { ...admission, kind: 'MutatingWebhookConfiguration' },
    }),
    validatingWebhooks: new ObjectCache<ValidatingWebhookConfiguration>({
      prefix: `/${admission.group}/validatingwebhookconfigurations/`,
      gvk: { ...admission, kind: 'ValidatingWebhookConfiguration' },
    }),
    mutatingPolicies: new ObjectCache<MutatingAdmissionPolicy>({
      prefix: `/${admission.group}/mutatingadmissionpolicies/`,
      gvk: { ...admission, kind: 'MutatingAdmissionPolicy' },
    }),
    mutatingPolicyBindings: new ObjectCache<MutatingAdmissionPolicyBinding>({
      prefix: `/${admission.group}/mutatingadmissionpolicybindings/`,
      gvk: { ...admission, kind: 'MutatingAdmissionPolicyBinding' },
    }),
    policies: new ObjectCache<ValidatingAdmissionPolicy>({
      prefix: `/${admission.group}/validatingadmissionpolicies/`,
      gvk: { ...admission, kind: 'ValidatingAdmissionPolicy' },
    }),
    policyBindings: new ObjectCache<ValidatingAdmissionPolicyBinding>({
      prefix: `/${admission.group}/validatingadmissionpolicybindings/`,
      gvk: { ...admission, kind: 'ValidatingAdmissionPolicyBinding' },
    }),
    allocatedRanges: new ObjectCache<RangeAllocation>({
      ...{ prefix: '/ranges/', gvk: { group: '', version: 'v1', kind: 'RangeAllocation' } },
    }),
    nodeGraph: new NodeGraph(),
    apiServices: new ObjectCache<APIService>({
      prefix: '/apiregistration.k8s.io/apiservices/',
      gvk: { group: 'apiregistration.k8s.io', version: 'v1', kind: 'APIService' },
    }),
    flowSchemas: new ObjectCache<FlowSchema>({
      prefix: `/${flowControl.group}/flowschemas/`,
      gvk: { ...flowControl, kind: 'FlowSchema' },
    }),
    priorityLevels: new ObjectCache<PriorityLevelConfiguration>({
      prefix: `/${flowControl.group}/prioritylevelconfigurations/`,
      gvk: { ...flowControl, kind: 'PriorityLevelConfiguration' },
    }),
  };
}

/** Loads all caches and lets them follow the store. */
export async function startCaches(caches: Caches, store: Store): Promise<void> {
  for (const cache of Object.values(caches) as { start(store: Store): Promise<void> }[])
    await cache.start(store);
}

import type { Clock } from '@wherry/clock';
import type {
  CSIDriver,
  DeviceClass,
  IngressClass,
  IPAddress,
  LimitRange,
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingWebhookConfiguration,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  PriorityClass,
  RangeAllocation,
  ResourceQuota,
  ResourceV1ResourceClaim,
  RuntimeClass,
  Service,
  ServiceAccount,
  ServiceCIDR,
  StorageClass,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from '@wherry/kubeapi';
import type { Logger, MetricsRegistry } from '@wherry/telemetry';
import type { Authorizer } from '../authorization/authorizer.ts';
import type { RbacAuthorizer } from '../authorization/rbac.ts';
import type { ObjectCache } from '../objects/object-cache.ts';
import type { ServedResource } from '../objects/strategy.ts';
import type { Store } from '../store/store.ts';
import type { WebhookClient } from '../webhooks/webhook-client.ts';
import type { AdmissionPlugin } from './admission.ts';
import type { AdmissionFigures } from './figures/admission-figures.ts';
import type { ParamCaches } from './param-caches.ts';
import type { PortRange } from './port-range.ts';
import type { StoredObjects } from './stored-objects.ts';
import type { StoredPods } from './stored-pods.ts';

/** Objects that plug-ins look up; a cache is empty where its kind is not served. */
export interface PluginCaches {
  namespaces: ObjectCache<Namespace>;
  nodes: ObjectCache<Node>;
  services: ObjectCache<Service>;
  serviceAccounts: ObjectCache<ServiceAccount>;
  priorityClasses: ObjectCache<PriorityClass>;
  csiDrivers: ObjectCache<CSIDriver>;
  runtimeClasses: ObjectCache<RuntimeClass>;
  limitRanges: ObjectCache<LimitRange>;
  resourceQuotas: ObjectCache<ResourceQuota>;
  ingressClasses: ObjectCache<IngressClass>;
  storageClasses: ObjectCache<StorageClass>;
  deviceClasses: ObjectCache<DeviceClass>;
  deviceClaims: ObjectCache<ResourceV1ResourceClaim>;
  serviceCidrs: ObjectCache<ServiceCIDR>;
  ipAddresses: ObjectCache<IPAddress>;
  /** What servers that share a store have given out. */
  allocatedRanges: ObjectCache<RangeAllocation>;
  mutatingWebhooks: ObjectCache<MutatingWebhookConfiguration>;
  validatingWebhooks: ObjectCache<ValidatingWebhookConfiguration>;
  mutatingPolicies: ObjectCache<MutatingAdmissionPolicy>;
  mutatingPolicyBindings: ObjectCache<MutatingAdmissionPolicyBinding>;
  policies: ObjectCache<ValidatingAdmissionPolicy>;
  policyBindings: ObjectCache<ValidatingAdmissionPolicyBinding>;
}

/** What plug-ins are made from. */
export interface PluginParts {
  caches: PluginCaches;
  pods: StoredPods;
  claims: StoredObjects<PersistentVolumeClaim>;
  volumes: StoredObjects<PersistentVolume>;
  authorizer: Authorizer;
  /** Undefined when everybody may do everything. */
  rbac: RbacAuthorizer | undefined;
  /** `--service-cluster-ip-range`. */
  serviceRange: string;
  /** How long pods stay on a node that is not ready, or can't be reached. Default 300 each. */
  tolerationSeconds?: { notReady?: number | undefined; unreachable?: number | undefined };
  /** `--service-node-port-range`. */
  nodePorts: PortRange;
  webhooks: WebhookClient;
  /** What policies take for parameters. */
  params: ParamCaches;
  /** The store, where other servers write to it, too. */
  sharedStore?: Store | undefined;
  /** Makes a namespace where there is none of that name. */
  makeNamespace(name: string): Promise<void>;
  /** All that is served now. */
  served(): Iterable<ServedResource>;
  metrics: MetricsRegistry;
  figures: AdmissionFigures;
  clock: Clock;
  logger: Logger;
}

/** Makes a plug-in; what each file of this folder and of those in it exports. */
export type PluginFactory = (parts: PluginParts) => AdmissionPlugin;

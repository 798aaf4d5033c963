/** Typed names of the kinds that wherry's own parts read and write; any other is `ResourceType` by hand. */
import {
  type ConfigMap,
  type ControllerRevision,
  type CronJob,
  type DaemonSet,
  type Deployment,
  type EndpointSlice,
  type Endpoints,
  type Event,
  findResource,
  type HorizontalPodAutoscaler,
  type Job,
  type Lease,
  type LimitRange,
  type Namespace,
  type Node,
  type PersistentVolumeClaim,
  type Pod,
  type PodDisruptionBudget,
  type ReplicaSet,
  type ReplicationController,
  type ResourceQuota,
  type RuntimeClass,
  type Secret,
  type Service,
  type ServiceAccount,
  type StatefulSet,
} from '@wherry/kubeapi';
import type { KubeObject, ResourceType } from './objects.ts';

/** The resource at that place of the schema, as objects of type `T`. Throws when the schema has no such resource. */
export function resourceType<T extends KubeObject>(
  group: string,
  version: string,
  plural: string,
): ResourceType<T> {
  const found = findResource(group, version, plural);
  if (!found) throw new RangeError(`the schema has no resource ${plural} in "${group}/${version}"`);
  return found;
}

export const configMaps = resourceType<ConfigMap>('', 'v1', 'configmaps');
export const endpoints = resourceType<Endpoints>('', 'v1', 'endpoints');
export const events = resourceType<Event>('', 'v1', 'events');
export const namespaces = resourceType<Namespace>('', 'v1', 'namespaces');
export const nodes = resourceType<Node>('', 'v1', 'nodes');
export const pods = resourceType<Pod>('', 'v1', 'pods');
export const secrets = resourceType<Secret>('', 'v1', 'secrets');
export const serviceAccounts = resourceType<ServiceAccount>('', 'v1', 'serviceaccounts');
export const services = resourceType<Service>('', 'v1', 'services');
export const persistentVolumeClaims = resourceType<PersistentVolumeClaim>('', 'v1', 'persistentvolumeclaims');
export const replicationControllers = resourceType<ReplicationController>('', 'v1', 'replicationcontrollers');
export const resourceQuotas = resourceType<ResourceQuota>('', 'v1', 'resourcequotas');
export const limitRanges = resourceType<LimitRange>('', 'v1', 'limitranges');
export const controllerRevisions = resourceType<ControllerRevision>('apps', 'v1', 'controllerrevisions');
export const daemonSets = resourceType<DaemonSet>('apps', 'v1', 'daemonsets');
export const deployments = resourceType<Deployment>('apps', 'v1', 'deployments');
export const replicaSets = resourceType<ReplicaSet>('apps', 'v1', 'replicasets');
export const statefulSets = resourceType<StatefulSet>('apps', 'v1', 'statefulsets');
export const horizontalPodAutoscalers = resourceType<HorizontalPodAutoscaler>(
  'autoscaling',
  'v2',
  'horizontalpodautoscalers',
);
export const cronJobs = resourceType<CronJob>('batch', 'v1', 'cronjobs');
export const jobs = resourceType<Job>('batch', 'v1', 'jobs');
export const endpointSlices = resourceType<EndpointSlice>('discovery.k8s.io', 'v1', 'endpointslices');
export const podDisruptionBudgets = resourceType<PodDisruptionBudget>('policy', 'v1', 'poddisruptionbudgets');
export const leases = resourceType<Lease>('coordination.k8s.io', 'v1', 'leases');
export const runtimeClasses = resourceType<RuntimeClass>('node.k8s.io', 'v1', 'runtimeclasses');

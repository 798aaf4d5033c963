/** Typed names of the kinds that wherry's own parts read and write; any other is `ResourceType` by hand. */
import {
  type ConfigMap,
  type Deployment,
  type Endpoints,
  type Event,
  findResource,
  type Lease,
  type Namespace,
  type Node,
  type Pod,
  type ReplicaSet,
  type RuntimeClass,
  type Secret,
  type Service,
  type ServiceAccount,
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
export const deployments = resourceType<Deployment>('apps', 'v1', 'deployments');
export const replicaSets = resourceType<ReplicaSet>('apps', 'v1', 'replicasets');
export const leases = resourceType<Lease>('coordination.k8s.io', 'v1', 'leases');
export const runtimeClasses = resourceType<RuntimeClass>('node.k8s.io', 'v1', 'runtimeclasses');

import { formatApiVersion, ownValue, type ResourceFacts, resources } from '@wherry/kubeapi';

/**
 * Resources of these groups are served unless told otherwise: something in a wherry node acts on them, or storing
 * them is all that upstream does as well.
 */
const groupsOn = new Set([
  '',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'events.k8s.io',
  'node.k8s.io',
  'rbac.authorization.k8s.io',
  'scheduling.k8s.io',
]);

/** Served although their group is off: a kubelet keeps its CSI drivers there, and an empty list is the truth. */
const resourcesOn = new Set(['storage.k8s.io/csidrivers', 'storage.k8s.io/csinodes']);

/** Off although their group is on: nothing here enforces or binds them, and a stored object would claim otherwise. */
const resourcesOff = new Set([
  '/componentstatuses',
  '/limitranges',
  '/persistentvolumeclaims',
  '/persistentvolumes',
  '/podtemplates',
  '/replicationcontrollers',
  '/resourcequotas',
]);

/** Never served: the API server itself would have to act on them (webhooks, aggregation, flow control). */
const groupsNever = new Set([
  'admissionregistration.k8s.io',
  'apiregistration.k8s.io',
  'flowcontrol.apiserver.k8s.io',
]);

/** An older version of a resource that is served in a newer one. */
const olderVersions = new Set(['autoscaling/v1']);

/**
 * `--runtime-config`: `apps/v1` or `apps/v1/deployments` to true or false, `api/all` for everything that can be
 * served. Switch workload APIs on where their controllers run elsewhere.
 */
export type RuntimeConfig = Readonly<Record<string, boolean>>;

/** Sub-resources that nothing here answers yet; they are not told of either. */
const subresourcesOff = new Set(['scale', 'approval', 'resize']);

/** The resources that a server with this configuration serves. */
export function servedResources(runtimeConfig: RuntimeConfig = {}): ResourceFacts[] {
  return resources.filter((facts) => isServed(facts, runtimeConfig)).map(withoutAbsent);
}

function withoutAbsent(facts: ResourceFacts): ResourceFacts {
  const { subresources } = facts;
  if (!subresources?.some(({ name }) => subresourcesOff.has(name))) return facts;
  return { ...facts, subresources: subresources.filter(({ name }) => !subresourcesOff.has(name)) };
}

/** False for what no configuration switches on. */
export function canBeServed({ group, version }: ResourceFacts): boolean {
  return !groupsNever.has(group) && !olderVersions.has(formatApiVersion(group, version));
}

function isServed(facts: ResourceFacts, runtimeConfig: RuntimeConfig): boolean {
  const { group, version, plural } = facts;
  const groupVersion = formatApiVersion(group, version);
  if (!canBeServed(facts)) return false;
  const told =
    ownValue(runtimeConfig, `${groupVersion}/${plural}`) ??
    ownValue(runtimeConfig, groupVersion) ??
    runtimeConfig['api/all'];
  if (told !== undefined) return told;
  const name = `${group}/${plural}`;
  return resourcesOn.has(name) || (groupsOn.has(group) && !resourcesOff.has(name));
}

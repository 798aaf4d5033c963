import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import { addressClass } from '@wherry/kubeapi';
import { firstServiceAddress } from '../admission/services/address-range.ts';
import { groups, userInfo } from '../authentication/identity.ts';
import { bootstrapBindings, bootstrapNamespaced, bootstrapRoles } from '../authorization/bootstrap-policy.ts';
import type { ApiObject } from '../registry/api-object.ts';
import type { Collection } from '../registry/collection.ts';
import type { WriteContext } from '../registry/request.ts';

/** What the first objects are made from. */
export interface BootstrapOptions {
  collection(group: string, version: string, plural: string): Collection;
  serviceRange: string;
  bindAddress: string;
  advertiseAddress: string | undefined;
  securePort: number;
}

const rbac = ['rbac.authorization.k8s.io', 'v1'] as const;
const self = userInfo('system:apiserver', [groups.masters, groups.authenticated]);
const namespaces = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];
/** Beyond what users may ask for, as upstream. */
const priorityClasses = {
  'system-cluster-critical': [
    2_000_000_000,
    'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  ],
  'system-node-critical': [
    2_000_001_000,
    'Used for system critical pods that must not be moved from their current node.',
  ],
} as const;

/** Makes what every cluster has, where it is missing; brings back the rules of built-in roles. */
export async function bootstrap(options: BootstrapOptions): Promise<void> {
  const { collection } = options;
  for (const name of namespaces) await ensure(collection('', 'v1', 'namespaces'), { metadata: { name } });
  await bootstrapRights(collection);
  for (const [name, [value, description]] of Object.entries(priorityClasses)) {
    const priorityClass = {
      metadata: { name },
      value,
      description,
      preemptionPolicy: 'PreemptLowerPriority',
    };
    await ensure(collection('scheduling.k8s.io', 'v1', 'priorityclasses'), priorityClass);
  }
  await ensureKubernetesService(options);
}

/** All at once, so that they are one write to the disk. */
async function bootstrapRights(collection: BootstrapOptions['collection']): Promise<void> {
  const of = (plural: string) => collection(...rbac, plural);
  const { roles, bindings } = bootstrapNamespaced();
  await Promise.all([
    ...bootstrapRoles().map((role) => ensureRole(of('clusterroles'), role as unknown as ApiObject)),
    ...bootstrapBindings().map((binding) =>
      ensure(of('clusterrolebindings'), binding as unknown as ApiObject),
    ),
    ...roles.map((role) => ensureRole(of('roles'), role as unknown as ApiObject)),
    ...bindings.map((binding) => ensure(of('rolebindings'), binding as unknown as ApiObject)),
  ]);
}

async function ensureRole(roles: Collection, role: ApiObject): Promise<void> {
  await ensure(roles, role);
  await restoreRules(roles, role);
}

async function ensure(collection: Collection, object: ApiObject): Promise<void> {
  const { name = '', namespace = '' } = object.metadata;
  if (await collection.storage.find({ namespace, name })) return;
  await collection.create(object, contextOf(collection, namespace, name));
}

async function restoreRules(roles: Collection, role: ApiObject): Promise<void> {
  const name = role.metadata.name ?? '';
  await roles.storage.change({
    namespace: role.metadata.namespace ?? '',
    name,
    change: (current) => {
      const isKept =
        current.metadata.annotations?.['rbac.authorization.kubernetes.io/autoupdate'] === 'false';
      const isSame = isDeepStrictEqual(current['rules'], role['rules']);
      return { next: isKept || isSame ? current : { ...current, rules: role['rules'] } };
    },
  });
}

/** `kubernetes` in `default`, with this server as its only endpoint. */
async function ensureKubernetesService(options: BootstrapOptions): Promise<void> {
  const { collection, serviceRange, securePort } = options;
  const metadata = () => ({
    name: 'kubernetes',
    namespace: 'default',
    labels: { component: 'apiserver', provider: 'kubernetes' },
  });
  const port = { name: 'https', port: 443, protocol: 'TCP', targetPort: securePort };
  const clusterIP = firstServiceAddress(serviceRange);
  await ensure(collection('', 'v1', 'services'), {
    metadata: metadata(),
    spec: { type: 'ClusterIP', clusterIP, ports: [port], sessionAffinity: 'None' },
  });
  const address = advertisedAddress(options);
  // Endpoints may not name this machine's own loopback; whoever only advertises that has no pods that could use it.
  if (address === undefined || addressClass(address) !== 'global') return;
  const subsets = [
    { addresses: [{ ip: address }], ports: [{ name: 'https', port: securePort, protocol: 'TCP' }] },
  ];
  const endpoints = collection('', 'v1', 'endpoints');
  await ensure(endpoints, { metadata: metadata(), subsets });
  await endpoints.storage.change({
    namespace: 'default',
    name: 'kubernetes',
    change: (current) => ({ next: { ...current, subsets } }),
  });
}

function advertisedAddress({ advertiseAddress, bindAddress }: BootstrapOptions): string | undefined {
  if (advertiseAddress) return advertiseAddress;
  const isReachable = isIP(bindAddress) !== 0 && !/^(0\.0\.0\.0|::1?|127\..*)$/.test(bindAddress);
  if (isReachable) return bindAddress;
  const addresses = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
}

function contextOf({ resource }: Collection, namespace: string, name: string): WriteContext {
  const { group, version, plural } = resource.facts;
  const info = {
    ...{ isResource: true, path: '', verb: 'create', group, version, resource: plural },
    ...{ subresource: '', tail: '', namespace, isInNamespace: namespace !== '', name },
  };
  return { user: self, info };
}

import { isIPv6 } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { kinds } from '@wherry/client';
import {
  type DiscoveryV1EndpointPort,
  type Endpoint,
  type EndpointSlice,
  type Node,
  ownValue,
  type Pod,
  type Service,
} from '@wherry/kubeapi';
import { isPodReady, nodeLabelKeys } from '@wherry/podrules';
import { limits } from '../limits.ts';
import { controllerReference } from '../watching/controller-reference.ts';
import { addressesOf, familiesOf, hostnameIn, isHeadless, portsOn } from './service-pods.ts';

const serviceNameLabel = 'kubernetes.io/service-name';
const managedByLabel = 'endpointslice.kubernetes.io/managed-by';
const headlessLabel = 'service.kubernetes.io/headless';

/** Who writes the slices of services with a selector. */
export const sliceManager = 'endpointslice-controller.k8s.io';

/** What is to be written. */
export interface SlicePlan {
  create: EndpointSlice[];
  update: EndpointSlice[];
  remove: EndpointSlice[];
}

/** The endpoints of one set of ports. */
interface Group {
  ports: DiscoveryV1EndpointPort[];
  endpoints: Endpoint[];
}

/**
 * Brings a service's slices to its pods with as few writes as may be: endpoints stay where they are, gaps in slices that
 * change anyhow are filled first, and one of each address family is there even if it is empty (upstream:
 * k8s.io/endpointslice reconciler.go).
 */
export function planSlices(
  service: Service,
  {
    pods,
    nodes,
    slices,
  }: { pods: readonly Pod[]; nodes: ReadonlyMap<string, Node>; slices: readonly EndpointSlice[] },
): SlicePlan {
  const families = familiesOf(service);
  const plan: SlicePlan = { create: [], update: [], remove: [] };
  plan.remove.push(...slices.filter(({ addressType }) => !families.some((each) => each === addressType)));
  for (const family of families) {
    const known = slices.filter(({ addressType }) => addressType === family);
    const groups = groupsOf(service, pods, nodes, family);
    const before = { create: plan.create.length, remove: plan.remove.length };
    for (const [key, group] of groups) {
      const same = known.filter(({ ports }) => portsKey(ports ?? []) === key);
      placeGroup(service, { group, family, slices: same }, plan);
    }
    const stale = known.filter(({ ports }) => !groups.has(portsKey(ports ?? [])));
    const isNoneLeft = plan.remove.length - before.remove + stale.length === known.length;
    if (isNoneLeft && plan.create.length === before.create) {
      const empty = newSlice(service, family, { ports: [], endpoints: [] });
      const kept = stale.find((slice) => isEmptyOne(slice, empty));
      if (!kept) plan.create.push(empty);
      plan.remove.push(...stale.filter((slice) => slice !== kept));
    } else plan.remove.push(...stale);
  }
  return plan;
}

function isEmptyOne(slice: EndpointSlice, empty: EndpointSlice): boolean {
  const isVoid = !slice.endpoints?.length && !slice.ports?.length;
  return isVoid && isDeepStrictEqual(slice.metadata.labels, empty.metadata.labels);
}

function groupsOf(
  service: Service,
  pods: readonly Pod[],
  nodes: ReadonlyMap<string, Node>,
  family: 'IPv4' | 'IPv6',
): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const pod of pods) {
    const node = nodes.get(pod.spec?.nodeName ?? '');
    if (!node && !service.spec?.publishNotReadyAddresses) continue;
    const ports = portsOn(service, pod);
    const group = groups.get(portsKey(ports)) ?? { ports, endpoints: [] };
    groups.set(portsKey(ports), group);
    const addresses = addressesOf(pod).filter((ip) => isIPv6(ip) === (family === 'IPv6'));
    if (addresses.length > 0) group.endpoints.push(endpointOf(service, pod, { node, addresses }));
  }
  return groups;
}

function endpointOf(
  service: Service,
  pod: Pod,
  { node, addresses }: { node: Node | undefined; addresses: string[] },
): Endpoint {
  const { namespace = '', name = '', uid = '', deletionTimestamp } = pod.metadata;
  const serving = isPodReady(pod);
  const terminating = deletionTimestamp !== undefined;
  const ready = Boolean(service.spec?.publishNotReadyAddresses) || (serving && !terminating);
  const hostname = hostnameIn(service, pod);
  const zone = ownValue(node?.metadata.labels, nodeLabelKeys.zone);
  return {
    addresses,
    conditions: { ready, serving, terminating },
    ...(hostname ? { hostname } : {}),
    targetRef: { kind: 'Pod', namespace, name, uid },
    ...(pod.spec?.nodeName ? { nodeName: pod.spec.nodeName } : {}),
    ...(zone ? { zone } : {}),
  };
}

function placeGroup(
  service: Service,
  { group, family, slices }: { group: Group; family: 'IPv4' | 'IPv6'; slices: readonly EndpointSlice[] },
  plan: SlicePlan,
): void {
  const wanted = new Map(group.endpoints.map((endpoint) => [endpointKey(endpoint), endpoint]));
  const labels = sliceLabels(service);
  const changed: EndpointSlice[] = [];
  const unchanged: EndpointSlice[] = [];
  for (const slice of slices) {
    const kept = (slice.endpoints ?? []).flatMap((endpoint) => take(wanted, endpointKey(endpoint)));
    const isSame =
      isDeepStrictEqual(kept, slice.endpoints ?? []) && isDeepStrictEqual(labels, slice.metadata.labels);
    const next = { ...slice, metadata: { ...slice.metadata, labels }, endpoints: kept };
    (isSame ? unchanged : changed).push(isSame ? slice : next);
  }
  const left = [...wanted.values()];
  for (const slice of changed)
    slice.endpoints!.push(...left.splice(0, limits.endpointsPerSlice - slice.endpoints!.length));
  const fits = (slice: EndpointSlice) =>
    (slice.endpoints ?? []).length + left.length <= limits.endpointsPerSlice;
  const roomy = left.length > 0 ? unchanged.find(fits) : undefined;
  if (roomy) changed.push({ ...roomy, endpoints: [...(roomy.endpoints ?? []), ...left.splice(0)] });
  while (left.length > 0) {
    const endpoints = left.splice(0, limits.endpointsPerSlice);
    plan.create.push(newSlice(service, family, { ports: group.ports, endpoints }));
  }
  plan.remove.push(...changed.filter(({ endpoints }) => endpoints?.length === 0));
  plan.update.push(...changed.filter(({ endpoints }) => endpoints?.length !== 0));
}

function take(wanted: Map<string, Endpoint>, key: string): Endpoint[] {
  const found = wanted.get(key);
  wanted.delete(key);
  return found ? [found] : [];
}

function endpointKey({ addresses, targetRef }: Endpoint): string {
  return `${addresses.join()} ${targetRef?.uid}`;
}

function portsKey(ports: readonly DiscoveryV1EndpointPort[]): string {
  const texts = ports.map(({ name = '', port, protocol = 'TCP', appProtocol = '' }) =>
    [name, port, protocol, appProtocol].join(' '),
  );
  return texts.sort().join(',');
}

function sliceLabels(service: Service): Record<string, string> {
  const own = [serviceNameLabel, managedByLabel, headlessLabel];
  const labels = Object.entries(service.metadata.labels ?? {}).filter(([key]) => !own.includes(key));
  return {
    ...Object.fromEntries(labels),
    ...(isHeadless(service) ? { [headlessLabel]: '' } : {}),
    [serviceNameLabel]: service.metadata.name ?? '',
    [managedByLabel]: sliceManager,
  };
}

function newSlice(
  service: Service,
  addressType: 'IPv4' | 'IPv6',
  { ports, endpoints }: Group,
): EndpointSlice {
  const { name, namespace = '' } = service.metadata;
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      generateName: `${name}-`,
      namespace,
      labels: sliceLabels(service),
      ownerReferences: [controllerReference(kinds.services, service)],
    },
    addressType,
    endpoints,
    ports,
  };
}

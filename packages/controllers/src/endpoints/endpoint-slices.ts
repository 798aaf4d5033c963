import { isIPv6 } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { controllerReference, kinds } from '@wherry/client';
import {
  type Endpoint,
  type EndpointSlice,
  type Node,
  ownValue,
  type Pod,
  type Service,
} from '@wherry/kubeapi/objects';
import { isPodReady, nodeLabelKeys } from '@wherry/podrules';
import { limits } from '../limits.ts';
import { hintsOf } from './endpoint-hints.ts';
import { addressesOf, familiesOf, hostnameIn, isHeadless, portsOn } from './service-pods.ts';
import {
  type EndpointGroup,
  headlessLabel,
  managedByLabel,
  newSlice,
  placeGroups,
  portsKey,
  recycle,
  type SlicePlan,
  type SliceShape,
  serviceNameLabel,
} from './slice-plan.ts';

/** Who writes the slices of services with a selector. */
export const sliceManager = 'endpointslice-controller.k8s.io';

/**
 * Brings a service's slices to its pods; one of each address family is there even if it is empty. Slices that say that they are
 * the service's, and have another owner or none, go.
 */
export function planSlices(
  service: Service,
  facts: { pods: readonly Pod[]; nodes: ReadonlyMap<string, Node>; slices: readonly EndpointSlice[] },
): SlicePlan {
  const { pods, nodes, slices } = facts;
  const families = familiesOf(service);
  const shape = shapeOf(service);
  const plan: SlicePlan = { create: [], update: [], remove: [] };
  const isUsable = ({ addressType, metadata }: EndpointSlice) =>
    families.some((each) => each === addressType) &&
    metadata.ownerReferences?.some(({ uid }) => uid === service.metadata.uid);
  plan.remove.push(...slices.filter((slice) => !isUsable(slice)));
  for (const family of families) {
    const known = slices.filter((slice) => isUsable(slice) && slice.addressType === family);
    const groups = groupsOf(service, pods, nodes, family);
    const before = { create: plan.create.length, remove: plan.remove.length };
    const stale = placeGroups(shape, family, { groups, slices: known }, plan);
    const isNoneLeft = plan.remove.length - before.remove + stale.length === known.length;
    if (isNoneLeft && plan.create.length === before.create) {
      const kept = stale.find((slice) => isEmptyOne(slice, shape));
      if (!kept) plan.create.push(newSlice(shape, family, { ports: [], endpoints: [] }));
      plan.remove.push(...stale.filter((slice) => slice !== kept));
    } else plan.remove.push(...stale);
  }
  recycle(shape, plan);
  return plan;
}

function isEmptyOne({ endpoints, ports, metadata }: EndpointSlice, { labels }: SliceShape): boolean {
  return !endpoints?.length && !ports?.length && isDeepStrictEqual(metadata.labels, labels);
}

function groupsOf(
  service: Service,
  pods: readonly Pod[],
  nodes: ReadonlyMap<string, Node>,
  family: 'IPv4' | 'IPv6',
): Map<string, EndpointGroup> {
  const groups = new Map<string, EndpointGroup>();
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
    ...hintsOf(service, { ready, zone, nodeName: pod.spec?.nodeName }),
  };
}

function shapeOf(service: Service): SliceShape {
  const { name = '', namespace = '' } = service.metadata;
  const own = [serviceNameLabel, managedByLabel, headlessLabel];
  const labels = Object.entries(service.metadata.labels ?? {}).filter(([key]) => !own.includes(key));
  return {
    ...{ namespace, name, owner: controllerReference(kinds.services, service) },
    endpointsMax: limits.endpointsPerSlice,
    labels: {
      ...Object.fromEntries(labels),
      ...(isHeadless(service) ? { [headlessLabel]: '' } : {}),
      [serviceNameLabel]: name,
      [managedByLabel]: sliceManager,
    },
  };
}

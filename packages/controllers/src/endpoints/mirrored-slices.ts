import { isIPv6 } from 'node:net';
import { controllerReference, kinds } from '@wherry/client';
import {
  type Endpoint,
  type EndpointAddress,
  type EndpointSlice,
  type Endpoints,
  ownValue,
  type Service,
} from '@wherry/kubeapi/objects';
import { limits } from '../limits.ts';
import {
  type EndpointGroup,
  managedByLabel,
  placeGroups,
  portsKey,
  recycle,
  type SlicePlan,
  type SliceShape,
  serviceNameLabel,
} from './slice-plan.ts';

/** Who writes the slices of Endpoints that somebody else writes. */
export const mirrorManager = 'endpointslicemirroring-controller.k8s.io';

const skipLabel = 'endpointslice.kubernetes.io/skip-mirror';
const leaderAnnotation = 'control-plane.alpha.kubernetes.io/leader';
const notCopied = new Set([
  'endpoints.kubernetes.io/last-change-trigger-time',
  'kubectl.kubernetes.io/last-applied-configuration',
]);

/** Whether Endpoints are mirrored: those of a service without a selector, unless they say no, or elect a leader. */
export function isMirrored(endpoints: Endpoints, service: Service | undefined): boolean {
  const { labels, annotations } = endpoints.metadata;
  return (
    service !== undefined &&
    service.spec?.selector === undefined &&
    ownValue(labels, skipLabel) !== 'true' &&
    ownValue(annotations, leaderAnnotation) === undefined
  );
}

/** Brings the mirrored slices to the Endpoints (upstream: pkg/controller/endpointslicemirroring). */
export function planMirror(endpoints: Endpoints, slices: readonly EndpointSlice[]): SlicePlan {
  const plan: SlicePlan = { create: [], update: [], remove: [] };
  const shape = shapeOf(endpoints);
  const groups = groupsOf(endpoints);
  for (const family of ['IPv4', 'IPv6'] as const) {
    const known = slices.filter(({ addressType }) => addressType === family);
    const facts = { groups: ofFamily(groups, family), slices: known };
    plan.remove.push(...placeGroups(shape, family, facts, plan));
  }
  recycle(shape, plan);
  return plan;
}

/** By ports, whatever the family; of each no more than one slice may have. */
function groupsOf({ subsets = [] }: Endpoints): Map<string, EndpointGroup> {
  const groups = new Map<string, EndpointGroup>();
  for (const { addresses = [], notReadyAddresses = [], ports: own = [] } of subsets) {
    const ports = own.map(({ name = '', protocol = 'TCP', ...rest }) => ({ name, protocol, ...rest }));
    const group = groups.get(portsKey(ports)) ?? { ports, endpoints: [] };
    groups.set(portsKey(ports), group);
    group.endpoints.push(
      ...addresses.map((address) => endpointOf(address, true)),
      ...notReadyAddresses.map((address) => endpointOf(address, false)),
    );
  }
  for (const group of groups.values()) group.endpoints.splice(limits.endpointsAddressesMax);
  return groups;
}

function ofFamily(groups: ReadonlyMap<string, EndpointGroup>, family: 'IPv4' | 'IPv6') {
  const isOfFamily = ({ addresses: [ip = ''] }: Endpoint) => isIPv6(ip) === (family === 'IPv6');
  const parted = [...groups].map(
    ([key, { ports, endpoints }]) => [key, { ports, endpoints: endpoints.filter(isOfFamily) }] as const,
  );
  return new Map(parted.filter(([, { endpoints }]) => endpoints.length > 0));
}

function endpointOf({ ip, hostname, nodeName, targetRef }: EndpointAddress, ready: boolean): Endpoint {
  return {
    addresses: [ip],
    conditions: { ready },
    ...(hostname ? { hostname } : {}),
    ...(targetRef ? { targetRef } : {}),
    ...(nodeName ? { nodeName } : {}),
  };
}

function shapeOf(endpoints: Endpoints): SliceShape {
  const { name = '', namespace = '', labels, annotations = {} } = endpoints.metadata;
  const copied = Object.entries(annotations).filter(([key]) => !notCopied.has(key));
  return {
    ...{ namespace, name, owner: controllerReference(kinds.endpoints, endpoints) },
    endpointsMax: limits.endpointsAddressesMax,
    labels: { ...labels, [serviceNameLabel]: name, [managedByLabel]: mirrorManager },
    annotations: Object.fromEntries(copied),
  };
}

import { isDeepStrictEqual } from 'node:util';
import type {
  DiscoveryV1EndpointPort,
  Endpoint,
  EndpointSlice,
  ObjectMeta,
  OwnerReference,
} from '@wherry/kubeapi/objects';
import { limits } from '../limits.ts';

/** The label by which slices are found for a service. */
export const serviceNameLabel = 'kubernetes.io/service-name';

/** The label of endpoints that are those of a headless service. */
export const headlessLabel = 'service.kubernetes.io/headless';

/** The label that says who writes a slice. */
export const managedByLabel = 'endpointslice.kubernetes.io/managed-by';

/** What is to be written. */
export interface SlicePlan {
  create: EndpointSlice[];
  update: EndpointSlice[];
  remove: EndpointSlice[];
}

/** What all slices of one origin have in common. */
export interface SliceShape {
  namespace: string;
  /** Slices are called `NAME-` and what the server adds. */
  name: string;
  labels: Record<string, string>;
  annotations?: Record<string, string>;
  owner: OwnerReference;
}

/** The endpoints of one set of ports. */
export interface EndpointGroup {
  ports: DiscoveryV1EndpointPort[];
  endpoints: Endpoint[];
}

/** A set of ports as a key, whatever their order. */
export function portsKey(ports: readonly DiscoveryV1EndpointPort[]): string {
  const texts = ports.map(({ name = '', port, protocol = 'TCP', appProtocol = '' }) =>
    [name, port, protocol, appProtocol].join(' '),
  );
  return texts.sort().join(',');
}

/** A slice that is still to be made. */
export function newSlice(
  shape: SliceShape,
  addressType: 'IPv4' | 'IPv6',
  { ports, endpoints }: EndpointGroup,
): EndpointSlice {
  const { namespace, name, labels, annotations, owner } = shape;
  const metadata: ObjectMeta = {
    generateName: `${name}-`,
    namespace,
    labels,
    ...(annotations && Object.keys(annotations).length > 0 ? { annotations } : {}),
    ownerReferences: [owner],
  };
  return {
    ...{ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', metadata },
    ...{ addressType, endpoints, ports },
  };
}

/**
 * Brings the slices of one address family to the groups with as few writes as may be: endpoints stay where they are, and
 * gaps in slices that change anyhow are filled first (upstream: k8s.io/endpointslice reconciler.go). Answers the slices
 * whose ports nothing has any more, which are in no plan yet.
 */
export function placeGroups(
  shape: SliceShape,
  family: 'IPv4' | 'IPv6',
  { groups, slices }: { groups: ReadonlyMap<string, EndpointGroup>; slices: readonly EndpointSlice[] },
  plan: SlicePlan,
): EndpointSlice[] {
  for (const [key, group] of groups) {
    const same = slices.filter(({ ports }) => portsKey(ports ?? []) === key);
    placeGroup(shape, { group, family, slices: same }, plan);
  }
  return slices.filter(({ ports }) => !groups.has(portsKey(ports ?? [])));
}

function placeGroup(
  shape: SliceShape,
  {
    group,
    family,
    slices,
  }: { group: EndpointGroup; family: 'IPv4' | 'IPv6'; slices: readonly EndpointSlice[] },
  plan: SlicePlan,
): void {
  const wanted = new Map(group.endpoints.map((endpoint) => [endpointKey(endpoint), endpoint]));
  const { labels, annotations = {} } = shape;
  const changed: EndpointSlice[] = [];
  const unchanged: EndpointSlice[] = [];
  for (const slice of slices) {
    const kept = (slice.endpoints ?? []).flatMap((endpoint) => take(wanted, endpointKey(endpoint)));
    const isSame = isDeepStrictEqual(
      [kept, labels, annotations],
      [slice.endpoints ?? [], slice.metadata.labels, slice.metadata.annotations ?? {}],
    );
    const next = { ...slice, metadata: { ...slice.metadata, labels, annotations }, endpoints: kept };
    (isSame ? unchanged : changed).push(isSame ? slice : next);
  }
  const left = [...wanted.values()];
  for (const { endpoints = [] } of changed)
    endpoints.push(...left.splice(0, limits.endpointsPerSlice - endpoints.length));
  const fits = ({ endpoints = [] }: EndpointSlice) =>
    endpoints.length + left.length <= limits.endpointsPerSlice;
  const roomy = left.length > 0 ? unchanged.find(fits) : undefined;
  if (roomy) changed.push({ ...roomy, endpoints: [...(roomy.endpoints ?? []), ...left.splice(0)] });
  while (left.length > 0) {
    const endpoints = left.splice(0, limits.endpointsPerSlice);
    plan.create.push(newSlice(shape, family, { ports: group.ports, endpoints }));
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

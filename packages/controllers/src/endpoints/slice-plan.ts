import { isDeepStrictEqual } from 'node:util';
import type {
  DiscoveryV1EndpointPort,
  Endpoint,
  EndpointSlice,
  ObjectMeta,
  OwnerReference,
} from '@wherry/kubeapi/objects';

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
  /** Default: each slice keeps its own. */
  annotations?: Record<string, string>;
  owner: OwnerReference;
  /** Endpoints that one slice may have. */
  endpointsMax: number;
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
  const { labels, endpointsMax } = shape;
  const changed: EndpointSlice[] = [];
  const unchanged: EndpointSlice[] = [];
  for (const slice of slices) {
    const known = slice.endpoints ?? [];
    const kept = known.flatMap((endpoint) => take(wanted, endpointKey(endpoint)));
    const annotations = shape.annotations ?? slice.metadata.annotations ?? {};
    const isSame = isDeepStrictEqual(
      [kept, labels, annotations],
      [known, slice.metadata.labels, slice.metadata.annotations ?? {}],
    );
    const next = { ...slice, metadata: { ...slice.metadata, labels, annotations }, endpoints: kept };
    if (isSame) unchanged.push(slice);
    else if (known.length > 0 && kept.length === 0) plan.remove.push(slice);
    else changed.push(next);
  }
  const left = [...wanted.values()];
  changed.sort((a, b) => countOf(b) - countOf(a));
  for (const { endpoints = [] } of changed)
    endpoints.push(...left.splice(0, endpointsMax - endpoints.length));
  while (left.length > 0) {
    const roomy = left.length < endpointsMax ? fullestFor(left.length, unchanged, endpointsMax) : undefined;
    const endpoints = [...(roomy?.endpoints ?? []), ...left.splice(0, endpointsMax)];
    if (roomy) changed.push({ ...roomy, endpoints });
    else plan.create.push(newSlice(shape, family, { ports: group.ports, endpoints }));
  }
  plan.update.push(...changed);
}

const countOf = ({ endpoints = [] }: EndpointSlice): number => endpoints.length;

/** The slice that has room for so many more endpoints, and for the fewest beside them. */
function fullestFor(count: number, slices: readonly EndpointSlice[], max: number): EndpointSlice | undefined {
  return slices
    .filter((slice) => countOf(slice) + count <= max)
    .reduce<EndpointSlice | undefined>(
      (best, slice) => (best && countOf(best) >= countOf(slice) ? best : slice),
      undefined,
    );
}

/** What is new takes the places of slices of the same owner and family that would go: fewer names come and go. */
export function recycle({ owner }: SliceShape, plan: SlicePlan): void {
  plan.remove = plan.remove.filter((old) => {
    const { metadata, addressType } = old;
    const isOurs = metadata.ownerReferences?.some(({ uid }) => uid === owner.uid);
    const place = isOurs ? plan.create.findLastIndex((slice) => slice.addressType === addressType) : -1;
    const [next] = place === -1 ? [] : plan.create.splice(place, 1);
    if (!next) return true;
    const { labels, annotations = {}, ownerReferences } = next.metadata;
    plan.update.push({
      ...next,
      metadata: { ...metadata, labels: { ...labels }, annotations, ownerReferences: ownerReferences ?? [] },
    });
    return false;
  });
}

function take(wanted: Map<string, Endpoint>, key: string): Endpoint[] {
  const found = wanted.get(key);
  wanted.delete(key);
  return found ? [found] : [];
}

function endpointKey({ addresses, targetRef }: Endpoint): string {
  return `${addresses.join()} ${targetRef?.uid}`;
}

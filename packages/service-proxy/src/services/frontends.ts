import { isIP } from 'node:net';
import type { EndpointSlice, Service, ServicePort } from '@wherry/kubeapi/objects';
import { type AddressFamily, familyOf } from '@wherry/linux';
import type { AddressRange } from './address-range.ts';
import { allowedSources } from './allowed-sources.ts';
import { type Endpoint, endpointsOf } from './endpoints.ts';
import { type Place, usableEndpoints } from './usable-endpoints.ts';

/** What is done with a connection that no endpoint is there for. */
export type WhenNone = 'refuse' | 'drop';

/** One address and port that clients connect to. */
export interface Frontend {
  /** Undefined for a node port, which every address of the machine has. */
  address: string | undefined;
  protocol: Protocol;
  port: number;
  endpoints: readonly Endpoint[];
  /** All that answer, whether or not new connections are led there: what goes to them already is let be. */
  serving: readonly Endpoint[];
  /** How long a client stays with its endpoint; undefined where it may change with each connection. */
  affinitySeconds: number | undefined;
  whenNone: WhenNone;
  /** Where clients must come from; undefined for anywhere. */
  sources?: readonly AddressRange[] | undefined;
}

/** Protocols that services have. */
export type Protocol = 'TCP' | 'UDP' | 'SCTP';

const protocols: readonly string[] = ['TCP', 'UDP', 'SCTP'];
const affinitySecondsByDefault = 10_800;

/**
 * All that a service is reached by on this node by one family, where it has an address of it. Headless and external services are reached by nothing, and no service by an
 * address of pods or of other services: who may write services would take their traffic (CVE-2020-8554).
 */
export function frontendsOf(service: Service, slices: Iterable<EndpointSlice>, place: Place): Frontend[] {
  const { clusterIP, type, ports = [] } = service.spec ?? {};
  if (type === 'ExternalName' || !clusterIP || clusterIP === 'None') return [];
  const known = [...slices];
  return ports.flatMap((port) => frontendsOfPort(service, port, { slices: known, place }));
}

function frontendsOfPort(
  { spec = {}, status }: Service,
  { name = '', protocol = 'TCP', port, nodePort }: ServicePort,
  { slices, place }: { slices: readonly EndpointSlice[]; place: Place },
): Frontend[] {
  if (!isProtocol(protocol) || !port) return [];
  const all = endpointsOf(slices, { name, protocol, nodeName: place.nodeName, family: place.family });
  const { cluster, local } = usableEndpoints(all, place);
  const serving = all.filter(
    ({ isReady, isServingWhileTerminating }) => isReady || isServingWhileTerminating,
  );
  const affinitySeconds = affinityOf(spec);
  const lead = (policy: string | undefined) => {
    const endpoints = policy === 'Local' ? local : cluster;
    const whenNone: WhenNone = endpoints.length === 0 && cluster.length > 0 ? 'drop' : 'refuse';
    return { protocol, affinitySeconds, endpoints, serving, whenNone };
  };
  const inside = lead(spec.internalTrafficPolicy);
  const outside = lead(spec.externalTrafficPolicy);
  const balanced = (status?.loadBalancer?.ingress ?? []).filter(({ ipMode }) => ipMode !== 'Proxy');
  const isAddress = isOf(place.family);
  const outer = (addresses: readonly (string | undefined)[] = []) =>
    addresses.filter(isAddress).filter((address) => !place.isOwn(address));
  const balancers = outer(balanced.map(({ ip }) => ip));
  const sources = allowedSources(spec, balancers, place);
  const own = (spec.clusterIPs ?? [spec.clusterIP]).filter(isAddress);
  if (own.length === 0) return [];
  return [
    ...own.map((address) => ({ ...inside, address, port })),
    ...outer(spec.externalIPs).map((address) => ({ ...outside, address, port })),
    ...balancers.map((address) => ({ ...outside, address, port, sources })),
    ...(nodePort ? [{ ...outside, address: undefined, port: nodePort }] : []),
  ];
}

const isProtocol = (text: string): text is Protocol => protocols.includes(text);
const isOf =
  (family: AddressFamily) =>
  (text: string | undefined): text is string =>
    text !== undefined && isIP(text) !== 0 && familyOf(text) === family;

function affinityOf({ sessionAffinity, sessionAffinityConfig }: NonNullable<Service['spec']>) {
  if (sessionAffinity !== 'ClientIP') return undefined;
  return sessionAffinityConfig?.clientIP?.timeoutSeconds ?? affinitySecondsByDefault;
}

import type { EndpointSlice } from '@wherry/kubeapi/objects';
import { type AddressFamily, familyOf } from '@wherry/linux';

/** An address and port that packets are sent on to. */
export interface Target {
  ip: string;
  port: number;
}

/** Where a port of a service may be led to. */
export interface Endpoint extends Target {
  /** Whether it is on this node. */
  isLocal: boolean;
  isReady: boolean;
  /** Whether it still answers although it is about to end. */
  isServingWhileTerminating: boolean;
  nodeHints: readonly string[];
  zoneHints: readonly string[];
}

/** Which endpoints are looked for. */
export interface WantedEndpoints {
  /** Of the service's port. */
  name: string;
  protocol: string;
  /** The node that this machine is. */
  nodeName: string;
  family: AddressFamily;
}

const addressTypes = { ip: 'IPv4', ip6: 'IPv6' } as const;

/** `10.88.0.5:80`, by which endpoints are the same. */
export const endpointKey = ({ ip, port }: Target): string => `${ip}:${port}`;

/** The endpoints that slices give for a port of that name and protocol. Of two with one address a ready one counts. */
export function endpointsOf(
  slices: Iterable<EndpointSlice>,
  { name, protocol, nodeName, family }: WantedEndpoints,
): Endpoint[] {
  const found = new Map<string, Endpoint>();
  for (const { addressType, ports, endpoints } of slices) {
    if (addressType !== addressTypes[family]) continue;
    const port = ports?.find((each) => (each.name ?? '') === name && (each.protocol ?? 'TCP') === protocol);
    if (!port?.port) continue;
    for (const { addresses, conditions, hints, nodeName: where } of endpoints ?? []) {
      const [ip] = addresses ?? [];
      if (!ip || familyOf(ip) !== family) continue;
      const endpoint: Endpoint = {
        ip,
        port: port.port,
        isLocal: where === nodeName,
        isReady: conditions?.ready ?? true,
        isServingWhileTerminating: (conditions?.serving ?? true) && (conditions?.terminating ?? false),
        nodeHints: hints?.forNodes?.map((hint) => hint.name ?? '') ?? [],
        zoneHints: hints?.forZones?.map((hint) => hint.name ?? '') ?? [],
      };
      const key = endpointKey(endpoint);
      if (!found.get(key)?.isReady) found.set(key, endpoint);
    }
  }
  return [...found.values()];
}

import type { EndpointSlice } from '@wherry/kubeapi/objects';
import { decodeAddress, encodeAddress } from '@wherry/linux';

/** A port that a name can be asked for; of an endpoint without ports the number is undefined. */
export interface NamedPort {
  name: string;
  /** In lower case. */
  protocol: string;
  number: number | undefined;
}

/** One address of a pod, or of whatever else is behind a service. */
export interface EndpointAddress {
  /** As text that two writers of the same address agree on. */
  ip: string;
  bytes: Uint8Array;
  /** The label that it has below its service. */
  hostname: string;
  ports: readonly NamedPort[];
}

const noPorts: readonly NamedPort[] = [{ name: '', protocol: '', number: undefined }];

/** Text and bytes of an address; undefined for what is none, which the API server would not have taken. */
export function parseAddress(text: string): { ip: string; bytes: Uint8Array } | undefined {
  try {
    const bytes = encodeAddress(text);
    return { bytes, ip: bytes.length === 4 ? text : decodeAddress(bytes) };
  } catch {
    return undefined;
  }
}

/** The ports as a name can ask for them; there is always one, so that addresses without ports are found too. */
export function namedPorts(
  ports: readonly { name?: string; port?: number; protocol?: string }[] | undefined,
): readonly NamedPort[] {
  if (!ports?.length) return noPorts;
  return ports.map(({ name = '', port, protocol = '' }) => ({
    ...{ name: name.toLowerCase(), protocol: protocol.toLowerCase(), number: port },
  }));
}

/** The addresses of a slice that are ready. Names instead of addresses (type FQDN) are left out. */
export function readyAddresses({ addressType, endpoints = [], ports }: EndpointSlice): EndpointAddress[] {
  if (addressType === 'FQDN') return [];
  const named = namedPorts(ports);
  return endpoints
    .filter(({ conditions }) => conditions?.ready !== false)
    .flatMap(({ addresses, hostname }) =>
      addresses.flatMap((text) => {
        const address = parseAddress(text);
        return address ? [{ ...address, hostname: hostname || dashed(address.ip), ports: named }] : [];
      }),
    );
}

/** The label of an address without a hostname (CoreDNS: the same). */
function dashed(ip: string): string {
  const label = ip.replace(/[.:]/g, '-');
  return label.endsWith('-') ? `${label}0` : label;
}

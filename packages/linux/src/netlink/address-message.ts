import { type AttributeList, decodeAttributes, encodeAttributes, uint32 } from './attributes.ts';
import { addressFamily, decodeAddress, encodeAddress, splitPrefix } from './ip-address.ts';

const addressAttribute = { address: 1, local: 2 } as const;
const routeAttribute = { destination: 1, outputInterface: 4, gateway: 5 } as const;
const mainTable = 254;
const bootProtocol = 3;
const linkScope = 253;
const unicast = 1;
const ipv4Family = 2;
/** Nobody is asked whether the address is free (IFA_F_NODAD), as IPv6 would. */
const withoutQuestion = 2;
const addressHeaderBytes = 8;
const routeHeaderBytes = 12;

/** One address of an interface. */
export interface InterfaceAddress {
  interfaceIndex: number;
  address: string;
  prefixLength: number;
}

/** A route; without `to` the default route. */
export interface RouteRequest {
  /** Destination as "10.1.0.0/16". */
  to?: string;
  /** Next hop; its family is the route's. */
  via?: string;
  interfaceName?: string;
}

/** A route of the main table. */
export interface Route {
  to: string;
  via: string | null;
  interfaceIndex: number;
}

/** The payload that asks for every address. */
export const allAddresses: Buffer = Buffer.alloc(addressHeaderBytes);

/** The payload that asks for every route. */
export const allRoutes: Buffer = Buffer.alloc(routeHeaderBytes);

/** Header and attributes for an interface's address "10.1.2.3/24". */
export function addressMessage(interfaceIndex: number, prefix: string): Buffer {
  const { address, prefixLength } = splitPrefix(prefix);
  const bytes = encodeAddress(address);
  const header = Buffer.alloc(addressHeaderBytes);
  const family = addressFamily(address);
  header.writeUInt8(family, 0);
  header.writeUInt8(prefixLength, 1);
  header.writeUInt8(family === ipv4Family ? 0 : withoutQuestion, 2);
  header.writeUInt32LE(interfaceIndex, 4);
  const attributes: AttributeList = [
    [addressAttribute.local, bytes],
    [addressAttribute.address, bytes],
  ];
  return Buffer.concat([header, encodeAttributes(attributes)]);
}

/** Reads what the kernel tells of an address. */
export function decodeInterfaceAddress(payload: Buffer): InterfaceAddress {
  const attributes = decodeAttributes(payload.subarray(addressHeaderBytes));
  const bytes = attributes.get(addressAttribute.local) ?? attributes.get(addressAttribute.address);
  return {
    interfaceIndex: payload.readUInt32LE(4),
    address: decodeAddress(bytes ?? Buffer.alloc(0)),
    prefixLength: payload.readUInt8(1),
  };
}

/** Header and attributes for a route of the main table; index null leaves the interface to the kernel. */
export function routeMessage({ to, via }: RouteRequest, interfaceIndex: number | null): Buffer {
  const destination = to === undefined ? null : splitPrefix(to);
  const attributes: [number, Uint8Array][] = [];
  if (destination) attributes.push([routeAttribute.destination, encodeAddress(destination.address)]);
  if (via !== undefined) attributes.push([routeAttribute.gateway, encodeAddress(via)]);
  if (interfaceIndex !== null) attributes.push([routeAttribute.outputInterface, uint32(interfaceIndex)]);
  const header = Buffer.alloc(routeHeaderBytes);
  header.writeUInt8(addressFamily(via ?? destination?.address ?? ''), 0);
  header.writeUInt8(destination?.prefixLength ?? 0, 1);
  header.writeUInt8(mainTable, 4);
  header.writeUInt8(bootProtocol, 5);
  header.writeUInt8(via === undefined ? linkScope : 0, 6);
  header.writeUInt8(unicast, 7);
  return Buffer.concat([header, encodeAttributes(attributes)]);
}

/** Reads what the kernel tells of a route; null when it is not of the main table. */
export function decodeRoute(payload: Buffer): Route | null {
  if (payload.readUInt8(4) !== mainTable) return null;
  const attributes = decodeAttributes(payload.subarray(routeHeaderBytes));
  const destination = attributes.get(routeAttribute.destination);
  const gateway = attributes.get(routeAttribute.gateway);
  return {
    to: destination ? `${decodeAddress(destination)}/${payload.readUInt8(1)}` : 'default',
    via: gateway ? decodeAddress(gateway) : null,
    interfaceIndex: attributes.get(routeAttribute.outputInterface)?.readUInt32LE(0) ?? 0,
  };
}

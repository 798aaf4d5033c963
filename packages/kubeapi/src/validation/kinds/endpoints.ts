/** Violations in what services lead to (upstream: ValidateEndpoints, pkg/apis/discovery/validation). */
import { isIP } from 'node:net';
import { type AddressClass, addressClass } from '../../address-class.ts';
import {
  at,
  child,
  duplicate,
  type FieldError,
  type FieldPath,
  invalidValue,
  notSupported,
  required,
  tooMany,
} from '../../field-error.ts';
import type {
  DiscoveryV1EndpointPort,
  Endpoint,
  EndpointAddress,
  EndpointPort,
  EndpointSlice,
  EndpointSubset,
  Endpoints,
} from '../../generated/types.ts';
import { type JsonValue, jsonEqual } from '../../json-value.ts';
import { checkPort, oneOf } from '../container.ts';
import { dnsLabel, dnsSubdomain, ipAddress, qualifiedName } from '../formats.ts';
import { check, immutable } from '../metadata.ts';

const protocols = ['SCTP', 'TCP', 'UDP'];
const addressesMax = 100;
const endpointsMax = 1000;
const portsMax = 20_000;

const refusals: Partial<Record<AddressClass, string>> = {
  loopback: 'may not be in the loopback range (127.0.0.0/8, ::1/128)',
  'link-local': 'may not be in the link-local range (169.254.0.0/16, fe80::/10)',
};

/** Violations in an address that traffic is sent to on somebody's word: not this machine, not its link. */
export function validateBackendAddress(field: FieldPath, text: string): FieldError[] {
  const complaints = check(field, text, ipAddress);
  if (complaints.length > 0) return complaints;
  const kind = addressClass(text) ?? 'global';
  if (kind === 'unspecified') return [invalidValue(field, text, `may not be unspecified (${text})`)];
  if (kind === 'multicast' && /^(224\.0\.0\.|ff02:)/i.test(text)) {
    const detail = 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)';
    return [invalidValue(field, text, detail)];
  }
  const detail = refusals[kind];
  return detail ? [invalidValue(field, text, detail)] : [];
}

/** Violations in endpoints. */
export function validateEndpoints({ subsets = [] }: Endpoints): FieldError[] {
  return subsets.flatMap((subset, index) => validateSubset(subset, at('subsets', index)));
}

/** Violations in a change of endpoints; what was there before may stay. */
export function validateEndpointsUpdate(next: Endpoints, previous: Endpoints): FieldError[] {
  const isSame = jsonEqual(next.subsets as unknown as JsonValue, previous.subsets as unknown as JsonValue);
  return isSame ? [] : validateEndpoints(next);
}

function validateSubset(
  { addresses = [], notReadyAddresses = [], ports = [] }: EndpointSubset,
  place: FieldPath,
): FieldError[] {
  const isEmpty = addresses.length + notReadyAddresses.length === 0;
  return [
    ...(isEmpty ? [required(place, 'must specify `addresses` or `notReadyAddresses`')] : []),
    ...addresses.flatMap((entry, index) => validateAddress(entry, at(child(place, 'addresses'), index))),
    ...notReadyAddresses.flatMap((entry, index) =>
      validateAddress(entry, at(child(place, 'notReadyAddresses'), index)),
    ),
    ...ports.flatMap((port, index) => validatePort(port, at(child(place, 'ports'), index), ports.length > 1)),
  ];
}

function validateAddress({ ip, hostname, nodeName }: EndpointAddress, place: FieldPath): FieldError[] {
  return [
    ...(hostname ? check(child(place, 'hostname'), hostname, dnsLabel) : []),
    ...(nodeName === undefined ? [] : check(child(place, 'nodeName'), nodeName, dnsSubdomain)),
    ...validateBackendAddress(child(place, 'ip'), ip),
  ];
}

function validatePort(port: EndpointPort, place: FieldPath, needsName: boolean): FieldError[] {
  const name = child(place, 'name');
  return [
    ...(port.name ? check(name, port.name, dnsLabel) : needsName ? [required(name)] : []),
    ...checkPort(child(place, 'port'), port.port),
    ...oneOf(child(place, 'protocol'), port.protocol, protocols),
    ...(port.appProtocol === undefined
      ? []
      : check(child(place, 'appProtocol'), port.appProtocol, qualifiedName)),
  ];
}

/** Violations in an endpoint slice. */
export function validateEndpointSlice(slice: EndpointSlice): FieldError[] {
  return [...validateSliceShape(slice), ...validateSliceEndpoints(slice)];
}

/** Violations in a change of an endpoint slice; endpoints that were there before may stay. */
export function validateEndpointSliceUpdate(next: EndpointSlice, previous: EndpointSlice): FieldError[] {
  const isSame = jsonEqual(
    next.endpoints as unknown as JsonValue,
    previous.endpoints as unknown as JsonValue,
  );
  return [
    ...validateSliceShape(next),
    ...(isSame ? [] : validateSliceEndpoints(next)),
    ...immutable('addressType', next.addressType, previous.addressType),
  ];
}

function validateSliceShape({ addressType, ports = [] }: EndpointSlice): FieldError[] {
  const errors = oneOf('addressType', addressType, ['FQDN', 'IPv4', 'IPv6']);
  if (ports.length > portsMax) return [...errors, tooMany('ports', ports.length, portsMax)];
  const seen = new Set<string>();
  return [
    ...errors,
    ...ports.flatMap((port, index) => {
      const { name = '' } = port;
      const isRepeated = seen.has(name);
      seen.add(name);
      const place = at('ports', index);
      return [
        ...validateSlicePort(port, place),
        ...(isRepeated ? [duplicate(child(place, 'name'), name)] : []),
      ];
    }),
  ];
}

function validateSlicePort(port: DiscoveryV1EndpointPort, place: FieldPath): FieldError[] {
  const { name, protocol, appProtocol } = port;
  const supported = protocol === undefined || protocols.includes(protocol);
  return [
    ...(name ? check(child(place, 'name'), name, dnsLabel) : []),
    ...(supported ? [] : [notSupported(child(place, 'protocol'), protocol, protocols)]),
    ...(appProtocol === undefined ? [] : check(child(place, 'appProtocol'), appProtocol, qualifiedName)),
  ];
}

function validateSliceEndpoints({ endpoints = [], addressType }: EndpointSlice): FieldError[] {
  if (endpoints.length > endpointsMax) return [tooMany('endpoints', endpoints.length, endpointsMax)];
  return endpoints.flatMap((endpoint, index) =>
    validateSliceEndpoint(endpoint, at('endpoints', index), addressType),
  );
}

function validateSliceEndpoint(
  { addresses = [], nodeName, hostname }: Endpoint,
  place: FieldPath,
  addressType: string,
): FieldError[] {
  const field = child(place, 'addresses');
  const count =
    addresses.length === 0
      ? [required(field, 'must contain at least 1 address')]
      : addresses.length > addressesMax
        ? [tooMany(field, addresses.length, addressesMax)]
        : [];
  return [
    ...count,
    ...addresses.flatMap((address, index) => validateSliceAddress(at(field, index), address, addressType)),
    ...(nodeName === undefined ? [] : check(child(place, 'nodeName'), nodeName, dnsSubdomain)),
    ...(hostname === undefined ? [] : check(child(place, 'hostname'), hostname, dnsLabel)),
  ];
}

function validateSliceAddress(field: FieldPath, address: string, addressType: string): FieldError[] {
  if (addressType === 'FQDN') return check(field, address, dnsSubdomain);
  const version = addressType === 'IPv6' ? 6 : 4;
  const isOther = isIP(address) !== 0 && isIP(address) !== version;
  return [
    ...(isOther ? [invalidValue(field, address, `must be an IPv${version} address`)] : []),
    ...validateBackendAddress(field, address),
  ];
}

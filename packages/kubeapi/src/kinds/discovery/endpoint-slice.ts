/** Endpoint slices: parts of the addresses behind a service (upstream: pkg/apis/discovery/validation). */

import type { DiscoveryV1EndpointPort, Endpoint, EndpointSlice } from '../../generated/types.ts';
import { type JsonValue, jsonEqual } from '../../json/json-value.ts';
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
} from '../../status/field-error.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, firstThree, nameColumn, type Printer } from '../../table/printer.ts';
import { validateBackendAddress } from '../../validation/addresses/backend-address.ts';
import {
  dnsLabel,
  dnsSubdomain,
  type FormatCheck,
  ipAddress,
  labelValueFormat,
  qualifiedName,
} from '../../validation/formats.ts';
import { check, immutable } from '../../validation/metadata.ts';
import { repeats } from '../../validation/repeats.ts';
import { oneOf } from '../../validation/values.ts';
import { canonicalAddress } from '../../values/ip-address.ts';
import type { KindDefinition } from '../definition.ts';

const protocols = ['SCTP', 'TCP', 'UDP'];
const addressesMax = 100;
const endpointsMax = 1000;
const portsMax = 20_000;

const printer: Printer<EndpointSlice> = {
  columns: [nameColumn, column('AddressType'), column('Ports'), column('Endpoints'), ageColumn],
  cells: ({ metadata, addressType, ports, endpoints }, nowMs) => [
    ...[metadata.name ?? '', addressType],
    firstThree((ports ?? []).map(({ port, name }) => String(port ?? name ?? '*'))).replace(
      '<none>',
      '<unset>',
    ),
    firstThree((endpoints ?? []).flatMap(({ addresses }) => addresses)).replace('<none>', '<unset>'),
    age(metadata.creationTimestamp, nowMs),
  ],
};

/** Endpoint slices: parts of the addresses behind a service (upstream: pkg/apis/discovery/validation). */
export const endpointSlice: KindDefinition<EndpointSlice> = {
  group: 'discovery.k8s.io',
  kind: 'EndpointSlice',
  printer,
  validate: validateEndpointSlice,
  validateUpdate: validateEndpointSliceUpdate,
  defaults: {
    DiscoveryV1EndpointPort: { name: '', protocol: 'TCP' },
  },
  descriptions: {
    EndpointSlice: {
      '': 'A part of the addresses behind a service.',
      addressType: 'IPv4, IPv6 or FQDN.',
      endpoints: 'The addresses.',
      ports: 'The ports of each.',
    },
  },
};

/** Violations in an endpoint slice. */
function validateEndpointSlice(slice: EndpointSlice): FieldError[] {
  return [...validateSliceShape(slice), ...validateSliceEndpoints(slice)];
}

/** Violations in a change of an endpoint slice; endpoints that were there before may stay. */
function validateEndpointSliceUpdate(next: EndpointSlice, previous: EndpointSlice): FieldError[] {
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
  { addresses = [], nodeName, hostname, hints }: Endpoint,
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
    ...addresses.flatMap((address, index) => validateSliceAddress(field, index, address, addressType)),
    ...(nodeName === undefined ? [] : check(child(place, 'nodeName'), nodeName, dnsSubdomain)),
    ...(hostname === undefined ? [] : check(child(place, 'hostname'), hostname, dnsLabel)),
    ...validateHints(hints?.forZones ?? [], child(place, 'hints', 'forZones'), labelValueFormat),
    ...validateHints(hints?.forNodes ?? [], child(place, 'hints', 'forNodes'), dnsSubdomain),
  ];
}

function validateSliceAddress(
  list: FieldPath,
  index: number,
  address: string,
  addressType: string,
): FieldError[] {
  const field = at(list, index);
  if (addressType === 'FQDN') return check(field, address, dnsSubdomain);
  if (addressType !== 'IPv4' && addressType !== 'IPv6') return [];
  const family = address.includes(':') ? 'IPv6' : 'IPv4';
  const isValid = ipAddress(address).length === 0;
  const canonical = canonicalAddress(address);
  // IPv4 has been taken in any form.
  const isCanonical = addressType === 'IPv4' || !isValid || address === canonical;
  const otherForm = invalidValue(field, address, `must be in canonical form ("${canonical}")`);
  const isOther = isCanonical && isValid && family !== addressType;
  return [
    ...(isOther ? [invalidValue(list, address, `must be an ${addressType} address`)] : []),
    ...(isCanonical ? validateBackendAddress(field, address) : [otherForm]),
  ];
}

const hintsMax = 8;

function validateHints(
  hints: readonly { name: string }[],
  field: FieldPath,
  format: FormatCheck,
): FieldError[] {
  if (hints.length > hintsMax) return [tooMany(field, hints.length, hintsMax)];
  const isRepeat = repeats<string>();
  return hints.flatMap(({ name = '' }, index) => {
    const place = child(at(field, index), 'name');
    return [...(isRepeat(name) ? [duplicate(place, name)] : []), ...check(place, name, format)];
  });
}

/** The addresses behind a service, in the old form (upstream: ValidateEndpoints). */

import type { EndpointAddress, EndpointPort, EndpointSubset, Endpoints } from '../../generated/types.ts';
import { type JsonValue, jsonEqual } from '../../json/json-value.ts';
import {
  at,
  child,
  type FieldError,
  type FieldPath,
  invalidValue,
  required,
} from '../../status/field-error.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, firstThree, nameColumn, type Printer } from '../../table/printer.ts';
import { validateBackendAddress } from '../../validation/addresses/backend-address.ts';
import { dnsLabel, dnsSubdomain, qualifiedName } from '../../validation/formats.ts';
import { check } from '../../validation/metadata.ts';
import { checkPort, oneOf } from '../../validation/values.ts';
import { withoutZeros } from '../../values/ip-address.ts';
import type { KindDefinition } from '../definition.ts';

const protocols = ['SCTP', 'TCP', 'UDP'];

const printer: Printer<Endpoints> = {
  columns: [nameColumn, column('Endpoints'), ageColumn],
  cells({ metadata, subsets }, nowMs) {
    const count = (subsets ?? []).reduce(
      (sum, { addresses = [], ports = [] }) => sum + addresses.length * Math.max(1, ports.length),
      0,
    );
    return [
      metadata.name ?? '',
      subsets?.length && count === 0 ? '' : firstThree(firstAddresses(subsets ?? []), count),
      age(metadata.creationTimestamp, nowMs),
    ];
  },
};

/** Of each subset's addresses with each of its ports, which may be a hundred million, as many as are shown. */
const firstAddresses = (subsets: EndpointSubset[]): string[] =>
  subsets.flatMap(({ addresses = [], ports = [] }) => {
    const some = addresses.slice(0, 3).map(({ ip }) => ip);
    if (ports.length === 0) return some;
    const hosts = some.map((ip) => (ip.includes(':') ? `[${ip}]` : ip));
    return ports.slice(0, 3).flatMap(({ port }) => hosts.map((host) => `${host}:${port}`));
  });

/** The addresses behind a service, in the old form (upstream: ValidateEndpoints). */
export const endpoints: KindDefinition<Endpoints> = {
  group: '',
  kind: 'Endpoints',
  printer,
  validate: validateEndpoints,
  validateUpdate: validateEndpointsUpdate,
  defaults: {
    EndpointPort: { protocol: 'TCP' },
  },
  descriptions: {
    Endpoints: {
      '': 'The addresses behind a service, in the old form.',
      subsets: 'Addresses and ports that belong together.',
    },
  },
};

/** Violations in endpoints. */
function validateEndpoints({ subsets = [] }: Endpoints): FieldError[] {
  return subsets.flatMap((subset, index) => validateSubset(subset, at('subsets', index)));
}

/** Violations in a change of endpoints; what was there before may stay. */
function validateEndpointsUpdate(next: Endpoints, previous: Endpoints): FieldError[] {
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
    // Upstream looks at it twice.
    ...(withoutZeros(ip) === undefined
      ? [invalidValue(child(place, 'ip'), ip, 'must be a valid IP address')]
      : []),
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

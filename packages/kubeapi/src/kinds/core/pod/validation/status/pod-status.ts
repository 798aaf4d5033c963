/** Violations in the status of a pod (upstream: ValidatePodStatusUpdate). */

import type {
  Pod,
  PodExtendedResourceClaimStatus,
  PodSpec,
  PodStatus,
} from '../../../../../generated/types.ts';
import { ownValue } from '../../../../../json/json-value.ts';
import {
  at,
  child,
  duplicate,
  type FieldError,
  forbiddenField,
  invalidValue,
  required,
} from '../../../../../status/field-error.ts';
import { dnsLabel, dnsSubdomain, ipAddress, qualifiedName } from '../../../../../validation/formats.ts';
import { check, immutable, nonNegative } from '../../../../../validation/metadata.ts';
import { repeats } from '../../../../../validation/repeats.ts';
import { validateAnnotationChange } from '../annotations.ts';
import { validateContainerStates } from './container-states.ts';
import { validateContainerStatuses } from './container-statuses.ts';

/** Their names have been there before names of conditions had a format. */
const systemConditions = ['PodScheduled', 'Ready', 'Initialized'];

/** Violations in a change of a pod's status. */
export function validatePodStatus(next: Pod, previous: Pod): FieldError[] {
  const status = next.status ?? {};
  const before = previous.status ?? {};
  const [first] = status.hostIPs ?? [];
  return [
    ...validateAnnotationChange(next, previous),
    ...(status.conditions ?? []).flatMap(({ type = '', observedGeneration }, index) => {
      const place = at('status.conditions', index);
      return [
        ...nonNegative(child(place, 'observedGeneration'), observedGeneration),
        ...(systemConditions.includes(type) ? [] : check(child(place, 'Type'), type, qualifiedName)),
      ];
    }),
    ...validateNomination(status, before, previous.spec?.nodeName),
    ...nonNegative('status.observedGeneration', status.observedGeneration),
    ...immutable('status.qosClass', status.qosClass ?? '', before.qosClass ?? ''),
    ...validateClaims(status, next.spec),
    ...validateExtendedClaim(status.extendedResourceClaimStatus, next.spec),
    ...validateAddresses('podIPs', status, before),
    ...(first && (status.hostIP ?? '') !== first.ip
      ? [invalidValue('status.hostIPs[0].ip', first.ip, 'must be equal to `hostIP`')]
      : []),
    ...validateAddresses('hostIPs', status, before),
    ...validateContainerStates(next, previous),
    ...validateContainerStatuses(next),
  ];
}

/** A pod that has a node needs no other. */
function validateNomination(status: PodStatus, before: PodStatus, node: string | undefined): FieldError[] {
  const field = 'status.nominatedNodeName';
  const { nominatedNodeName: name } = status;
  if (!name || name === before.nominatedNodeName) return [];
  const detail = 'may not be set on pods that are already bound to a node';
  return [...check(field, name, dnsSubdomain), ...(node ? [forbiddenField(field, detail)] : [])];
}

/** Addresses that are new are addresses; two are one of each family. */
function validateAddresses(name: 'podIPs' | 'hostIPs', status: PodStatus, before: PodStatus): FieldError[] {
  const field = child('status', name);
  const addresses = (status[name] ?? []).map(({ ip = '' }) => ip);
  const known = (before[name] ?? []).map(({ ip = '' }) => ip);
  const areAddresses = addresses.every((address) => ipAddress(address).length === 0);
  const count = new Set(addresses.map((address) => address.includes(':'))).size;
  const isPair = addresses.length === 2 && count === 2 && areAddresses;
  return [
    ...addresses.flatMap((address, index) =>
      known.includes(address) ? [] : check(at(field, index), address, ipAddress),
    ),
    ...(addresses.length > 1 && !isPair
      ? [invalidValue(field, addresses, 'may specify no more than one IP for each IP family')]
      : []),
  ];
}

function validateClaims({ resourceClaimStatuses = [] }: PodStatus, spec: PodSpec): FieldError[] {
  const claims = new Set((spec?.resourceClaims ?? []).map(({ name }) => name));
  const isRepeat = repeats<string>();
  return resourceClaimStatuses.flatMap(({ name = '', resourceClaimName: claim }, index) => {
    const place = at('status.resourceClaimStatuses', index);
    const detail = 'must match the name of an entry in `spec.resourceClaims`';
    return [
      ...(claims.has(name) ? [] : [invalidValue(child(place, 'name'), name, detail)]),
      ...(isRepeat(name) ? [duplicate(child(place, 'name'), name)] : []),
      ...(claim === undefined ? [] : check(child(place, 'resourceClaimName'), claim, dnsSubdomain)),
    ];
  });
}

function validateExtendedClaim(
  status: PodExtendedResourceClaimStatus | undefined,
  spec: PodSpec,
): FieldError[] {
  if (!status) return [];
  const field = 'status.extendedResourceClaimStatus';
  const { requestMappings = [], resourceClaimName: claim = '' } = status;
  const containers = new Map(
    [...(spec.initContainers ?? []), ...(spec.containers ?? [])].map((each) => [each.name, each]),
  );
  const seen = new Set<string>();
  const mappings = requestMappings.flatMap(({ containerName, resourceName, requestName }, index) => {
    const place = at(child(field, 'requestMappings'), index);
    const requests = containers.get(containerName)?.resources?.requests;
    const key = JSON.stringify([containerName, resourceName, requestName]);
    const isRepeated = seen.has(key);
    seen.add(key);
    const named = { containerName, resourceName, requestName };
    return [
      ...(containers.has(containerName)
        ? []
        : [invalidValue(child(place, 'containerName'), containerName, 'must be the name of a container')]),
      ...(containers.has(containerName) && ownValue(requests, resourceName) === undefined
        ? [invalidValue(child(place, 'resourceName'), resourceName, 'must be requested by the container')]
        : []),
      ...check(child(field, 'requestName'), requestName ?? '', dnsLabel),
      ...(isRepeated
        ? Object.entries(named).map(([name, value]) => duplicate(child(place, name), value ?? ''))
        : []),
    ];
  });
  const place = child(field, 'resourceClaimName');
  return [
    ...(requestMappings.length > 0
      ? mappings
      : [required(child(field, 'requestMappings'), 'at least one request mapping is required')]),
    ...(claim === '' ? [required(place)] : check(place, claim, dnsSubdomain)),
  ];
}

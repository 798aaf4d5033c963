/** Violations in services. */

import type { Service, ServicePort, ServiceSpec } from '../../../generated/types.ts';
import {
  at,
  child,
  duplicate,
  type FieldError,
  forbiddenField,
  invalidValue,
  required,
} from '../../../status/field-error.ts';
import { validateBackendAddress } from '../../../validation/addresses/backend-address.ts';
import { dnsLabel, dnsSubdomain, qualifiedName } from '../../../validation/formats.ts';
import { check, uniqueNames, validateLabels } from '../../../validation/metadata.ts';
import { checkPort, oneOf, validatePort } from '../../../validation/values.ts';
import { validateServiceAddressChange, validateServiceAddresses } from './addresses.ts';
import { validateLoadBalancer, validateLoadBalancerChange } from './load-balancer.ts';
import { validateTraffic, validateTrafficChange } from './traffic.ts';

const serviceTypes = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const affinities = ['ClientIP', 'None'];
const affinitySecondsMax = 86_400;

/** Violations in a service; addresses and ranges that `previous` has already are not doubted again. */
export function validateService(service: Service, previous?: Service): FieldError[] {
  const { spec } = service;
  const { ports = [], type = '' } = spec;
  const { clusterIPs = [] } = spec;
  const isHeadless = clusterIPs.length === 1 && clusterIPs[0] === 'None';
  return [
    ...(ports.length === 0 && !isHeadless && type !== 'ExternalName' ? [required('spec.ports')] : []),
    ...validateTypeFields(spec),
    ...ports.flatMap((port, index) => validateServicePort(port, at('spec.ports', index), ports.length > 1)),
    ...uniqueNames(
      ports.map(({ name }) => name),
      (index) => child(at('spec.ports', index), 'name'),
    ),
    ...validateLabels(spec.selector, 'spec.selector'),
    ...validateAffinity(spec),
    ...(spec.externalIPs ?? []).flatMap((address, index) =>
      validateBackendAddress(at('spec.externalIPs', index), address),
    ),
    ...oneOf('spec.type', type, serviceTypes),
    ...validateServiceAddresses(spec, previous?.spec.clusterIPs),
    ...validateLoadBalancer(service, previous),
    ...validateNodePorts(spec),
    ...repeatedPorts(ports),
    ...validateTraffic(spec),
  ];
}

/** Violations in a change of a service. */
export function validateServiceUpdate(next: Service, previous: Service): FieldError[] {
  return [
    ...validateServiceAddressChange(next, previous),
    ...validateLoadBalancerChange(next, previous),
    ...validateTrafficChange(next, previous),
    ...validateService(next, previous),
  ];
}

function validateTypeFields(spec: ServiceSpec): FieldError[] {
  const { type, externalName = '', clusterIPs = [] } = spec;
  if ((type === 'LoadBalancer' || type === 'NodePort') && clusterIPs[0] === 'None') {
    const detail = `may not be set to 'None' for ${type} services`;
    return [invalidValue('spec.clusterIPs[0]', 'None', detail)];
  }
  if (type !== 'ExternalName') return [];
  const detail = 'may not be set for ExternalName services';
  const errors = (['clusterIPs', 'ipFamilies', 'ipFamilyPolicy'] as const)
    .filter((name) => spec[name] !== undefined)
    .map((name) => forbiddenField(child('spec', name), detail));
  const name = externalName.replace(/\.$/, '');
  return [
    ...errors,
    ...(name ? check('spec.externalName', name, dnsSubdomain) : [required('spec.externalName')]),
  ];
}

function validateServicePort(port: ServicePort, place: string, needsName: boolean): FieldError[] {
  const name = child(place, 'name');
  return [
    ...(port.name ? check(name, port.name, dnsLabel) : needsName ? [required(name)] : []),
    ...checkPort(child(place, 'port'), port.port),
    ...oneOf(child(place, 'protocol'), port.protocol, ['SCTP', 'TCP', 'UDP']),
    ...validatePort(port.targetPort ?? 0, child(place, 'targetPort')),
    ...(port.appProtocol === undefined
      ? []
      : check(child(place, 'appProtocol'), port.appProtocol, qualifiedName)),
  ];
}

function validateAffinity({ sessionAffinity, sessionAffinityConfig }: ServiceSpec): FieldError[] {
  const errors = oneOf('spec.sessionAffinity', sessionAffinity, affinities);
  if (errors.length > 0) return errors;
  const seconds = sessionAffinityConfig?.clientIP?.timeoutSeconds;
  if (sessionAffinity === 'None' || seconds === undefined || (seconds > 0 && seconds <= affinitySecondsMax))
    return [];
  const detail = `must be greater than 0 and less than ${affinitySecondsMax}`;
  return [invalidValue('spec.sessionAffinityConfig.clientIP.timeoutSeconds', seconds, detail)];
}

function validateNodePorts({ type, ports = [] }: ServiceSpec): FieldError[] {
  const place = (index: number) => child(at('spec.ports', index), 'nodePort');
  const seen = new Set<string>();
  return ports.flatMap(({ nodePort, protocol }, index) => {
    if (!nodePort) return [];
    const key = `${protocol}/${nodePort}`;
    const repeated = seen.has(key) ? [duplicate(place(index), nodePort)] : [];
    seen.add(key);
    const detail = "may not be used when `type` is 'ClusterIP'";
    return type === 'ClusterIP' ? [forbiddenField(place(index), detail), ...repeated] : repeated;
  });
}

function repeatedPorts(ports: ServicePort[]): FieldError[] {
  const seen = new Set<string>();
  return ports.flatMap(({ protocol = '', port }, index) => {
    const key = `${protocol}/${port}`;
    const isRepeated = seen.has(key);
    seen.add(key);
    return isRepeated ? [duplicate(at('spec.ports', index), { protocol, port })] : [];
  });
}

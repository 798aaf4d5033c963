/** Violations in what an ingress leads where (upstream: pkg/apis/networking/validation). */
import type { HTTPIngressPath, Ingress, IngressBackend, IngressSpec } from '../../generated/types.ts';
import {
  at,
  child,
  type FieldError,
  type FieldPath,
  invalidValue,
  notSupported,
  required,
} from '../../status/field-error.ts';
import { parseCidr } from '../../validation/addresses/cidr.ts';
import { dnsLabel, dnsSubdomain, type FormatCheck, ipAddress, portName } from '../../validation/formats.ts';
import { check } from '../../validation/metadata.ts';
import { requiredName } from '../../validation/references.ts';
import { checkPort } from '../../validation/values.ts';

const wildcard = /^\*\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const wildcardHost: FormatCheck = (host) => [
  ...(Buffer.byteLength(host) > 253 ? ['must be no more than 253 characters'] : []),
  ...(wildcard.test(host)
    ? []
    : ["a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain"]),
];
/** However it is written: zeros before its parts make it no name. */
const isAddress = (host: string) => parseCidr(`${host}/0`) !== undefined;
const hostFormat = (host: string) => (host.includes('*') ? wildcardHost : dnsSubdomain);

/** Violations in a spec; names of secrets, and paths of wildcard hosts, are free where one of `previous` is wrong. */
export function validateIngressSpec(
  { rules = [], defaultBackend, tls = [], ingressClassName }: IngressSpec,
  previous?: IngressSpec,
): FieldError[] {
  const takesAnySecret = (previous?.tls ?? []).some(
    ({ secretName }) => secretName && dnsSubdomain(secretName).length > 0,
  );
  const takesAnyPath = (previous?.rules ?? []).some(
    ({ host, http }) => host?.includes('*') && http && validatePaths(http.paths ?? [], '').length > 0,
  );
  return [
    ...(rules.length === 0 && !defaultBackend
      ? [invalidValue('spec', null, 'either `defaultBackend` or `rules` must be specified')]
      : []),
    ...(defaultBackend ? validateBackend(defaultBackend, 'spec.defaultBackend') : []),
    ...rules.flatMap(({ host = '', http }, index) => {
      const place = at('spec.rules', index);
      return [
        ...(host === '' ? [] : validateHost(host, child(place, 'host'))),
        ...(http && !(takesAnyPath && host.includes('*'))
          ? validatePaths(http.paths ?? [], child(place, 'http', 'paths'))
          : []),
      ];
    }),
    ...tls.flatMap(({ hosts = [], secretName }, index) => {
      const place = at('spec.tls', index);
      return [
        ...hosts.flatMap((host, at_) => check(at(child(place, 'hosts'), at_), host, hostFormat(host))),
        ...(secretName && !takesAnySecret ? check(child(place, 'secretName'), secretName, dnsSubdomain) : []),
      ];
    }),
    ...(ingressClassName === undefined ? [] : check('spec.ingressClassName', ingressClassName, dnsSubdomain)),
  ];
}

function validateHost(host: string, field: FieldPath): FieldError[] {
  return [
    ...(isAddress(host) ? [invalidValue(field, host, 'must be a DNS name, not an IP address')] : []),
    ...check(field, host, hostFormat(host)),
  ];
}

function validatePaths(paths: readonly HTTPIngressPath[], field: FieldPath): FieldError[] {
  if (paths.length === 0) return [required(field)];
  return paths.flatMap((path, index) => validatePath(path, at(field, index)));
}

const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'];
const badParts = ['//', '/./', '/../', '%2f', '%2F'];
const badEnds = ['/..', '/.'];

function validatePath({ path = '', pathType, backend }: HTTPIngressPath, field: FieldPath): FieldError[] {
  const place = child(field, 'path');
  if (pathType === undefined) return [required(child(field, 'pathType'), 'pathType must be specified')];
  const errors: FieldError[] = [];
  if (!pathTypes.includes(pathType)) errors.push(notSupported(child(field, 'pathType'), pathType, pathTypes));
  else {
    const isMatched = pathType !== 'ImplementationSpecific';
    if ((isMatched || path !== '') && !path.startsWith('/')) {
      errors.push(invalidValue(place, path, 'must be an absolute path'));
    }
    const bad = [
      ...badParts.filter((part) => path.includes(part)).map((part) => `must not contain '${part}'`),
      ...badEnds.filter((end) => path.endsWith(end)).map((end) => `cannot end with '${end}'`),
    ];
    if (isMatched) errors.push(...bad.map((detail) => invalidValue(place, path, detail)));
  }
  return [...errors, ...validateBackend(backend ?? {}, child(field, 'backend'))];
}

function validateBackend({ service, resource }: IngressBackend, field: FieldPath): FieldError[] {
  if (service && resource) return [invalidValue(field, '', 'cannot set both resource and service backends')];
  if (resource) {
    const place = child(field, 'resource');
    return [
      ...(resource.apiGroup === undefined
        ? []
        : check(child(place, 'apiGroup'), resource.apiGroup, dnsSubdomain)),
      ...requiredName(child(place, 'kind'), resource.kind),
      ...requiredName(child(place, 'name'), resource.name),
    ];
  }
  if (!service) return [invalidValue(field, '', 'resource or service backend is required')];
  const { name = '', number = 0 } = service.port ?? {};
  const port = child(field, 'service', 'port');
  return [
    ...requiredName(child(field, 'service', 'name'), service.name, dnsLabel),
    ...(name !== '' && number !== 0
      ? [invalidValue(field, '', 'cannot set both port name & port number')]
      : name !== ''
        ? check(child(port, 'name'), name, portName)
        : number !== 0
          ? checkPort(child(port, 'number'), number)
          : [required(field, 'port name or number is required')]),
  ];
}

/** Violations in a status: names of load balancers, and addresses that are new. */
export function ingressStatusErrors({ status }: Ingress, previous: Ingress): FieldError[] {
  const before = (previous.status?.loadBalancer?.ingress ?? []).map(({ ip }) => ip);
  return (status?.loadBalancer?.ingress ?? []).flatMap(({ ip, hostname }, index) => {
    const place = at('status.loadBalancer.ingress', index);
    return [
      ...(ip && !before.includes(ip) ? check(child(place, 'ip'), ip, ipAddress) : []),
      ...(hostname ? check(child(place, 'hostname'), hostname, dnsSubdomain) : []),
      ...(hostname && isAddress(hostname)
        ? [invalidValue(child(place, 'hostname'), hostname, 'must be a DNS name, not an IP address')]
        : []),
    ];
  });
}

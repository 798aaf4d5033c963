/** What has to be so of an EgressSelectorConfiguration (upstream: apiserver pkg/server/egressselector/config.go). */
import { existsSync } from 'node:fs';
import {
  at,
  child,
  duplicate,
  type FieldError,
  invalidValue,
  type JsonValue,
  joinFieldErrors,
  notSupported,
  required,
} from '@wherry/kubeapi';
import type { EgressConfiguration, EgressSelection, TcpTransport, TlsFiles } from './configuration.ts';

/** What connections are for. */
export const egressTypes = ['cluster', 'controlplane', 'etcd'] as const;
export type EgressType = (typeof egressTypes)[number];

const protocols = ['Direct', 'HTTPConnect', 'GRPC'];
/** Upstream's name of the place, whichever selection it is. */
const place = 'service.connection';

/** Throws an Error with all violations. */
export function validateEgress({ selections }: EgressConfiguration): void {
  const errors = [...selections.flatMap(connectionErrors), ...nameErrors(selections)];
  if (errors.length > 0) throw new Error(joinFieldErrors(errors));
}

function nameErrors(selections: readonly EgressSelection[]): FieldError[] {
  const seen = new Set<string>();
  return selections.flatMap(({ name: given }, index) => {
    const name = given.toLowerCase();
    if (seen.has(name)) return [duplicate(at(place, index), name)];
    seen.add(name);
    return egressTypes.some((type) => type === name) ? [] : [notSupported(place, name, egressTypes)];
  });
}

function connectionErrors({ proxyProtocol, transport }: EgressSelection): FieldError[] {
  const transportPlace = child(place, 'transport');
  if (proxyProtocol === 'Direct') {
    const why = 'config must be absent for direct connect';
    return transport ? [invalidValue(transportPlace, 'direct', why)] : [];
  }
  if (!protocols.includes(proxyProtocol))
    return [notSupported(child(place, 'protocol'), proxyProtocol, protocols)];
  if (!transport) return [required(transportPlace, `transport must be set for ${proxyProtocol}`)];
  const { tcp, uds } = transport;
  if (proxyProtocol === 'GRPC')
    return uds ? udsErrors(uds) : [required(child(place, 'uds'), 'UDS must be set with GRPC')];
  if (tcp && uds)
    return [invalidValue(child(place, 'tcp'), tcp as unknown as JsonValue, 'TCP and UDS cannot both be set')];
  if (tcp) return tcpErrors(tcp);
  return uds ? udsErrors(uds) : [required(child(place, 'tcp'), 'One of TCP or UDS must be set')];
}

function udsErrors({ udsName }: { udsName: string }): FieldError[] {
  const why = 'must be present for UDS connections';
  return udsName === '' ? [invalidValue(child(place, 'udsName'), 'nil', why)] : [];
}

function tcpErrors({ url, tlsConfig }: TcpTransport): FieldError[] {
  const tlsPlace = child(place, 'tlsConfig');
  const isSecure = url.startsWith('https://');
  const urlPlace = child(place, 'url');
  if (!isSecure && !url.startsWith('http://'))
    return [invalidValue(urlPlace, url, 'supported connection protocols are http:// and https://')];
  if (!URL.canParse(url)) return [invalidValue(urlPlace, url, 'it is no URL')];
  if (!isSecure)
    return tlsConfig ? [invalidValue(tlsPlace, 'nil', 'config must not be present when using HTTP')] : [];
  return tlsConfig
    ? tlsErrors(tlsPlace, tlsConfig)
    : [required(tlsPlace, 'TLSConfig must be present when using HTTPS')];
}

function tlsErrors(path: string, { caBundle, clientCert, clientKey }: TlsFiles): FieldError[] {
  const absent = (name: string, file: string, why: string) =>
    file === '' || existsSync(file) ? [] : [invalidValue(child(path, name), file, why)];
  const unsaid = (name: string, file: string, why: string) =>
    file === '' ? [invalidValue(child(path, name), 'nil', why)] : [];
  return [
    ...absent('caBundle', caBundle, 'TLS config ca bundle does not exist'),
    ...unsaid('clientCert', clientCert, 'Using TLS requires clientCert'),
    ...absent('clientCert', clientCert, 'TLS client cert does not exist'),
    // As upstream words it.
    ...unsaid('clientKey', clientKey, 'Using TLS requires requires clientKey'),
    ...absent('clientKey', clientKey, 'TLS client key does not exist'),
  ];
}

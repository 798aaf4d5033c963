import { isIP, isIPv4 } from 'node:net';
import { badRequest, type Endpoints, type Pod, type Service, serviceUnavailable } from '@wherry/kubeapi';
import type { TlsClientOptions } from '@wherry/upgrade';
import { as } from '../registry/api-object.ts';
import type { Endpoint } from '../registry/endpoint.ts';
import type { ResourceRequest } from '../registry/request.ts';
import type { Kubelets } from './kubelets.ts';

/** What a proxy request leads to. */
export interface ProxyTarget {
  /** `http://HOST:PORT` or with https. */
  origin: string;
  tls: TlsClientOptions;
}

/** Where proxy requests look things up. */
export interface ProxyTargetOptions {
  pods: Endpoint;
  services: Endpoint;
  endpoints: Endpoint;
  kubelets: Kubelets;
}

/** Backends in the cluster present certificates that nobody here can check, as upstream. */
const unverified: TlsClientOptions = { rejectUnauthorized: false };

/** `[scheme:]name[:port]`, as `…/proxy` paths name what they mean. Undefined when it is not that. */
export function splitName(text: string): { scheme: string; name: string; port: string } | undefined {
  const parts = text.split(':');
  const [first = '', second = '', third = ''] = parts;
  if (parts.length > 3) return undefined;
  if (parts.length < 3) return first === '' ? undefined : { scheme: '', name: first, port: second };
  const isScheme = first === '' || first === 'http' || first === 'https';
  return isScheme && second !== '' ? { scheme: first, name: second, port: third } : undefined;
}

/** Finds the backend of a `pods`, `services` or `nodes` proxy request. Throws 400, 404 and 503. */
export async function proxyTarget(
  options: ProxyTargetOptions,
  request: ResourceRequest,
): Promise<ProxyTarget> {
  const { resource, name } = request.info;
  const parts = splitName(name);
  if (!parts) throw badRequest(`invalid ${resource.slice(0, -1)} request ${JSON.stringify(name)}`);
  if (resource === 'nodes') return nodeTarget(options, parts);
  return resource === 'services'
    ? serviceTarget(options, request, parts)
    : podTarget(options, request, parts);
}

type Parts = NonNullable<ReturnType<typeof splitName>>;

async function podTarget(
  { pods }: ProxyTargetOptions,
  { info }: ResourceRequest,
  parts: Parts,
): Promise<ProxyTarget> {
  const { object } = await pods.storage.get({ namespace: info.namespace, name: parts.name });
  const pod = as<Pod>(object);
  const declared = (pod.spec?.containers ?? []).flatMap(({ ports }) => ports ?? [])[0]?.containerPort;
  const address = pod.status?.podIPs?.[0]?.ip ?? pod.status?.podIP ?? '';
  if (!isGlobalUnicast(address)) throw badRequest('address not allowed');
  return { origin: originOf(parts.scheme, address, parts.port || String(declared ?? '')), tls: unverified };
}

async function serviceTarget(
  { services, endpoints }: ProxyTargetOptions,
  { info }: ResourceRequest,
  { scheme, name, port }: Parts,
): Promise<ProxyTarget> {
  const { namespace } = info;
  const service = as<Service>((await services.storage.get({ namespace, name })).object);
  const wanted =
    port === ''
      ? undefined
      : service.spec?.ports?.find((entry) => entry.name === port || String(entry.port) === port);
  if (port !== '' && !wanted)
    throw serviceUnavailable(
      `no service port ${JSON.stringify(port)} found for service ${JSON.stringify(name)}`,
    );
  const portName = wanted?.name ?? '';
  const found = await endpoints.storage.get({ namespace, name });
  for (const subset of as<Endpoints>(found.object).subsets ?? []) {
    const match = subset.ports?.find((entry) => port === '' || (entry.name ?? '') === portName);
    const address = subset.addresses?.[0]?.ip;
    if (!match || !address) continue;
    if (!isGlobalUnicast(address)) throw badRequest('address not allowed');
    return { origin: originOf(scheme, address, String(match.port)), tls: unverified };
  }
  throw serviceUnavailable(`no endpoints available for service ${JSON.stringify(name)}`);
}

function nodeTarget({ kubelets }: ProxyTargetOptions, { scheme, name, port }: Parts): ProxyTarget {
  const { origin } = kubelets.locate(name);
  const { hostname, port: kubeletPort } = new URL(origin);
  if (port === '' || port === kubeletPort) return { origin, tls: kubelets.tls };
  if (!isGlobalUnicast(hostname.replace(/^\[|\]$/g, ''))) throw badRequest('address not allowed');
  return { origin: originOf(scheme, hostname, port), tls: unverified };
}

function originOf(scheme: string, address: string, port: string): string {
  const host = isIP(address) === 6 ? `[${address}]` : address;
  return `${scheme || 'http'}://${host}${port === '' ? '' : `:${port}`}`;
}

/** False for loopback, link-local, multicast and unspecified addresses: those are this machine's own business. */
function isGlobalUnicast(address: string): boolean {
  if (isIPv4(address))
    return !/^(0\.0\.0\.0$|127\.|169\.254\.|22[4-9]\.|23\d\.|255\.255\.255\.255$)/.test(address);
  return isIP(address) === 6 && !/^(::1?$|fe[89ab]|ff)/i.test(address);
}

import {
  badRequest,
  type EndpointAddress,
  type Endpoints,
  notFound,
  type Pod,
  type Service,
  serviceUnavailable,
} from '@wherry/kubeapi';
import type { TlsClientOptions } from '@wherry/upgrade';
import type { Authorizer } from '../authorization/authorizer.ts';
import { type Backend, parsePort } from '../dialing/backend-url.ts';
import type { DialGuard } from '../dialing/dial-guard.ts';
import type { Way } from '../dialing/dialled-agents.ts';
import { as } from '../objects/api-object.ts';
import type { Collection } from '../registry/collection.ts';
import type { ResourceRequest } from '../requests/request.ts';
import type { Kubelets } from './kubelets.ts';

/** What a proxy request leads to. */
export interface ProxyTarget {
  backend: Backend;
  tls: TlsClientOptions;
  way: Way | undefined;
}

/** Where proxy requests look things up. */
export interface ProxyTargetOptions {
  pods: Collection;
  services: Collection;
  endpoints: Collection;
  kubelets: Kubelets;
  guard: DialGuard;
  /** How what is in the cluster is reached; undefined: from here. */
  way: Way | undefined;
  authorizer: Authorizer;
}

/** Backends in the cluster present certificates that nobody here can check, as upstream. */
const unverified: TlsClientOptions = { rejectUnauthorized: false };

/** What `[scheme:]name[:port]` says. */
export interface NameParts {
  scheme: Backend['scheme'];
  name: string;
  /** A number, the name of a port, or ''. */
  port: string;
}

/** `[scheme:]name[:port]`, as `…/proxy` paths name what they mean. Undefined when it is not that. */
export function splitName(text: string): NameParts | undefined {
  const parts = text.split(':');
  const [first = '', second = '', third = ''] = parts;
  if (parts.length > 3) return undefined;
  if (parts.length < 3) return first === '' ? undefined : { scheme: 'http', name: first, port: second };
  const isScheme = first === '' || first === 'http' || first === 'https';
  const scheme = first === 'https' ? 'https' : 'http';
  return isScheme && second !== '' ? { scheme, name: second, port: third } : undefined;
}

/** Finds the backend of a `pods`, `services` or `nodes` proxy request. Throws 400, 404 and 503. */
export async function proxyTarget(
  options: ProxyTargetOptions,
  request: ResourceRequest,
): Promise<ProxyTarget> {
  const { resource, name } = request.info;
  const parts = splitName(name);
  if (!parts) throw badRequest(`invalid ${resource.slice(0, -1)} request ${JSON.stringify(name)}`);
  if (resource === 'nodes') return nodeTarget(options, request, parts);
  return resource === 'services'
    ? serviceTarget(options, request, parts)
    : podTarget(options, request, parts);
}

async function podTarget(
  { pods, guard, way }: ProxyTargetOptions,
  { info, signal }: ResourceRequest,
  { scheme, name, port }: NameParts,
): Promise<ProxyTarget> {
  const { object } = await pods.storage.get({ namespace: info.namespace, name });
  const pod = as<Pod>(object);
  const declared = (pod.spec?.containers ?? []).flatMap(({ ports }) => ports ?? []);
  const number =
    port === ''
      ? (declared[0]?.containerPort ?? defaultPort(scheme))
      : (parsePort(port) ?? declared.find((entry) => entry.name === port)?.containerPort);
  if (number === undefined) throw badRequest(`invalid pod request ${JSON.stringify(info.name)}`);
  const host = pod.status?.podIPs?.[0]?.ip ?? pod.status?.podIP ?? '';
  const address = await guard.resolve({ host: host || '0.0.0.0', port: number, signal });
  return { backend: { scheme, address, port: number }, tls: unverified, way };
}

async function serviceTarget(
  options: ProxyTargetOptions,
  { info, signal }: ResourceRequest,
  { scheme, name, port }: NameParts,
): Promise<ProxyTarget> {
  const { services, endpoints, guard, way } = options;
  const { namespace } = info;
  const ports =
    port === '' ? [] : as<Service>((await services.storage.get({ namespace, name })).object).spec?.ports;
  const wanted = ports?.find((entry) => entry.name === port || String(entry.port) === port);
  if (port !== '' && !wanted)
    throw serviceUnavailable(
      `no service port ${JSON.stringify(port)} found for service ${JSON.stringify(name)}`,
    );
  const portName = wanted?.name ?? '';
  // Without a port nobody asks for the service itself, as upstream.
  const found = await endpoints.storage.find({ namespace, name });
  if (!found) throw notFound(services.storage.ref, name);
  for (const { ports = [], addresses = [] } of as<Endpoints>(found.object).subsets ?? []) {
    const match = ports.find((entry) => port === '' || (entry.name ?? '') === portName);
    if (!match) continue;
    for (const entry of addresses) {
      if (!(await isPods(entry, options, namespace))) continue;
      const address = await guard.resolve({ host: entry.ip, port: match.port, signal });
      return { backend: { scheme, address, port: match.port }, tls: unverified, way };
    }
  }
  throw serviceUnavailable(`no endpoints available for service ${JSON.stringify(name)}`);
}

/** Endpoints can be written by users: only what a pod of the namespace really has is led to, as upstream. */
async function isPods(
  { ip, targetRef }: EndpointAddress,
  { pods }: ProxyTargetOptions,
  namespace: string,
): Promise<boolean> {
  if (targetRef?.kind !== 'Pod' || !targetRef.name) return false;
  if (targetRef.namespace && targetRef.namespace !== namespace) return false;
  const found = await pods.storage.find({ namespace, name: targetRef.name });
  const status = found && as<Pod>(found.object).status;
  return status?.podIPs?.some((entry) => entry.ip === ip) === true || status?.podIP === ip;
}

async function nodeTarget(
  { kubelets, guard, way }: ProxyTargetOptions,
  { info, signal }: ResourceRequest,
  { scheme, name, port }: NameParts,
): Promise<ProxyTarget> {
  const { backend, host, tls } = await kubelets.locate(name, signal);
  const number = port === '' ? backend.port : parsePort(port);
  if (number === undefined) throw badRequest(`invalid node request ${JSON.stringify(info.name)}`);
  if (number === backend.port) return { backend, tls, way };
  const isRemote = way !== undefined;
  const address = await guard.resolve({ host, port: number, isRemote, signal });
  return { backend: { scheme, address, port: number, isRemote }, tls: unverified, way };
}

function defaultPort(scheme: Backend['scheme']): number {
  return scheme === 'https' ? 443 : 80;
}

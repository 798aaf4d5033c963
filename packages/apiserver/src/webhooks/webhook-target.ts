import { isIP } from 'node:net';
import { posix } from 'node:path';
import {
  type EndpointSlice,
  notFound,
  type Service,
  type ServiceReference,
  serviceUnavailable,
  type WebhookClientConfig,
} from '@wherry/kubeapi';
import { type Backend, backendUrl } from '../dialing/backend-url.ts';
import { hostOf } from '../dialing/dial.ts';
import type { DialGuard } from '../dialing/dial-guard.ts';
import type { Way } from '../dialing/dialled-agents.ts';
import type { ObjectCache } from '../objects/object-cache.ts';

/** Where a webhook listens, as it may be dialed. */
export interface WebhookTarget {
  /** An address, a port and a path. */
  url: URL;
  /** What errors call it. */
  shownUrl: string;
  /** The `Host` of requests. */
  host: string;
  /** Whom its certificate has to name; undefined = the address. */
  servername: string | undefined;
}

/** Where services and what is behind them are looked up. */
export interface TargetSources {
  guard: DialGuard;
  /** How services' endpoints are reached, and how URLs are; undefined: from here. */
  cluster?: Way | undefined;
  controlPlane?: Way | undefined;
  services: ObjectCache<Service>;
  /** Slices of a service's endpoints. */
  slicesOf(namespace: string, name: string): Promise<readonly EndpointSlice[]>;
}

const defaultPort = 443;

/**
 * Finds out what to dial for a webhook, and that it may be dialed. The machine's own addresses are fine for a URL, as
 * upstream, since none but administrators write webhooks; what a service leads to, others write, and there they are not.
 * Throws on what can't be found or must not be dialed.
 */
export async function webhookTarget(
  { url, service }: WebhookClientConfig,
  sources: TargetSources,
  signal: AbortSignal,
): Promise<WebhookTarget> {
  if (service) return serviceTarget(service, sources, signal);
  const wanted = new URL(url ?? '');
  const host = hostOf(wanted);
  const port = Number(wanted.port || defaultPort);
  const isRemote = sources.controlPlane !== undefined;
  const address = await sources.guard.resolve({ host, port, isLocal: true, isRemote, signal });
  const target = backendUrl(
    { scheme: 'https', address, port, isRemote },
    cleaned(decodeURIComponent(wanted.pathname)),
  );
  return {
    ...{ url: target, shownUrl: url ?? '', host: wanted.host },
    servername: isIP(host) === 0 ? host : undefined,
  };
}

/** As upstream sends it (client-go, rest/url_utils.go): one slash in front and between, none behind. */
function cleaned(path: string): string {
  const joined = posix.join('/', path);
  return joined === '/' ? joined : joined.replace(/\/$/, '');
}

/** A ready endpoint of a service, as it may be dialed. Throws 404, 503 and 400. */
export async function serviceEndpoint(
  service: { namespace: string; name: string; port: number },
  sources: TargetSources,
  signal: AbortSignal,
): Promise<Omit<Backend, 'scheme'>> {
  const endpoint = await endpointOf(service, sources);
  const isRemote = sources.cluster !== undefined;
  const address = await sources.guard.resolve({ ...endpoint, isRemote, signal });
  return { address, port: endpoint.port, isRemote };
}

async function serviceTarget(
  { namespace, name, path = '', port = defaultPort }: ServiceReference,
  sources: TargetSources,
  signal: AbortSignal,
): Promise<WebhookTarget> {
  const servername = `${name}.${namespace}.svc`;
  const endpoint = await serviceEndpoint({ namespace, name, port }, sources, signal);
  const suffix = cleaned(path);
  return {
    url: backendUrl({ scheme: 'https', ...endpoint }, suffix),
    shownUrl: `https://${servername}:${port}${suffix}`,
    host: `${servername}:${port}`,
    servername,
  };
}

/** One of the endpoints that serve a port, by chance. Our own look-up: the service's address leads nowhere without a node. */
async function endpointOf(
  { namespace, name, port }: { namespace: string; name: string; port: number },
  { services, slicesOf }: TargetSources,
): Promise<{ host: string; port: number }> {
  const service = services.get(`${namespace}/${name}`);
  if (!service) throw notFound({ group: '', resource: 'services' }, name);
  const { type, externalName = '', ports = [] } = service.spec ?? {};
  if (type === 'ExternalName') return { host: externalName, port };
  const wanted = ports.find((entry) => entry.port === port);
  if (!wanted) throw serviceUnavailable(`no service port ${port} found for service ${JSON.stringify(name)}`);
  const found = (await slicesOf(namespace, name)).flatMap(({ endpoints = [], ports: served = [] }) => {
    const match = served.find((entry) => (entry.name ?? '') === (wanted.name ?? ''));
    if (match?.port === undefined) return [];
    const ready = endpoints.filter(({ conditions }) => conditions?.ready !== false);
    return ready
      .flatMap(({ addresses }) => addresses.slice(0, 1))
      .map((host) => ({ host, port: match.port! }));
  });
  const chosen = found[Math.floor(Math.random() * found.length)];
  if (!chosen) throw serviceUnavailable(`no endpoints available for service ${JSON.stringify(name)}`);
  return chosen;
}

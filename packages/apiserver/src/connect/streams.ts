import type { Clock } from '@wherry/clock';
import { badRequest } from '@wherry/kubeapi';
import { translateRemoteCommand, wantsTranslation } from '@wherry/remotecommand';
import {
  auditIdHeader,
  type Counter,
  type LiveSession,
  type Logger,
  type MetricsRegistry,
  type SessionBook,
  traceparentHeader,
} from '@wherry/telemetry';
import { proxyUpgrade, tunnelUpgrade, type UpgradeExchange, wantsTunnel } from '@wherry/upgrade';
import type { Authorizer } from '../authorization/authorizer.ts';
import { backendUrl } from '../dialing/backend-url.ts';
import { connectBy } from '../dialing/dialled-agents.ts';
import { errorAnswer } from '../http/error-answer.ts';
import type { Collection } from '../registry/collection.ts';
import type { ResourceRequest } from '../requests/request.ts';
import { admitConnect } from './admit-connect.ts';
import { authorizeCreate } from './authorize-create.ts';
import type { KubeletAddress, Kubelets } from './kubelets.ts';
import { openSession } from './open-session.ts';
import { chooseContainer, type PodTarget, readPod, requireNode } from './pod-target.ts';
import {
  commandLocation,
  namedPorts,
  portForwardLocation,
  type StreamLocation,
  type StreamSubresource,
} from './stream-location.ts';

/** What the stream sub-resources work with. */
export interface StreamConnectorOptions {
  pods: Collection;
  kubelets: Kubelets;
  authorizer: Authorizer;
  metrics: MetricsRegistry;
  sessions: SessionBook;
  clock: Clock;
  logger: Logger;
}

/** Where a session leads. */
interface Route {
  target: PodTarget;
  /** Of exec and attach. */
  container: string | undefined;
  kubelet: KubeletAddress;
  location: StreamLocation;
}

/** A session that has a client and a way. */
interface Opened {
  request: ResourceRequest;
  exchange: UpgradeExchange;
  route: Route;
  session: LiveSession;
}

/** exec, attach and portforward: checks the request, finds the kubelet, then pipes, translates or tunnels. */
export class StreamConnector {
  readonly #options: StreamConnectorOptions;
  readonly #routed: Counter;
  readonly #translated: Counter;
  readonly #tunnelled: Counter;

  constructor(options: StreamConnectorOptions) {
    this.#options = options;
    const { metrics } = options;
    this.#routed = metrics.counter(
      'apiserver_websocket_streaming_requests_total',
      'Streaming requests by sub-resource and by where WebSockets end.',
    );
    this.#translated = metrics.counter(
      'apiserver_stream_translator_requests_total',
      'WebSocket sessions translated to SPDY, by how they ended.',
    );
    this.#tunnelled = metrics.counter(
      'apiserver_stream_tunnel_requests_total',
      'Port-forward tunnels ended here, by how their upgrade ended.',
    );
  }

  /**
   * Serves one session to its end. Throws StatusErrors before the upgrade; without `exchange` the request was no
   * upgrade.
   */
  async serve(request: ResourceRequest, exchange: UpgradeExchange | undefined): Promise<void> {
    await authorizeCreate(this.#options.authorizer, request);
    await admitConnect(this.#options.pods.admission, request);
    const route = await this.#locate(request);
    if (!exchange) throw badRequest('Upgrade request required');
    const subresource = request.info.subresource as StreamSubresource;
    // A tunnel ends here whatever the kubelet speaks, since streams inside it can only be answered where it ends.
    const isTunnel = subresource === 'portforward' && wantsTunnel(exchange.request);
    const passes = route.kubelet.speaksWebSocket && !isTunnel;
    const proxyType = passes ? 'proxied_to_kubelet' : 'translated_at_apiserver';
    this.#routed.add(1, { subresource, proxy_type: proxyType });
    const opened = { request, exchange, route, session: this.#open(request, subresource, route) };
    if (isTunnel) return this.#tunnel(opened);
    if (!passes && subresource !== 'portforward' && wantsTranslation(exchange.request))
      return this.#translate(opened);
    await proxyUpgrade(this.#proxyOptions(opened));
  }

  async #locate(request: ResourceRequest): Promise<Route> {
    const { pods, kubelets } = this.#options;
    const { query, info } = request;
    const target = await readPod(pods, request);
    const subresource = info.subresource as StreamSubresource;
    if (subresource === 'portforward') {
      const location = portForwardLocation(target, query);
      const kubelet = await kubelets.locate(requireNode(target), request.signal);
      return { target, container: undefined, kubelet, location };
    }
    const container = chooseContainer(target, query.text('container'));
    const location = commandLocation(subresource, { ...target, container }, query);
    const kubelet = await kubelets.locate(requireNode(target), request.signal);
    return { target, container, kubelet, location };
  }

  #open(request: ResourceRequest, kind: StreamSubresource, route: Route): LiveSession {
    return openSession(this.#options.sessions, request, {
      ...{ ...route, kind },
      ...(kind === 'exec' ? { command: request.query.list('command') } : {}),
      ...(kind === 'portforward' ? { ports: namedPorts(request.query) } : {}),
    });
  }

  async #translate({ request, exchange, route, session }: Opened): Promise<void> {
    const { clock, logger } = this.#options;
    const { path, streams } = route.location;
    const backend = backendOf(route, session, request.signal);
    const { code, error } = await translateRemoteCommand({
      ...exchange,
      ...{ streams, backend, session, clock, logger },
    });
    this.#translated.add(1, { code: String(code) });
    if (error) logger.debug('a translated session broke', { path, error });
  }

  async #tunnel(opened: Opened): Promise<void> {
    const { statusCode } = await tunnelUpgrade(this.#proxyOptions(opened));
    this.#tunnelled.add(1, { code: String(statusCode) });
  }

  #proxyOptions({ request: { signal, info }, exchange, route, session }: Opened) {
    const { clock } = this.#options;
    const backend = backendOf(route, session, signal);
    const repliesAhead = { inPairs: info.subresource === 'portforward' };
    return { ...exchange, backend, renderError: errorAnswer, repliesAhead, session, clock, signal };
  }
}

function backendOf(
  { kubelet: { backend, tls, way, headers }, location }: Route,
  { id }: LiveSession,
  signal: AbortSignal,
) {
  const own = { [auditIdHeader]: id, ...headers };
  // What the client says of its own trace is no word of this server's, which the kubelet takes it for.
  const url = backendUrl(backend, location.path, location.search);
  const connect = connectBy(way, { url, tls, signal });
  return { url, tls, connect, headers: { [traceparentHeader]: [], ...own } };
}

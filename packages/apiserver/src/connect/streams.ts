import type { Clock } from '@wherry/clock';
import { badRequest } from '@wherry/kubeapi';
import { translateRemoteCommand, wantsTranslation } from '@wherry/remotecommand';
import { type Counter, type Logger, type MetricsRegistry, traceparentHeader } from '@wherry/telemetry';
import { proxyUpgrade, tunnelUpgrade, type UpgradeExchange, wantsTunnel } from '@wherry/upgrade';
import { type Authorizer, attributesOf, refusal } from '../authorization/authorizer.ts';
import { backendUrl } from '../dialing/backend-url.ts';
import { errorAnswer } from '../http/error-answer.ts';
import type { Collection } from '../registry/collection.ts';
import type { ResourceRequest } from '../requests/request.ts';
import { admitConnect } from './admit-connect.ts';
import type { KubeletAddress, Kubelets } from './kubelets.ts';
import { chooseContainer, readPod, requireNode } from './pod-target.ts';
import {
  commandLocation,
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
  clock: Clock;
  logger: Logger;
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
    this.#authorizeCreate(request);
    await admitConnect(this.#options.pods.admission, request);
    const { kubelet, location } = await this.#locate(request);
    if (!exchange) throw badRequest('Upgrade request required');
    const subresource = request.info.subresource as StreamSubresource;
    // A tunnel ends here whatever the kubelet speaks, since streams inside it can only be answered where it ends.
    const isTunnel = subresource === 'portforward' && wantsTunnel(exchange.request);
    const passes = kubelet.speaksWebSocket && !isTunnel;
    const proxyType = passes ? 'proxied_to_kubelet' : 'translated_at_apiserver';
    this.#routed.add(1, { subresource, proxy_type: proxyType });
    if (isTunnel) return this.#tunnel(request, exchange, { kubelet, location });
    if (!passes && subresource !== 'portforward' && wantsTranslation(exchange.request))
      return this.#translate(exchange, kubelet, location);
    await proxyUpgrade(this.#proxyOptions(request, exchange, { kubelet, location }));
  }

  /** Whoever opens a stream must be allowed to create one, whatever the method (since 1.35). */
  #authorizeCreate(request: ResourceRequest): void {
    if (request.info.verb === 'create') return;
    const attributes = { ...attributesOf(request.user, request.info), verb: 'create' };
    const decision = this.#options.authorizer.authorize(attributes);
    if (decision.outcome === 'allow') return;
    throw refusal(attributes, decision.reason);
  }

  async #locate(request: ResourceRequest): Promise<{ kubelet: KubeletAddress; location: StreamLocation }> {
    const { pods, kubelets } = this.#options;
    const target = await readPod(pods, request);
    const subresource = request.info.subresource as StreamSubresource;
    const location =
      subresource === 'portforward'
        ? portForwardLocation(target, request.query)
        : commandLocation(
            subresource,
            { ...target, container: chooseContainer(target, request.query.text('container')) },
            request.query,
          );
    return { kubelet: await kubelets.locate(requireNode(target), request.signal), location };
  }

  async #translate(
    exchange: UpgradeExchange,
    kubelet: KubeletAddress,
    location: StreamLocation,
  ): Promise<void> {
    const { clock, logger } = this.#options;
    const backend = backendOf(kubelet, location);
    const { code, error } = await translateRemoteCommand({
      ...exchange,
      ...{ streams: location.streams, backend, clock, logger },
    });
    this.#translated.add(1, { code: String(code) });
    if (error) logger.debug('a translated session broke', { path: location.path, error });
  }

  async #tunnel(
    request: ResourceRequest,
    exchange: UpgradeExchange,
    route: { kubelet: KubeletAddress; location: StreamLocation },
  ): Promise<void> {
    const { statusCode } = await tunnelUpgrade(this.#proxyOptions(request, exchange, route));
    this.#tunnelled.add(1, { code: String(statusCode) });
  }

  #proxyOptions(
    { signal, info }: ResourceRequest,
    exchange: UpgradeExchange,
    { kubelet, location }: { kubelet: KubeletAddress; location: StreamLocation },
  ) {
    const { clock } = this.#options;
    const backend = backendOf(kubelet, location);
    const repliesAhead = { inPairs: info.subresource === 'portforward' };
    return { ...exchange, backend, renderError: errorAnswer, repliesAhead, clock, signal };
  }
}

function backendOf({ backend, tls, headers }: KubeletAddress, { path, search }: StreamLocation) {
  // What the client says of its own trace is no word of this server's, which the kubelet takes it for.
  return { url: backendUrl(backend, path, search), tls, headers: { [traceparentHeader]: [], ...headers } };
}

import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { closeServer, listen, trackSockets } from '@wherry/bytes';
import { SessionBook, unattended } from '@wherry/telemetry';
import type { UpgradeExchange } from '@wherry/upgrade';
import type { PodStore } from '../board/pod-store.ts';
import { isGateOn } from '../configuration/feature-gates.ts';
import type { Ground } from '../ground/ground.ts';
import { servedSpan } from '../ground/tracing/served-span.ts';
import { keepAliveMs, requestHeadBytesMax, requestHeadMs } from '../limits.ts';
import type { Rooms } from '../rooms.ts';
import { Authenticator, anonymous, type UserInfo } from './access/authentication.ts';
import { Authorizer } from './access/authorization.ts';
import { requestAttributes } from './access/request-attributes.ts';
import { answerError, HttpError, refuseUpgrade, toHttpError } from './answers.ts';
import { DiagnosticRoutes } from './diagnostics/diagnostic-routes.ts';
import { HealthRoutes } from './health/health-routes.ts';
import { LogRoute } from './log-route.ts';
import { ObserveRoutes } from './observe-routes.ts';
import { RequestFigures, spanName } from './request-figures.ts';
import { serveRun } from './run-route.ts';
import { ServingTls } from './serving-tls.ts';
import { serveSessions, sessionsPath } from './sessions/sessions-route.ts';
import { StreamingRoutes } from './streaming-routes.ts';

/** The kubelet's listeners. */
export interface KubeletServer {
  /** Port of the main server. */
  port: number;
  close(): Promise<void>;
}

/** First parts of the paths that are there whatever the configuration says, on the read-only server too. */
const readRoots: ReadonlySet<string> = new Set(['healthz', 'pods', 'stats', 'metrics']);
/** First parts of those that say that they are switched off. */
const debugRoots: ReadonlySet<string> = new Set([
  'run',
  'exec',
  'attach',
  'portForward',
  'containerLogs',
  'runningpods',
  'logs',
]);

/**
 * Starts the main server and, where configured, the health and the read-only server. Rejects where one of them can't listen,
 * and then none does.
 */
export async function startKubeletServer(rooms: Rooms): Promise<KubeletServer> {
  const { ground } = rooms;
  const { address, port, healthzBindAddress, healthzPort, readOnlyPort } = ground.configuration;
  const routes = new KubeletRoutes(rooms);
  const serving = await ServingTls.load(ground);
  const main = mainServer(ground, serving, routes);
  const servers: { server: Server; sockets: ReadonlySet<Socket> }[] = [];
  const open = (server: Server, place: { port: number; host: string }) => {
    servers.push({ server, sockets: trackSockets(server) });
    return listen(server, place);
  };
  const openPlain = (listener: Listener, place: { port: number; host: string }) =>
    open(
      http.createServer((request, response) => routes.serve(listener, request, response)),
      place,
    );
  const close = async () => {
    serving.close();
    await Promise.all(servers.map(({ server, sockets }) => closeServer(server, sockets)));
  };
  try {
    serving.follow(main);
    await open(main, { port, host: address });
    if (healthzPort > 0) await openPlain('health', { port: healthzPort, host: healthzBindAddress });
    if (readOnlyPort > 0) await openPlain('readOnly', { port: readOnlyPort, host: address });
  } catch (error) {
    await close();
    throw error;
  }
  return { port: (main.address() as AddressInfo).port, close };
}

function mainServer(ground: Ground, serving: ServingTls, routes: KubeletRoutes): https.Server {
  const { clientCAFile } = ground.configuration.authentication.x509;
  const server = https.createServer({
    ...serving.options,
    ...(clientCAFile ? { requestCert: true } : {}),
    rejectUnauthorized: false,
    ALPNProtocols: ['http/1.1'],
    keepAliveTimeout: keepAliveMs,
    requestTimeout: 0,
    headersTimeout: requestHeadMs,
    handshakeTimeout: requestHeadMs,
    maxHeaderSize: requestHeadBytesMax,
    noDelay: true,
  });
  server.on('request', (request, response) => routes.serve('main', request, response));
  server.on('upgrade', (request, socket, head) => routes.serveUpgrade({ request, socket, head }));
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  return server;
}

/** The main server asks who it is; the other two are for anyone who reaches them, and show less. */
type Listener = 'main' | 'health' | 'readOnly';

/** Finds who asks, whether they may, and who answers. */
class KubeletRoutes {
  readonly #ground: Ground;
  readonly #store: PodStore;
  readonly #authenticator: Authenticator;
  readonly #authorizer: Authorizer;
  readonly #observe: ObserveRoutes;
  readonly #figures: RequestFigures;
  readonly #health: HealthRoutes;
  readonly #processHealth = new HealthRoutes();
  readonly #diagnostics: DiagnosticRoutes;
  readonly #logs: LogRoute;
  readonly #streaming: StreamingRoutes;
  readonly #sessions: SessionBook;

  constructor(rooms: Rooms) {
    const { ground } = rooms;
    const { client, clock, nodeName, configuration, cri, logger, metrics } = ground;
    const { store } = rooms.board;
    const { cache } = rooms.observation;
    const { statuses } = rooms.reporting;
    const { runtime } = cri;
    this.#ground = ground;
    this.#store = store;
    this.#authenticator = new Authenticator({ client, clock, configuration: configuration.authentication });
    this.#authorizer = new Authorizer({
      client,
      clock,
      nodeName,
      configuration: configuration.authorization,
    });
    this.#observe = new ObserveRoutes(rooms);
    this.#figures = new RequestFigures(metrics, clock);
    const enteredMs = () => rooms.intake.loop.enteredMs;
    this.#health = new HealthRoutes(
      { clock, enteredMs, syncFrequencyMs: configuration.syncFrequency },
      this.#observe.indicators,
    );
    this.#diagnostics = new DiagnosticRoutes(rooms);
    const splitStreams = isGateOn(configuration.featureGates, 'PodLogsQuerySplitStreams');
    this.#sessions = new SessionBook({ hop: 'kubelet', node: nodeName, clock });
    const sessions = this.#sessions;
    this.#logs = new LogRoute({ runtime, store, cache, statuses, clock, splitStreams, sessions });
    const webSockets = metrics.counter(
      'kubelet_websocket_streaming_requests_total',
      'WebSocket sessions that this kubelet joined to the runtime, by subresource.',
    );
    const idleTimeoutMs = configuration.streamingConnectionIdleTimeout;
    this.#streaming = new StreamingRoutes({
      ...{ runtime, store, cache, logger, webSockets, sessions, idleTimeoutMs },
    });
  }

  /** Answers a request of one listener; a failure, of the answer too, ends that request's connection at most. */
  serve(listener: Listener, request: IncomingMessage, response: ServerResponse): void {
    if (listener !== 'health') this.#count(listener, request, response);
    const answered = this.#serve(listener, request, response).catch((error) => answerError(response, error));
    this.#start(answered, request.socket);
  }

  serveUpgrade(exchange: UpgradeExchange): void {
    const { request, socket } = exchange;
    socket.once('close', this.#figures.begin(request.method ?? '', pathOf(request), false));
    socket.on('error', () => {});
    this.#start(
      this.#upgrade(exchange).catch((error) => refuseUpgrade(socket, error)),
      request.socket,
    );
  }

  #count(listener: Listener, request: IncomingMessage, response: ServerResponse): void {
    const isReadOnly = listener === 'readOnly';
    this.#figures.watch({ method: request.method ?? '', pathname: pathOf(request), isReadOnly }, response);
  }

  #start(answered: Promise<void>, socket: Duplex): void {
    const { logger } = this.#ground;
    unattended(answered, { logger, task: 'a request', onFailure: () => socket.destroy() });
  }

  async #serve(listener: Listener, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = requestUrl(request);
    if (listener === 'health') {
      if (this.#processHealth.serve(response, url)) return;
      throw new HttpError(404, '404 page not found');
    }
    const user = listener === 'main' ? await this.#admit(request, url) : undefined;
    this.#refuseDisabled(url, listener === 'main' && this.#ground.configuration.enableDebuggingHandlers);
    await this.#traced(request, user, () => this.#answer(request, response, url, user));
  }

  /** Answers inside a span, if anybody gathers spans. */
  #traced(request: IncomingMessage, user: UserInfo | undefined, work: () => Promise<void>): Promise<void> {
    const { tracer } = this.#ground;
    if (!tracer.isOn) return work();
    const path = pathOf(request);
    const isFailure = (error: unknown) => toHttpError(error).statusCode >= 500;
    const options = {
      ...servedSpan(request, { path, isTrusted: user !== undefined && user !== anonymous }),
      isFailure,
    };
    return tracer.within(spanName(request.method ?? '', path), options, work);
  }

  async #upgrade(exchange: UpgradeExchange): Promise<void> {
    const url = requestUrl(exchange.request);
    const user = await this.#admit(exchange.request, url);
    this.#refuseDisabled(url, this.#ground.configuration.enableDebuggingHandlers);
    await this.#traced(exchange.request, user, () => this.#streaming.serve(exchange, url, user));
  }

  async #admit(request: IncomingMessage, url: URL): Promise<UserInfo> {
    const user = await this.#authenticator.authenticate(request);
    const attributes = requestAttributes(request.method ?? 'GET', url.pathname, this.#ground.strictStreaming);
    await this.#authorizer.authorize(user, attributes);
    return user;
  }

  #refuseDisabled({ pathname }: URL, enabled: boolean): void {
    const root = pathname.split('/')[1] ?? '';
    if (enabled || readRoots.has(root)) return;
    const isDebugPath =
      debugRoots.has(root) || pathname === sessionsPath || pathname.startsWith('/debug/pprof/');
    if (isDebugPath) throw new HttpError(405, 'Debug endpoints are disabled.');
    throw new HttpError(404, '404 page not found');
  }

  async #answer(
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
    user: UserInfo | undefined,
  ): Promise<void> {
    if (this.#health.serve(response, url)) return;
    if (url.pathname === sessionsPath) return serveSessions(this.#sessions, request, response, url);
    if (await this.#observe.serve(request, response, url)) return;
    if (await this.#diagnostics.serve(request, response, url)) return;
    const root = url.pathname.split('/')[1] ?? '';
    if (root === 'containerLogs' && request.method === 'GET')
      return this.#logs.serve(request, response, url, user);
    if (root === 'run' && request.method === 'POST') {
      const context = {
        runtime: this.#ground.cri.runtime,
        store: this.#store,
        streaming: this.#streaming,
      };
      return serveRun(response, url, context);
    }
    if (root === 'exec' || root === 'attach' || root === 'portForward') {
      throw new HttpError(500, 'Upgrade request required');
    }
    throw new HttpError(404, '404 page not found');
  }
}

const pathOf = ({ url = '/' }: IncomingMessage) => url.split('?', 1)[0] ?? '/';

/** Throws 400 for what is no address, or has a `%` without its two digits. */
function requestUrl(request: IncomingMessage): URL {
  try {
    const url = new URL(request.url ?? '/', 'https://kubelet');
    decodeURIComponent(url.pathname);
    return url;
  } catch {
    throw new HttpError(400, 'Bad Request');
  }
}

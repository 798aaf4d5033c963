import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { closeServer, listen, trackSockets } from '@wherry/bytes';
import { type Clock, systemClock } from '@wherry/clock';
import { servePortForward } from '@wherry/portforward';
import { protocols, serveRemoteCommand, webSocketServerProtocols } from '@wherry/remotecommand';
import {
  auditIdHeader,
  hostAndPort,
  type LiveSession,
  type Logger,
  SessionBook,
  silentLogger,
  unattended,
} from '@wherry/telemetry';
import {
  encodeAnswer,
  finishWith,
  headerLines,
  negotiateSpdy,
  plainTextAnswer,
  spokenProtocol,
  type UpgradeExchange,
} from '@wherry/upgrade';
import type { CommandRequest, ForwardRequest, SessionRunner } from './session-runner.ts';
import { TokenCache } from './token-cache.ts';
import { validateAttach, validateExec, validateForward } from './validate.ts';

/** What a streaming server is made of. */
export interface StreamingServerOptions<
  Exec extends CommandRequest,
  Attach extends CommandRequest,
  Forward extends ForwardRequest,
> {
  runner: SessionRunner<Exec, Attach, Forward>;
  /** Address to listen on. Default 127.0.0.1: the token is all the authentication there is. */
  address?: string;
  /** Port to listen on. Default 0: any free one. */
  port?: number;
  /** Serve https with this pair, PEM. */
  tls?: { certPem: string; keyPem: string };
  /** Silence that ends a session, in milliseconds; pings break it. Default 4 h. */
  idleTimeoutMs?: number;
  /** Where sessions are written down. Default: a book of its own that nobody reads. */
  sessions?: SessionBook;
  clock?: Clock;
  logger?: Logger;
}

type Kind = 'exec' | 'attach' | 'portforward';

type Prepared<Exec, Attach, Forward> =
  | { kind: 'exec'; request: Exec }
  | { kind: 'attach'; request: Attach }
  | { kind: 'portforward'; request: Forward };

const routePattern = /^\/(exec|attach|portforward)\/([\w-]+)$/;
const notFound = plainTextAnswer(404, '404 page not found');
const methodNotAllowed = plainTextAnswer(405, '405: Method Not Allowed', [['Allow', 'GET, POST']]);

const isServed = ({ method }: IncomingMessage) => method === 'GET' || method === 'POST';

/**
 * The streaming server of a CRI runtime: it gives out URLs with one-time tokens for sessions that were asked for over
 * gRPC, and serves whoever redeems one, over SPDY/3.1 or WebSocket.
 */
export class StreamingServer<
  Exec extends CommandRequest = CommandRequest,
  Attach extends CommandRequest = CommandRequest,
  Forward extends ForwardRequest = ForwardRequest,
> {
  readonly #options: StreamingServerOptions<Exec, Attach, Forward>;
  readonly #tokens: TokenCache<Prepared<Exec, Attach, Forward>>;
  readonly #logger: Logger;
  readonly #book: SessionBook;
  readonly #server: ReturnType<typeof createHttpServer>;
  readonly #connections: ReadonlySet<Socket>;
  /** Those that were upgraded. */
  readonly #sockets = new Set<Duplex>();
  readonly #forwards = new Set<{ sandboxId: string; end: AbortController }>();
  #baseUrl: string | undefined;

  constructor(options: StreamingServerOptions<Exec, Attach, Forward>) {
    this.#options = options;
    this.#logger = options.logger ?? silentLogger;
    this.#tokens = new TokenCache({ clock: options.clock ?? systemClock });
    const { tls, clock = systemClock } = options;
    this.#book = options.sessions ?? new SessionBook({ hop: 'streaming-server', clock });
    this.#server = tls ? createHttpsServer({ cert: tls.certPem, key: tls.keyPem }) : createHttpServer();
    this.#connections = trackSockets(this.#server);
    this.#server.on('request', (request, response) => this.#refuse(request, response));
    this.#server.on('upgrade', (request, socket, head) => this.#upgrade({ request, socket, head }));
    this.#server.on('connection', (socket) => socket.setNoDelay(true));
  }

  /** Begins to listen; afterwards URLs can be given out. Rejects when the address can't be had. */
  async listen(): Promise<void> {
    const { address = '127.0.0.1', port = 0, tls } = this.#options;
    await listen(this.#server, { port, host: address });
    const actual = this.#server.address() as AddressInfo;
    const host = actual.family === 'IPv6' ? `[${actual.address}]` : actual.address;
    this.#baseUrl = `${tls ? 'https' : 'http'}://${host}:${actual.port}`;
  }

  /** Sessions under way. */
  get sessions(): number {
    return this.#sockets.size;
  }

  /** An absolute URL that starts the process, once, within a minute. Throws `MonitorError`. */
  execUrl(request: Exec): string {
    validateExec(request);
    return this.#urlFor({ kind: 'exec', request });
  }

  /** An absolute URL that attaches. Throws `MonitorError`. */
  attachUrl(request: Attach): string {
    validateAttach(request);
    return this.#urlFor({ kind: 'attach', request });
  }

  /** An absolute URL that forwards ports. Throws `MonitorError`. */
  portForwardUrl(request: Forward): string {
    validateForward(request);
    return this.#urlFor({ kind: 'portforward', request });
  }

  /** The sandbox has stopped: ends its port-forward sessions, whose clients would wait for nobody. */
  endForwards(sandboxId: string): void {
    for (const forward of this.#forwards) {
      if (forward.sandboxId === sandboxId) forward.end.abort(new Error('the pod has stopped'));
    }
  }

  /** Stops listening and cuts the sessions under way. */
  async close(): Promise<void> {
    await closeServer(this.#server, this.#connections);
  }

  #urlFor(prepared: Prepared<Exec, Attach, Forward>): string {
    if (this.#baseUrl === undefined) throw new Error('the streaming server does not listen yet');
    return `${this.#baseUrl}/${prepared.kind}/${this.#tokens.insert(prepared)}`;
  }

  /** Finding a request uses its token up, whatever comes of it. */
  #redeem(request: IncomingMessage): Prepared<Exec, Attach, Forward> | undefined {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const [, kind, token] = routePattern.exec(path) ?? [];
    const prepared = token === undefined ? undefined : this.#tokens.redeem(token);
    return prepared?.kind === (kind as Kind) ? prepared : undefined;
  }

  #answerWithoutSession(request: IncomingMessage) {
    if (!isServed(request)) return methodNotAllowed;
    if (!this.#redeem(request)) return notFound;
    const negotiation = negotiateSpdy(request, []);
    return negotiation.accepted ? notFound : negotiation.answer;
  }

  /** Requests that are no upgrade. */
  #refuse(request: IncomingMessage, response: ServerResponse): void {
    const answer = this.#answerWithoutSession(request);
    response.writeHead(answer.statusCode, Object.fromEntries(answer.headers));
    response.end(answer.body);
  }

  #upgrade(exchange: UpgradeExchange): void {
    const { request, socket } = exchange;
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', (error) => this.#logger.debug('a session socket failed', { error }));
    const prepared = isServed(request) ? this.#redeem(request) : undefined;
    if (prepared) {
      const onFailure = () => socket.destroy();
      unattended(this.#serve(exchange, prepared), { logger: this.#logger, task: 'a session', onFailure });
    } else finishWith(socket, encodeAnswer(isServed(request) ? notFound : methodNotAllowed));
  }

  async #serve(exchange: UpgradeExchange, prepared: Prepared<Exec, Attach, Forward>): Promise<void> {
    const { runner, clock, idleTimeoutMs } = this.#options;
    const session = this.#open(exchange, prepared);
    const common = { ...exchange, session, clock, idleTimeoutMs, logger: this.#logger };
    if (prepared.kind === 'portforward') {
      const { request } = prepared;
      const forward = { sandboxId: request.sandboxId, end: new AbortController() };
      this.#forwards.add(forward);
      const { error } = await servePortForward({
        ...common,
        ports: request.ports,
        podName: request.sandboxId,
        signal: forward.end.signal,
        dial: (port, options) => runner.portForward(request, port, options),
      });
      this.#forwards.delete(forward);
      if (error) this.#logger.info('a port-forward session broke', { sandbox: request.sandboxId, error });
      return;
    }
    const { request } = prepared;
    const { error } = await serveRemoteCommand({
      ...common,
      streams: request,
      // Upstream's CRI server refuses v5, which newer crictl offers alone; kubelets ask for SPDY either way.
      webSocketProtocols: [protocols.v5, ...webSocketServerProtocols],
      handler: (command) => {
        session.joined({ client: spokenProtocol(command.transport, command.protocol) });
        return prepared.kind === 'exec'
          ? runner.exec(prepared.request, command)
          : runner.attach(prepared.request, command);
      },
    });
    if (error)
      this.#logger.info(`an ${prepared.kind} session broke`, { container: request.containerId, error });
  }

  /** Under the id that the kubelet gives it in a header, or one of its own. */
  #open({ request }: UpgradeExchange, prepared: Prepared<Exec, Attach, Forward>): LiveSession {
    const { remoteAddress, remotePort } = request.socket;
    const { kind } = prepared;
    return this.#book.open({
      ...{ kind, id: headerLines(request, auditIdHeader)[0] },
      clientAddress: hostAndPort(remoteAddress, remotePort),
      ...(kind === 'portforward'
        ? { sandboxId: prepared.request.sandboxId, ports: prepared.request.ports }
        : { containerId: prepared.request.containerId }),
      ...(kind === 'exec' ? { command: prepared.request.process?.args } : {}),
    });
  }
}

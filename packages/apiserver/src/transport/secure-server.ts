import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { JudgedConnections, listen, trackSockets } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import type { Logger, MetricsRegistry } from '@wherry/telemetry';
import { isWebSocketRequest } from '@wherry/upgrade';
import type { ClientAuthorities } from '../authentication/client-authorities.ts';
import { limits, periods } from '../limits.ts';
import type { ApiserverOptions } from '../options.ts';
import type { CrossOrigins } from './cross-origins.ts';
import { Http2Sessions } from './http2-server.ts';
import { ServingFiles } from './serving-files.ts';

/** Who answers. */
export interface RequestHandlers {
  handleRequest(request: IncomingMessage, response: ServerResponse): void;
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** True where a server behind this one says what may be upgraded. */
  isElsewhere(request: IncomingMessage): boolean;
}

/** What a server is made with. */
export interface ServerParts {
  clock: Clock;
  logger: Logger;
  metrics: MetricsRegistry;
  handlers: RequestHandlers;
  /** Undefined: pages of other origins may ask nothing. */
  crossOrigins: CrossOrigins | undefined;
  /** Told who signs certificates of clients. */
  authorities: ClientAuthorities;
  /** Others than before may sign certificates of clients. */
  onAuthority(): void;
}

/** HTTP/1.1 and HTTP/2 over TLS on one port: the client chooses (ALPN). Upgrades are HTTP/1.1's. */
export class SecureServer {
  readonly #server: Server;
  readonly #clock: Clock;
  readonly #http2: Http2Sessions | undefined;
  readonly #sockets: ReadonlySet<Duplex>;
  readonly #files: ServingFiles;
  readonly #judged: JudgedConnections;
  #isClosing = false;

  /** Throws the file's error when a certificate or key is missing or bad. */
  constructor(options: ApiserverOptions, parts: ServerParts) {
    const { clock, logger, handlers, crossOrigins } = parts;
    const strictTransport = options.strictTransportSecurityDirectives?.join('; ');
    const serve = (request: IncomingMessage, response: ServerResponse) => {
      if (strictTransport) response.setHeader('strict-transport-security', strictTransport);
      if (!crossOrigins?.answers(request, response)) handlers.handleRequest(request, response);
    };
    this.#clock = clock;
    this.#files = new ServingFiles(options, parts.authorities);
    const server = createHttpsServer(options, this.#files, handlers);
    this.#server = server;
    this.#sockets = trackSockets(server);
    const failures = parts.metrics.plainCounter(
      'apiserver_tls_handshake_errors_total',
      'Connections whose TLS handshake failed.',
    );
    server.on('tlsClientError', () => failures.add(1));
    this.#judged = new JudgedConnections(server);
    server.on('request', (request, response) => {
      // A kept connection would hold up the end, and take requests that nobody serves any more.
      response.once('finish', () => {
        if (this.#isClosing) request.socket.end();
      });
      serve(request, response);
    });
    server.on('upgrade', (request, socket, head) => handlers.handleUpgrade(request, socket, head));
    const onAuthority = () => {
      this.#retireConnections();
      parts.onAuthority();
    };
    this.#files.follow({ server, clock, logger, onAuthority });
    if (options.disableHttp2Serving) return;
    this.#http2 = new Http2Sessions({
      streamsMax: options.http2MaxStreamsPerConnection || limits.http2StreamsMax,
      goawayChance: options.goawayChance ?? 0,
      serve,
    });
    divertHttp2(server, this.#http2);
  }

  /** Undefined while nothing listens. */
  get port(): number | undefined {
    return (this.#server.address() as AddressInfo | null)?.port;
  }

  /** Port 0 picks a free one. */
  async listen(place: { host: string; port: number; reusePort?: boolean | undefined }): Promise<void> {
    await listen(this.#server, place);
  }

  /** Resolves when the last connection is gone; those that are busy for long are cut off. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#files.close();
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeIdleConnections();
    this.#http2?.close();
    const deadline = this.#clock.after(periods.shutdownMs, () => {
      for (const socket of this.#sockets) socket.destroy();
    });
    await closed;
    deadline.cancel();
  }

  /** Whoever was known by an authority that is trusted no more has to show a certificate anew: what is asked already goes on. */
  #retireConnections(): void {
    this.#judged.retire();
    this.#http2?.close();
  }
}

/** Hands connections that chose HTTP/2 on before Node's own listener takes them for HTTP/1.1. */
function divertHttp2(server: Server, http2: Http2Sessions): void {
  const others = server.listeners('secureConnection');
  server.removeAllListeners('secureConnection');
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.alpnProtocol === 'h2') http2.accept(socket);
    else for (const listener of others) listener.call(server, socket);
  });
}

/** Paths of sub-resources that may be upgraded connections. */
const upgradable = /\/(exec|attach|portforward|log|proxy)([/?]|$)/;
/** Paths that may be a watch, which may come as a WebSocket. */
const watching = /\/watch\/|[?&]watch(=|&|$)/;

/** Elsewhere an Upgrade header is ignored, as by Go's server. */
function mayUpgrade(request: IncomingMessage): boolean {
  const { method, url = '' } = request;
  return upgradable.test(url) || (method === 'GET' && watching.test(url) && isWebSocketRequest(request));
}

function createHttpsServer(
  options: ApiserverOptions,
  files: ServingFiles,
  handlers: RequestHandlers,
): Server {
  return createServer({
    ...files.context,
    SNICallback: (host, answer) => answer(null, files.contextFor(host)),
    ALPNProtocols: options.disableHttp2Serving ? ['http/1.1'] : ['h2', 'http/1.1'],
    // Whoever shows no certificate may have a token, and is told so by a Status.
    requestCert: true,
    rejectUnauthorized: false,
    keepAliveTimeout: periods.keepAliveMs,
    maxHeaderSize: limits.requestHeadBytesMax,
    headersTimeout: periods.requestHeadMs,
    handshakeTimeout: periods.handshakeMs,
    // Proxied uploads last as long as they last; bodies that this server reads itself have a time of their own.
    requestTimeout: 0,
    connectionsCheckingInterval: periods.connectionsCheckMs,
    shouldUpgradeCallback: (request) => mayUpgrade(request) || handlers.isElsewhere(request),
  });
}

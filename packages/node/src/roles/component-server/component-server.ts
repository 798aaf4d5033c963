import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { closeServer, listen, trackSockets } from '@wherry/bytes';
import type { KubeClient } from '@wherry/client';
import type { Clock } from '@wherry/clock';
import { forbidden, internalError, StatusError, unauthorized, withoutTrailing } from '@wherry/kubeapi';
import { type ProcessPages, timesOfProcess } from '@wherry/kubeapi/zpages';
import type { UserInfo } from '@wherry/kubelet/access';
import {
  exposition,
  type HealthCheck,
  HealthPages,
  healthPaths,
  type Logger,
  type MetricsRegistry,
  unattended,
} from '@wherry/telemetry';
import type { ComponentTls } from './component-tls.ts';
import type { ComponentUsers } from './component-users.ts';
import { DelegatedAuthorizer } from './delegated-authorizer.ts';
import { limits } from './limits.ts';

/** What such a server shows, and to whom. */
export interface ComponentServerOptions {
  address: string;
  /** 0: any free one. */
  port: number;
  /** Is closed with the server. */
  tls: ComponentTls;
  /** Who asks. */
  users: ComponentUsers;
  /** Who is asked what somebody may. */
  authorization: KubeClient;
  /** What anybody may ask for; one that ends with `*` stands for all that begin so. */
  alwaysAllowPaths: readonly string[];
  metrics: MetricsRegistry;
  pages: ProcessPages;
  /** What it was configured with, by the names of kinds of configuration, where there is such a thing. */
  configuration: Readonly<Record<string, object>> | undefined;
  checks(): readonly HealthCheck[];
  clock: Clock;
  logger: Logger;
}

/** A running server. */
export interface ComponentServer {
  readonly port: number;
  close(): Promise<void>;
}

const plainType = 'text/plain; charset=utf-8';

/**
 * Serves `/metrics`, `/metrics/slis`, `/healthz`, `/livez`, `/readyz`, `/statusz`, `/flagz` and `/configz` over HTTPS as kube-controller-manager and kube-scheduler do.
 * Who asks, and whether he may, the API server says (TokenReview, SubjectAccessReview). Rejects when the port is taken.
 */
export async function startComponentServer(options: ComponentServerOptions): Promise<ComponentServer> {
  const routes = new Routes(options);
  const { tls, clock, logger } = options;
  const server: Server = createServer({
    ...tls.options,
    rejectUnauthorized: false,
    ...{ maxHeaderSize: limits.requestHeadBytesMax, headersTimeout: limits.requestHeadMs },
    keepAliveTimeout: limits.keepAliveMs,
  });
  const sockets = trackSockets(server);
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  server.on('request', (request, response) => routes.serve(request, response));
  await listen(server, { host: options.address, port: options.port });
  tls.follow(server, { clock, logger });
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      tls.close();
      return closeServer(server, sockets);
    },
  };
}

class Routes {
  readonly #options: ComponentServerOptions;
  readonly #authorizer: DelegatedAuthorizer;
  readonly #health: HealthPages;

  constructor(options: ComponentServerOptions) {
    const { authorization, clock } = options;
    this.#options = options;
    this.#authorizer = new DelegatedAuthorizer(authorization, clock);
    this.#health = new HealthPages(() => options.checks());
  }

  /** Whatever goes wrong ends that request's connection at most. */
  serve(request: IncomingMessage, response: ServerResponse): void {
    const { logger } = this.#options;
    request.resume();
    const answered = this.#serve(request, response).catch((error: unknown) => refuse(response, error));
    unattended(answered, { logger, task: 'a request', onFailure: () => request.socket.destroy() });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = URL.parse(request.url ?? '/', 'https://localhost');
    const path = url ? withoutTrailing(url.pathname, '/') || '/' : '';
    await this.#admit(request, path);
    const page = this.#page(path, request, url?.searchParams ?? new URLSearchParams());
    if (!page) return send(response, 404, { type: plainType, body: '404 page not found\n' });
    send(response, page.status, page);
  }

  #page(path: string, { headers }: IncomingMessage, query: URLSearchParams): Page | undefined {
    const metrics = (text: string) => ({ status: 200, ...exposition(text, headers.accept) });
    if (path === '/metrics') return metrics(this.#options.metrics.render());
    if (path === '/metrics/slis') return metrics(this.#health.indicators());
    const { pages, configuration, clock } = this.#options;
    if (path === '/configz' && configuration)
      return { status: 200, type: 'application/json', body: JSON.stringify(configuration) };
    const page = pages.answer(path, headers.accept, timesOfProcess(clock.nowMs()));
    if (page) return { status: 200, ...page, body: page.text };
    if (!healthPaths.test(path)) return undefined;
    const asked = { isVerbose: query.has('verbose'), excluded: query.getAll('exclude') };
    const answer = this.#health.answer(path, asked);
    return answer && { status: answer.status, type: plainType, body: answer.text };
  }

  /** Throws 401 for a token or certificate that is no good, 403 for who may not. */
  async #admit(request: IncomingMessage, path: string): Promise<void> {
    if (this.#isOpen(path)) return;
    const verb = (request.method ?? 'GET').toLowerCase();
    const user = await this.#identify(request);
    const isAllowed = await this.#authorizer.isAllowed(user, verb, path).catch((error: unknown) => {
      throw internalError(error);
    });
    if (isAllowed) return;
    const why = `User ${JSON.stringify(user.name)} cannot ${verb} path ${JSON.stringify(path)}`;
    throw forbidden({ group: '', resource: '' }, '', why);
  }

  async #identify(request: IncomingMessage): Promise<UserInfo> {
    try {
      return await this.#options.users.find(request);
    } catch {
      throw unauthorized();
    }
  }

  #isOpen(path: string): boolean {
    return this.#options.alwaysAllowPaths.some((open) =>
      open.endsWith('*') ? path.startsWith(open.slice(0, -1)) : path === open,
    );
  }
}

interface Page {
  status: number;
  type: string;
  body: string | Uint8Array;
  /** Of a Warning header. */
  warning?: string | undefined;
}

function refuse(response: ServerResponse, error: unknown): void {
  const failure = error instanceof StatusError ? error : internalError(error);
  send(response, failure.code, { type: 'application/json', body: JSON.stringify(failure.status) });
}

function send(
  response: ServerResponse,
  status: number,
  { type, body: content, warning }: Omit<Page, 'status'>,
): void {
  const body = Buffer.from(content);
  response.writeHead(status, {
    ...{ 'content-type': type, 'content-length': body.length },
    ...{ 'cache-control': 'no-cache, private', 'x-content-type-options': 'nosniff' },
    ...(warning !== undefined && { warning: `299 - ${JSON.stringify(warning)}` }),
  });
  response.end(body);
}

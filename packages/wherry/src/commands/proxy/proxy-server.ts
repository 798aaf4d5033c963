import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { closeServer, trackSockets } from '@wherry/bytes';
import type { KubeClient } from '@wherry/client';
import {
  encodeAnswer,
  finishWith,
  headerLines,
  plainTextAnswer,
  type UpgradeExchange,
} from '@wherry/upgrade';
import { limits } from '../../limits.ts';
import { hostOf, type RequestFilter } from './request-filter.ts';
import { askedPath } from './request-path.ts';
import { type Prefixes, routeOf } from './routes.ts';
import type { StaticFiles } from './static-files.ts';

/** What a {@link ProxyServer} is made of. */
export interface ProxyServerOptions {
  client: KubeClient;
  prefixes: Prefixes;
  files: StaticFiles | undefined;
  /** Of requests to the API server. */
  filter: RequestFilter;
  /** Stands in front of what the API server is asked; empty for nothing. */
  serverPath: string;
  keepAliveDelayMs: number | undefined;
}

/** What is done with a request: passed on, a file, or an answer that stands already. */
type Verdict =
  | { kind: 'pass'; path: string }
  | { kind: 'file'; path: string }
  | { kind: 'answer'; status: number; text: string; location?: string };

/** Passes requests on to the API server as the client's user, bodies, watches and upgrades as they come. */
export class ProxyServer {
  readonly server: Server;
  readonly #options: ProxyServerOptions;
  readonly #sockets: ReturnType<typeof trackSockets>;
  readonly #end = new AbortController();

  constructor(options: ProxyServerOptions) {
    this.#options = options;
    const create = {
      maxHeaderSize: limits.proxyHeadBytesMax,
      // What a body takes is its sender's affair.
      requestTimeout: 0,
      shouldUpgradeCallback: (request: IncomingMessage) => !isOfferOfHttp2(request),
    };
    this.server = createServer(create, (request, response) => void this.#answer(request, response));
    this.server.on('upgrade', (request, socket, head) => void this.#upgrade({ request, socket, head }));
    this.#sockets = trackSockets(this.server);
  }

  /** Ends what is going on. */
  close(): Promise<void> {
    this.#end.abort(new Error('the proxy has ended'));
    return closeServer(this.server, this.#sockets);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { client, files } = this.#options;
    const verdict = this.#judge(request);
    if (verdict.kind === 'file') return await files?.serve({ request, response, path: verdict.path });
    if (verdict.kind === 'answer') return say(response, verdict);
    const asked = { path: verdict.path, bringsCredentials: true, signal: this.#end.signal };
    await client.passRequest({ request, response, ...asked });
  }

  async #upgrade(exchange: UpgradeExchange): Promise<void> {
    const { client, keepAliveDelayMs } = this.#options;
    const { request, socket } = exchange;
    const verdict = this.#judge(request);
    if (verdict.kind === 'pass')
      await client.passUpgrade({
        ...{ ...exchange, path: verdict.path, keepAliveDelayMs, signal: this.#end.signal },
        bringsCredentials: true,
      });
    else if (verdict.kind === 'file') refuse(socket, { status: 400, text: 'a file is not upgraded' });
    else refuse(socket, verdict);
  }

  #judge(request: IncomingMessage): Verdict {
    const { filter, prefixes, serverPath } = this.#options;
    const asked = askedPath(request.url ?? '');
    const hosts = headerLines(request, 'host');
    const [host = ''] = hosts;
    if (!asked || hosts.length !== 1) return { kind: 'answer', status: 400, text: 'Bad Request' };
    const route = routeOf(asked, prefixes);
    if (route.kind === 'nowhere') return { kind: 'answer', status: 404, text: '404 page not found' };
    if (route.kind === 'redirect')
      return { kind: 'answer', status: 301, text: 'Moved Permanently', location: route.location };
    if (route.kind === 'file') return { kind: 'file', path: route.path.decoded };
    const { raw, decoded, search } = route.path;
    const { method = '' } = request;
    if (!filter({ method, path: decoded, host: hostOf(host) }))
      return { kind: 'answer', status: 403, text: 'Forbidden' };
    return { kind: 'pass', path: `${serverPath}${raw}${search}` };
  }
}

/** Clients offer it with any request, and take an answer in HTTP/1.1 as well (RFC 7540, 3.2). */
const isOfferOfHttp2 = (request: IncomingMessage): boolean =>
  headerLines(request, 'upgrade').every((line) => line.trim().toLowerCase() === 'h2c');

interface Said {
  status: number;
  text: string;
  location?: string;
}

const answerOf = ({ status, text, location }: Said) =>
  plainTextAnswer(status, text, location === undefined ? [] : [['Location', location]]);

function say(response: ServerResponse, said: Said): void {
  const { statusCode, headers, body } = answerOf(said);
  response.writeHead(statusCode, headers.flat()).end(body);
}

const refuse = (socket: UpgradeExchange['socket'], said: Said): void =>
  finishWith(socket, encodeAnswer(answerOf(said)));

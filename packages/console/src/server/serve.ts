import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { closeServer, listen, onAbort, trackSockets } from '@wherry/bytes';
import type { KubeClient } from '@wherry/client';
import { type Clock, systemClock } from '@wherry/clock';
import { encodeAnswer, finishWith, type UpgradeExchange } from '@wherry/upgrade';
import { dataHeaders, pageHeaders } from '../answers/headers.ts';
import { refusal } from '../answers/refusal.ts';
import { apiRoute } from '../api/api-route.ts';
import { answerFailure, passReading, statusErrorFor } from '../api/read.ts';
import { type StreamingServers, streamingSessions } from '../api/streaming-servers.ts';
import { passTerminal } from '../api/terminal.ts';
import { ConsoleError } from '../errors.ts';
import { limits } from '../limits.ts';
import { type PageFiles, pageFiles } from '../page-files/page-files.ts';
import { checkAsking } from './guard.ts';
import { Logins } from './logins.ts';

/** What a console is made of. */
export interface ConsoleOptions {
  /** The cluster, and as whom it is asked. */
  client: KubeClient;
  /** Which namespace is shown first. Default: all. */
  namespace?: string | undefined;
  /** Of 127.0.0.1. Default 0: any that is free. */
  port?: number | undefined;
  /** Ends the console. */
  signal?: AbortSignal | undefined;
  clock?: Clock | undefined;
  /** Those of this machine: their sessions are shown as the last hop. */
  streamingServers?: StreamingServers | undefined;
  /** A browser has used the link, which works once; this is the next one. */
  onLogin?: ((nextUrl: URL) => void) | undefined;
}

/** A console that answers on 127.0.0.1, until it is closed or the signal of its options aborts. */
export interface RunningConsole extends AsyncDisposable {
  readonly port: number;
  /** Where a browser has to go; it works once. Whoever has it acts as the kubeconfig's user. */
  readonly loginUrl: URL;
  /** Ends terminals, watches and connections. Repeats are harmless. */
  close(): Promise<void>;
}

/** What the page is told of the cluster before it asks it anything. */
export interface ClusterWords {
  /** Host and port. */
  server: string;
  /** Empty for all. */
  namespace: string;
}

const host = '127.0.0.1';
/** What stands in front of the API server's own paths, behind the home. */
const clusterPrefix = 'cluster';

/** Builds the page, if it is not shipped, and serves it. Throws `ConsoleError`. */
export async function startConsole(options: ConsoleOptions): Promise<RunningConsole> {
  options.signal?.throwIfAborted();
  const server = new ConsoleServer(options, await pageFiles());
  await server.start();
  return server;
}

class ConsoleServer implements RunningConsole {
  readonly #options: ConsoleOptions;
  readonly #files: PageFiles;
  readonly #logins = new Logins();
  readonly #end = new AbortController();
  readonly #server: Server;
  readonly #sockets: ReadonlySet<Socket>;
  #terminals = 0;
  #leave = () => {};
  #closed: Promise<void> | undefined;

  constructor(options: ConsoleOptions, files: PageFiles) {
    this.#options = options;
    this.#files = files;
    const create = { maxHeaderSize: limits.headBytesMax, keepAlive: true };
    this.#server = createServer(create, (request, response) => void this.#answer(request, response));
    this.#server.maxConnections = limits.connectionsMax;
    this.#server.on('upgrade', (request, socket, head) => void this.#upgrade({ request, socket, head }));
    this.#sockets = trackSockets(this.#server);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get loginUrl(): URL {
    const url = new URL('http://127.0.0.1/login');
    url.port = String(this.port);
    url.searchParams.set('token', this.#logins.token);
    return url;
  }

  async start(): Promise<void> {
    const { port = 0, signal } = this.#options;
    await listen(this.#server, { host, port }).catch((error: Error) => {
      const message = `${host}:${port} can't be listened on: ${error.message}; --port 0 takes a free port`;
      throw new ConsoleError('listen', message, { cause: error });
    });
    this.#leave = onAbort(signal, () => void this.close());
  }

  close(): Promise<void> {
    this.#leave();
    this.#end.abort(new Error('the console has ended'));
    this.#closed ??= closeServer(this.#server, this.#sockets);
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort(new Error('the browser has gone')));
    try {
      const { path, query } = this.#checked(request);
      if (path === '/login') return this.#login(query, response);
      const apiPath = this.#apiPath(path);
      const signal = AbortSignal.any([gone.signal, this.#end.signal]);
      if (apiPath === undefined) return await this.#ownPath(path, response, signal);
      const route = apiRoute(apiPath, query);
      if (route.kind !== 'read') throw refusal(400, 'a terminal is opened as a WebSocket');
      const { accept } = request.headers;
      await passReading({ client: this.#options.client, path: route.path, accept, signal }, response);
    } catch (error) {
      answerFailure(response, error);
    }
  }

  async #upgrade(exchange: UpgradeExchange): Promise<void> {
    const { client, clock = systemClock } = this.#options;
    try {
      const { path, query } = this.#checked(exchange.request);
      const route = apiRoute(this.#apiPath(path) ?? path, query);
      if (route.kind !== 'terminal') throw refusal(400, 'a list or log is not read as a WebSocket');
      if (this.#terminals >= limits.terminalsMax)
        throw refusal(429, `${limits.terminalsMax} terminals are open; close one`);
      this.#terminals += 1;
      const terminal = { ...exchange, client, clock, route, signal: this.#end.signal };
      await passTerminal(terminal).finally(() => (this.#terminals -= 1));
    } catch (error) {
      const { status } = statusErrorFor(error);
      const body = JSON.stringify(status);
      const headers = [['content-type', 'application/json']] as const;
      finishWith(exchange.socket, encodeAnswer({ statusCode: status.code ?? 500, headers, body }));
    }
  }

  /** The parts of what is asked, by somebody who may ask. Throws `StatusError`. */
  #checked(request: IncomingMessage): { path: string; query: URLSearchParams } {
    const [written = '', search = ''] = (request.url ?? '').split(/\?(.*)/s);
    // The one letter of names that the page's client escapes.
    const path = written.replaceAll('%3A', ':');
    const isEntry = path === '/login';
    checkAsking(request, { port: this.port, isEntry });
    // Nothing that the console serves needs more; what is written in another way is not looked for.
    if (!/^(?:\/[-.:\w]+)*\/?$/.test(path) || /(?:^|\/)\.{1,2}(?:\/|$)/.test(path))
      throw refusal(400, 'the path has characters that no path of the console has');
    if (!isEntry && !this.#logins.knows(request))
      throw refusal(401, 'open the link that "wherry console" has printed last');
    return { path, query: new URLSearchParams(search) };
  }

  #login(query: URLSearchParams, response: ServerResponse): void {
    const cookie = this.#logins.redeem(query.get('token') ?? '');
    if (!cookie)
      throw refusal(401, 'the link was used before; open the one that "wherry console" printed last');
    const { home } = this.#logins;
    // A redirect would still count as the way of the page that had the link, and a strict cookie is not sent then.
    const page = `<!doctype html><title>wherry console</title><meta http-equiv="refresh" content="0;url=${home}">`;
    response.writeHead(200, { ...pageHeaders('text/html; charset=utf-8'), 'set-cookie': cookie }).end(page);
    this.#options.onLogin?.(this.loginUrl);
  }

  /** What the API server is asked; undefined for a file of the page. */
  #apiPath(path: string): string | undefined {
    const prefix = `${this.#logins.home}${clusterPrefix}`;
    return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : undefined;
  }

  async #ownPath(path: string, response: ServerResponse, signal: AbortSignal): Promise<void> {
    const { home } = this.#logins;
    const name = path.startsWith(home) ? path.slice(home.length) || 'index.html' : undefined;
    if (name === 'cluster.json') {
      this.#describe(response);
      return;
    }
    if (name === 'streaming-servers.json') {
      const { client, streamingServers } = this.#options;
      const told = await streamingSessions(streamingServers, { client, signal });
      response.writeHead(200, dataHeaders('application/json')).end(JSON.stringify(told));
      return;
    }
    const file = name === undefined ? undefined : this.#files.get(name);
    if (!file) throw refusal(404, 'there is no such page');
    response.writeHead(200, pageHeaders(file.contentType)).end(file.content);
  }

  /** Where the page is, for people. */
  #describe(response: ServerResponse): void {
    const { client, namespace = '' } = this.#options;
    const words: ClusterWords = { server: client.access.server.host, namespace };
    response.writeHead(200, pageHeaders('application/json')).end(JSON.stringify(words));
  }
}

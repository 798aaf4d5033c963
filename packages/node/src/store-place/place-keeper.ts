import { mkdirSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import { isLoopbackHost } from '@wherry/bytes';
import { limits } from '../limits.ts';
import { placePath, type StorePlace } from './store-place.ts';

const refusal =
  'This is no etcd: it keeps the place of a store for "wherry apiserver" (see "wherry envtest"), which is sent here by ' +
  '--etcd-servers, and knows no keys. Where other programs need etcd, TEST_ASSET_ETCD names one.\n';

/**
 * Keeps the place of a store: tells an API server of wherry in which folder to have it, and those who ask `/health` that it
 * is there. Everybody else is refused.
 */
export class PlaceKeeper {
  readonly #place: StorePlace;
  readonly #servers: Server[] = [];

  /** Makes the folder where it is missing. */
  constructor(place: StorePlace) {
    this.#place = { ...place, dataDir: resolve(place.dataDir) };
    mkdirSync(this.#place.dataDir, { recursive: true, mode: 0o700 });
  }

  /** Throws the address's error where it can't be listened at. */
  async listen(url: URL): Promise<void> {
    const server = createServer((request, response) => this.#answer(request, response));
    server.maxConnections = limits.storePlaceConnections;
    this.#servers.push(server);
    await new Promise<void>((listening, failed) => {
      server.once('error', failed);
      server.listen(Number(url.port), hostOf(url), listening);
    });
  }

  close(): void {
    for (const server of this.#servers) {
      server.close();
      server.closeAllConnections();
    }
  }

  #answer({ method, url }: IncomingMessage, response: ServerResponse): void {
    const isRead = method === 'GET' || method === 'HEAD';
    if (isRead && url === placePath) tell(response, this.#place);
    else if (isRead && url === '/health') tell(response, { health: 'true', reason: '' });
    else {
      response.writeHead(501, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
      response.end(refusal);
    }
  }
}

function tell(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '');

/** Reads an address to listen at, `http://HOST:PORT` of this machine. Throws an error that says what is wrong with it. */
export function listenUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' || url.port === '' || url.pathname !== '/')
    throw new Error(`"${text}" is no http://HOST:PORT`);
  if (!isLoopbackHost(url.hostname))
    throw new Error(
      `"${text}": a place is kept for servers of this machine: HOST is localhost, 127.0.0.1 or [::1]`,
    );
  return url;
}

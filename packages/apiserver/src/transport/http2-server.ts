import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Http2Server, type ServerHttp2Session } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { takeNoMore } from '../http/carrier.ts';
import { limits, periods } from '../limits.ts';
import { Http2Request } from './http2-messages.ts';

/** How HTTP/2 is spoken. */
export interface Http2Options {
  /** Requests of one connection at one time. */
  streamsMax: number;
  /** Probability that a request is told to be among its connection's last ones. */
  goawayChance: number;
  serve(request: IncomingMessage, response: ServerResponse): void;
}

/**
 * HTTP/2 over connections that somebody else accepts. Who opens and resets streams without end, sends headers without
 * end or floods with frames that cost nothing is cut off by nghttp2's own bounds.
 */
export class Http2Sessions {
  readonly #server: Http2Server;
  readonly #sessions = new Set<ServerHttp2Session>();

  constructor({ streamsMax, goawayChance, serve }: Http2Options) {
    const server = createServer({
      Http2ServerRequest: Http2Request,
      settings: { maxConcurrentStreams: streamsMax, maxHeaderListSize: limits.requestHeadBytesMax },
      maxSessionMemory: limits.http2SessionMebibytesMax,
      streamResetBurst: limits.http2ResetsBurst,
      streamResetRate: limits.http2ResetsPerSecond,
    });
    server.on('session', (session) => this.#keep(session));
    server.on('request', (request, response) => {
      const http = request as unknown as IncomingMessage;
      if (goawayChance > 0 && Math.random() < goawayChance) takeNoMore(http);
      serve(http, response as unknown as ServerResponse);
    });
    this.#server = server;
  }

  /** Takes a connection over whose client has chosen HTTP/2. */
  accept(socket: TLSSocket): void {
    this.#server.emit('connection', socket);
  }

  /** Every connection takes no more requests, and ends with the last that it has. */
  close(): void {
    for (const session of this.#sessions) session.close();
  }

  /** A connection ends when it has been idle for long, and soon when nothing was ever asked of it. */
  #keep(session: ServerHttp2Session): void {
    let openStreams = 0;
    this.#sessions.add(session);
    session.once('close', () => this.#sessions.delete(session));
    // The connection ends; its requests find out by their streams.
    session.on('error', () => {});
    session.setTimeout(periods.requestHeadMs, () => {
      if (openStreams === 0) session.close();
    });
    session.once('stream', () => session.setTimeout(periods.keepAliveMs));
    session.on('stream', (stream) => {
      openStreams += 1;
      stream.once('close', () => {
        openStreams -= 1;
      });
    });
  }
}

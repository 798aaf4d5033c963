import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:https';
import type { Duplex } from 'node:stream';

/** Connections of a TLS server whose clients' certificates were judged by what it trusts now. */
export class JudgedConnections {
  readonly #server: Server;
  #current = new WeakSet<Duplex>();

  constructor(server: Server) {
    this.#server = server;
    server.on('secureConnection', (socket) => this.#current.add(socket));
    server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      response.once('finish', () => {
        if (!this.#current.has(socket)) socket.end();
      });
    });
  }

  /** Whoever keeps a connection has to show a certificate anew: idle ones are closed, others behind what is asked over them. */
  retire(): void {
    this.#current = new WeakSet();
    this.#server.closeIdleConnections();
  }
}

import { isIP } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { onAbort } from '@wherry/bytes';
import { type Clock, deadline } from '@wherry/clock';
import { limits } from '../limits.ts';
import { bareHost } from '../proxy/proxy-url.ts';
import type { ClusterAccess } from './cluster-access.ts';
import { isLedElsewhere, tlsOptionsOf } from './dial.ts';
import { Http2Connection } from './http2-connection.ts';

const httpsPort = 443;

/** What {@link Http2Connections} are made of. */
export interface Http2Options {
  access: ClusterAccess;
  clock: Clock;
  spare(socket: TLSSocket): void;
}

/** HTTP/2 to one server, if it offers it: as many connections as its bound of streams calls for. */
export class Http2Connections {
  readonly #access: ClusterAccess;
  readonly #clock: Clock;
  readonly #spare: (socket: TLSSocket) => void;
  #connections: Http2Connection[] = [];
  #connecting: Promise<Http2Connection | TLSSocket> | undefined;
  #isOffered: boolean | undefined;

  /** `spare` is handed the connection that found out that a server has no HTTP/2: it is good for HTTP/1.1. */
  constructor({ access, clock, spare }: Http2Options) {
    this.#access = access;
    this.#clock = clock;
    this.#spare = spare;
  }

  /** False once the server has shown that it speaks HTTP/1.1, and where HTTP/2 is not tried: over http and proxies. */
  get mayBeOffered(): boolean {
    const { server } = this.#access;
    return this.#isOffered !== false && server.protocol === 'https:' && !isLedElsewhere(this.#access);
  }

  /** A connection with room for one more stream, which is reserved; undefined from a server without HTTP/2. Rejects when none stands. */
  async acquire(): Promise<Http2Connection | undefined> {
    for (;;) {
      this.#connections = this.#connections.filter(({ isUsable }) => isUsable);
      const free = this.#connections.find(({ hasRoom }) => hasRoom);
      if (free) {
        free.reserve();
        return free;
      }
      if (!this.mayBeOffered) return undefined;
      const others = this.#connecting;
      if (others) {
        await others;
        continue;
      }
      try {
        this.#connecting = this.#connect();
        const made = await this.#connecting;
        this.#isOffered = made instanceof Http2Connection;
        if (made instanceof Http2Connection) this.#connections.push(made);
        else this.#spare(made);
      } finally {
        this.#connecting = undefined;
      }
    }
  }

  /** Streams that are open live on. */
  close(): void {
    for (const connection of this.#connections) connection.close();
  }

  async #connect(): Promise<Http2Connection | TLSSocket> {
    const { server } = this.#access;
    const what = `connecting to ${server.host}`;
    using limit = deadline({ clock: this.#clock, timeoutMs: limits.connectTimeoutMs, what });
    const socket = await this.#dial(limit.signal);
    if (socket.alpnProtocol !== 'h2') return socket;
    // Waited for here, as long as the limit holds.
    return await Http2Connection.open(server.origin, socket, { clock: this.#clock, signal: limit.signal });
  }

  #dial(signal: AbortSignal): Promise<TLSSocket> {
    const { server } = this.#access;
    const host = bareHost(server);
    const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>();
    const socket = connectTls({
      ...{ host, port: Number(server.port) || httpsPort, ALPNProtocols: ['h2', 'http/1.1'] },
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...tlsOptionsOf(this.#access),
    });
    socket.setNoDelay(true);
    const leave = onAbort(signal, (reason) => socket.destroy(reason as Error));
    socket.once('secureConnect', () => resolve(socket));
    socket.on('error', reject);
    socket.once('close', () => reject(new Error('the connection was closed in the TLS handshake')));
    return promise.finally(leave);
  }
}

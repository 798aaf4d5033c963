import { createServer, type Server, type Socket } from 'node:net';
import { type ByteChannel, fromDuplex, pipe } from '@wherry/bytes';
import { limits } from '../limits.ts';

/** One address that a forwarded port listens on. */
export interface ForwardListener {
  address: string;
  localPort: number;
  /** Port of the pod that stood behind it when it was opened. */
  remotePort: number;
}

/** What a listener tells while it runs. */
export interface ListenerEvents {
  /** A connection came in. */
  connection?(listener: ForwardListener): void;
  /** One connection failed; the others live on. */
  failure?(listener: ForwardListener, error: Error): void;
}

/** Opens a connection to a port on the far side. */
export interface PortDialer {
  dial(remote: number | string): Promise<ByteChannel>;
}

/** A listener and how to close it. */
export interface OpenListener extends ForwardListener {
  /** Stops listening and ends what goes through it. */
  close(): Promise<void>;
}

/** Listens and sends each connection through the dialer. Rejects with the system's error when it can't listen. */
export async function openListener(
  wanted: ForwardListener & { remote: number | string },
  dialer: PortDialer,
  events: ListenerEvents,
): Promise<OpenListener> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true, noDelay: true });
  server.maxConnections = limits.forwardConnectionsMax;
  const localPort = await listen(server, wanted);
  const { remote, ...rest } = wanted;
  const listener: ForwardListener = { ...rest, localPort };
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    events.connection?.(listener);
    carry(socket, dialer, remote).catch((error: Error) => {
      if (server.listening) events.failure?.(listener, error);
    });
  });
  return {
    ...listener,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function listen(server: Server, { address, localPort }: ForwardListener): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: address, port: localPort, ipv6Only: address.includes(':') }, () => {
      server.off('error', reject);
      const bound = server.address();
      resolve(typeof bound === 'object' && bound ? bound.port : localPort);
    });
  });
}

/** Bytes and half-closes pass both ways; the local side is reset when the far side broke. */
async function carry(socket: Socket, dialer: PortDialer, remote: number | string): Promise<void> {
  const local = fromDuplex(socket);
  try {
    const { error } = await pipe(local, await dialer.dial(remote));
    if (error) throw error;
  } catch (error) {
    const reason = error instanceof Error ? error : new Error(String(error));
    local.abort(reason);
    throw reason;
  }
}

import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type ByteChannel, closeServer, fromDuplex, listen, pipe, trackSockets } from '@wherry/bytes';
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
  const server = createServer({ allowHalfOpen: true, noDelay: true });
  server.maxConnections = limits.forwardConnectionsMax;
  const sockets = trackSockets(server);
  const { remote, ...rest } = wanted;
  await listen(server, { host: rest.address, port: rest.localPort, ipv6Only: rest.address.includes(':') });
  const { port: localPort } = server.address() as AddressInfo;
  const listener: ForwardListener = { ...rest, localPort };
  server.on('connection', (socket) => {
    events.connection?.(listener);
    carry(socket, dialer, remote).catch((error: Error) => {
      if (server.listening) events.failure?.(listener, error);
    });
  });
  return {
    ...listener,
    close: () => closeServer(server, sockets),
  };
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

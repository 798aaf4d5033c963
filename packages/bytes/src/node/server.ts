import type { ListenOptions, Server, Socket } from 'node:net';

/** Begins to listen. Rejects with the system's error when the address can't be had. */
export function listen(server: Server, address: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/**
 * The open connections of a server from now on, also those that were upgraded: an HTTP server's `closeAllConnections`
 * does not know these.
 */
export function trackSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

/** Stops listening, cuts the connections that were tracked, and waits until the last one is gone. */
export function closeServer(server: Server, sockets: Iterable<Socket>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const socket of sockets) socket.destroy();
  return closed;
}

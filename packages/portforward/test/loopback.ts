import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import { type ByteChannel, fromDuplex } from '@wherry/bytes';

/** Dials a port on loopback, as a runtime does inside a pod. */
export function dialLoopback(port: number): Promise<ByteChannel> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.once('connect', () => resolve(fromDuplex(socket)));
    socket.once('error', reject);
  });
}

/** A TCP server on loopback for one test. */
export async function tcpServer(
  serve: (socket: Socket) => void,
): Promise<AsyncDisposable & { port: number }> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

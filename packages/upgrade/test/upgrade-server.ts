import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TestCertificate } from './certificate.ts';

/** An HTTP server on loopback whose upgrades go to `serve`. */
export interface UpgradeServer extends AsyncDisposable {
  url: string;
  /** Sockets that are open now. */
  openSockets(): number;
}

/** Starts a server for one test, with TLS if it gets a certificate; `await using` ends it and cuts what is still open. */
export async function upgradeServer(
  serve: (request: IncomingMessage, socket: Duplex, head: Buffer) => void,
  certificate?: TestCertificate,
): Promise<UpgradeServer> {
  const sockets = new Set<Socket>();
  const server = certificate ? createTlsServer(certificate) : createServer();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('upgrade', serve);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `${certificate ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    openSockets: () => sockets.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

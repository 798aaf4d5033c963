import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, listen, trackSockets } from '@wherry/bytes';
import { limits } from '../limits.ts';
import type { Clients } from './clients.ts';

/** What people and monitors ask about the server itself. */
export interface StatusDoorOptions {
  address: string;
  port: number;
  clients: Clients;
  metrics: { render(): string };
  isReady(): boolean;
}

/** Serves `/metrics`, `/ready` and `/health`, as CoreDNS does, on one port. */
export async function openStatusDoor(
  options: StatusDoorOptions,
): Promise<{ port: number; close(): Promise<void> }> {
  const { address, port, clients } = options;
  const server = createServer((request, response) => {
    request.resume();
    answer(request, response, options);
  });
  server.maxConnections = limits.connectionsPerClientMax;
  server.requestTimeout = limits.connectionIdleMs;
  server.keepAliveTimeout = limits.connectionIdleMs;
  const sockets = trackSockets(server);
  server.on('connection', (socket) => {
    if (!clients.isOne(socket.remoteAddress ?? '')) socket.destroy();
  });
  await listen(server, { port, host: address });
  const bound = server.address();
  return {
    port: typeof bound === 'object' && bound ? bound.port : port,
    close: () => closeServer(server, sockets),
  };
}

function answer(request: IncomingMessage, response: ServerResponse, options: StatusDoorOptions): void {
  const say = (status: number, text: string) =>
    response.writeHead(status, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text);
  if (request.method !== 'GET' && request.method !== 'HEAD') return void say(405, 'only GET\n');
  if (request.url === '/metrics') say(200, options.metrics.render());
  else if (request.url === '/health') say(200, 'OK\n');
  else if (request.url === '/ready')
    say(options.isReady() ? 200 : 503, options.isReady() ? 'OK\n' : 'not yet\n');
  else say(404, 'want /metrics, /ready or /health\n');
}

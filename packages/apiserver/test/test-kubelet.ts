import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { fromDuplex, pump } from '@wherry/bytes';
import { servePortForward } from '@wherry/portforward';
import { serveRemoteCommand } from '@wherry/remotecommand';
import type { TestServer } from './test-server.ts';

/** What a request to the kubelet was. */
export interface SeenRequest {
  method: string;
  url: string;
  /** CN of the client certificate. */
  user: string;
  headers: IncomingMessage['headers'];
}

/** A kubelet's streaming end on a real port: exec echoes its input, port-forward connects on this machine. */
export class TestKubelet {
  readonly seen: SeenRequest[] = [];
  /** When set, answers in place of the usual. */
  answer: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  /** When set, gets upgrades in place of the usual. */
  upgrade: ((request: IncomingMessage, socket: Duplex) => void) | undefined;
  readonly #server: Server;
  readonly #sockets = new Set<Duplex>();

  private constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket: Duplex) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.on('request', (request, response) => this.#serve(request, response));
    server.on('upgrade', (request, socket, head) => this.#serveUpgrade(request, socket, head));
  }

  static async start(server: TestServer): Promise<TestKubelet> {
    const credentials = await server.authority.issue({ name: 'system:node:worker', hosts: ['127.0.0.1'] });
    const { cert, key } = credentials;
    const ca = server.authority.cert;
    const https = createServer({
      ...{ cert, key, ca, requestCert: true, rejectUnauthorized: true },
      maxHeaderSize: 1024 * 1024,
    });
    await new Promise<void>((resolve) => https.listen(0, '127.0.0.1', resolve));
    return new TestKubelet(https);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Registers the node `worker` with this kubelet. */
  async register(server: TestServer, declaredFeatures: string[] = []): Promise<void> {
    const addresses = [{ type: 'InternalIP', address: '127.0.0.1' }];
    const status = { addresses, daemonEndpoints: { kubeletEndpoint: { Port: this.port } }, declaredFeatures };
    await server.request('DELETE', '/api/v1/nodes/worker');
    await server.request('POST', '/api/v1/nodes', { body: { metadata: { name: 'worker' }, status } });
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #note(request: IncomingMessage): void {
    const user = (request.socket as TLSSocket).getPeerCertificate().subject.CN;
    const { method = '', url = '', headers } = request;
    this.seen.push({ method, url, user: String(user), headers });
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    this.#note(request);
    if (this.answer) this.answer(request, response);
    else response.end(`log of ${request.url}\n`);
  }

  #serveUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#note(request);
    if (this.upgrade) {
      this.upgrade(request, socket);
      return;
    }
    const exchange = { request, socket, head };
    if (request.url?.startsWith('/portForward/')) {
      const dial = async (port: number) =>
        fromDuplex(connect({ port, host: '127.0.0.1', allowHalfOpen: true }));
      void servePortForward({ ...exchange, dial });
      return;
    }
    const query = new URL(request.url ?? '/', 'https://kubelet').searchParams;
    const asks = (name: string) => query.get(name) === '1';
    void serveRemoteCommand({
      ...exchange,
      streams: { stdin: asks('input'), stdout: asks('output'), stderr: asks('error'), tty: asks('tty') },
      async handler({ stdin, stdout }) {
        if (stdin && stdout) await pump(stdin, stdout);
        else await stdout?.end();
        const [command = ''] = query.getAll('command').slice(-1);
        const exitCode = /^\d+$/.test(command) ? Number(command) : 0;
        return { kind: 'exited', exitCode };
      },
    });
  }
}

/** An HTTP server on loopback that answers with `text`. */
export async function startEcho(text: string): Promise<{ port: number; close(): void }> {
  const server = createHttpServer((_request, response) => response.end(text));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

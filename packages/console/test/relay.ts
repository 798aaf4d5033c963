import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { closeServer, trackSockets } from '@wherry/bytes';

/** A port of 127.0.0.1 that leads to another, and can be away for a while, as a server that is started anew. */
export class Relay implements AsyncDisposable {
  readonly #target: number;
  #port = 0;
  #running: { server: Server; sockets: ReadonlySet<Socket> } | undefined;

  constructor(target: number) {
    this.#target = target;
  }

  get port(): number {
    return this.#port;
  }

  /** Listens, each time on the same port. */
  async open(): Promise<void> {
    const server = createServer((socket) => {
      const onward = connect(this.#target, '127.0.0.1');
      socket.pipe(onward).pipe(socket);
      for (const [one, other] of [
        [socket, onward],
        [onward, socket],
      ] as const)
        one.on('error', () => {}).on('close', () => other.destroy());
    });
    this.#running = { server, sockets: trackSockets(server) };
    server.listen(this.#port, '127.0.0.1');
    await once(server, 'listening');
    this.#port = (server.address() as AddressInfo).port;
  }

  /** Cuts all connections, and takes no new ones. */
  async cut(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    if (running) await closeServer(running.server, running.sockets);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.cut();
  }
}

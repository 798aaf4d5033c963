import { createServer, type Socket } from 'node:net';
import { closeServer, listen, trackSockets } from '@wherry/bytes';
import type { Timer } from '@wherry/clock';
import { unattended } from '@wherry/telemetry';
import { limits } from '../limits.ts';
import { answerPacket } from './answer-packet.ts';
import type { Door, DoorOptions } from './udp-door.ts';

/** Answers questions over connections, each after its length (RFC 1035 §4.2.2, RFC 7766). */
export async function openTcpDoor(options: DoorOptions): Promise<Door> {
  const { address, port, clients, logger } = options;
  const perClient = new Map<string, number>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const client = socket.remoteAddress ?? '';
    const count = perClient.get(client) ?? 0;
    if (!clients.isOne(client) || count >= limits.connectionsPerClientMax) return void socket.destroy();
    perClient.set(client, count + 1);
    socket.once('close', () => {
      const left = (perClient.get(client) ?? 1) - 1;
      if (left > 0) perClient.set(client, left);
      else perClient.delete(client);
    });
    new Connection(socket, client, options).start();
  });
  server.maxConnections = limits.connectionsMax;
  const sockets = trackSockets(server);
  await listen(server, { port, host: address });
  server.on('error', (error) => logger.warn('the server for connections failed', { error }));
  const bound = server.address();
  return {
    port: typeof bound === 'object' && bound ? bound.port : port,
    close: () => closeServer(server, sockets),
  };
}

/** One client's connection: questions are taken as they come, answers go out as they are found (RFC 7766 §6.2.1.1). */
class Connection {
  readonly #socket: Socket;
  readonly #client: string;
  readonly #options: DoorOptions;
  #received: Buffer = Buffer.alloc(0);
  #open = 0;
  #isEnded = false;
  #idle: Timer | undefined;

  constructor(socket: Socket, client: string, options: DoorOptions) {
    this.#socket = socket;
    this.#client = client;
    this.#options = options;
  }

  start(): void {
    const socket = this.#socket;
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.#idle?.cancel());
    socket.on('data', (chunk: Buffer) => {
      this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
      this.#read();
    });
    // Whoever has asked for the last time still gets the answers.
    socket.once('end', () => {
      this.#isEnded = true;
      if (this.#open === 0) socket.end();
    });
    this.#rest();
  }

  #rest(): void {
    this.#idle?.cancel();
    this.#idle = this.#options.clock.after(limits.connectionIdleMs, () => this.#socket.destroy());
  }

  #read(): void {
    while (this.#received.length >= 2 && this.#open < limits.questionsPerConnectionMax) {
      const end = 2 + this.#received.readUInt16BE(0);
      if (this.#received.length < end) break;
      const packet = this.#received.subarray(2, end);
      this.#received = this.#received.subarray(end);
      this.#take(packet);
    }
    if (this.#open < limits.questionsPerConnectionMax) this.#socket.resume();
    else this.#socket.pause();
  }

  #take(packet: Buffer): void {
    this.#rest();
    const response = answerPacket(this.#options, packet, { client: this.#client, transport: 'tcp' });
    if (!response) this.#socket.destroy();
    else if (response instanceof Promise) this.#await(response);
    else this.#send(response);
  }

  #await(response: Promise<Buffer>): void {
    const { logger } = this.#options;
    this.#open += 1;
    const sent = response
      .then((message) => this.#send(message))
      .finally(() => {
        this.#open -= 1;
        if (this.#isEnded && this.#open === 0) this.#socket.end();
        else this.#read();
      });
    unattended(sent, { logger, task: 'an answer', onFailure: () => this.#socket.destroy() });
  }

  #send(message: Buffer): void {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(message.length);
    this.#socket.write(Buffer.concat([length, message]));
    if (this.#socket.writableLength > limits.unsentBytesMax) this.#socket.destroy();
  }
}

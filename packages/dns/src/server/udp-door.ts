import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { type Logger, unattended } from '@wherry/telemetry';
import { limits } from '../limits.ts';
import { answerPacket, type PacketAnswers } from './answer-packet.ts';
import type { Clients } from './clients.ts';

/** Where questions come in. */
export interface DoorOptions extends PacketAnswers {
  address: string;
  port: number;
  clients: Clients;
  logger: Logger;
}

/** An open door. */
export interface Door {
  readonly port: number;
  close(): Promise<void>;
}

/** Answers datagrams. Rejects when the address or port can't be had. */
export async function openUdpDoor(options: DoorOptions): Promise<Door> {
  const { address, port, clients, logger } = options;
  const socket = createSocket({
    type: isIPv6(address) ? 'udp6' : 'udp4',
    recvBufferSize: limits.receiveBufferBytes,
    // Answers go to addresses: nothing is looked up, which would cost a turn of the event loop.
    lookup: (host, _options, found) => found(null, host, isIPv6(host) ? 6 : 4),
  });
  let isOpen = true;
  socket.on('message', (packet, { address: client, port: clientPort }) => {
    if (clientPort === 0 || !clients.isOne(client)) return;
    // What can't be sent any more is asked for again by who misses it.
    const send = (message: Buffer) => void (isOpen && socket.send(message, clientPort, client, () => {}));
    const response = answerPacket(options, packet, { client, transport: 'udp' });
    if (response instanceof Promise) unattended(response.then(send), { logger, task: 'an answer' });
    else if (response) send(response);
  });
  const listening = once(socket, 'listening');
  socket.bind(port, address);
  try {
    await listening;
  } catch (error) {
    // A socket that could not be bound is open all the same.
    socket.close();
    throw error;
  }
  socket.on('error', (error) => logger.warn('the datagram socket failed', { error }));
  return {
    port: socket.address().port,
    close() {
      isOpen = false;
      return new Promise((resolve) => socket.close(() => resolve()));
    },
  };
}

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, isIPv6 } from 'node:net';
import type { HeldPort, MachinePorts, Port } from '@wherry/controllers';
import { hasCode } from '@wherry/linux';

/**
 * The ports of this machine, held by listening at them: the kernel then gives them to no other program, and to no other node of
 * the machine. What comes to them is led on before it gets to a listener; what comes before the rules are there is
 * turned away.
 */
export const heldPorts: MachinePorts = {
  async hold(port) {
    try {
      return await holders[port.protocol](port);
    } catch (error) {
      const { address, protocol, port: number } = port;
      const which = `port ${number} (${protocol}) of ${address}`;
      if (hasCode(error, 'EADDRINUSE'))
        throw new Error(`a program of this machine, or another node, has ${which}`);
      throw new Error(`${which} can't be had: ${(error as Error).message}`, { cause: error });
    }
  },
};

/** Node has no sockets of SCTP: such a port is held from services alone. */
const holders: Record<Port['protocol'], (port: Port) => Promise<HeldPort>> = {
  TCP: holdTcp,
  UDP: holdUdp,
  SCTP: async () => ({ release: async () => {} }),
};

async function holdTcp({ address, port }: Port): Promise<HeldPort> {
  const server = createServer((socket) => socket.resetAndDestroy());
  server.listen({ host: address, port, exclusive: true });
  await once(server, 'listening');
  server.on('error', () => {});
  return { release: () => new Promise((resolve) => server.close(() => resolve())) };
}

async function holdUdp({ address, port }: Port): Promise<HeldPort> {
  const socket = createSocket({ type: isIPv6(address) ? 'udp6' : 'udp4' });
  socket.on('message', () => {});
  socket.bind({ address, port, exclusive: true });
  try {
    await once(socket, 'listening');
  } catch (error) {
    socket.close();
    throw error;
  }
  socket.on('error', () => {});
  return { release: () => new Promise((resolve) => socket.close(() => resolve())) };
}

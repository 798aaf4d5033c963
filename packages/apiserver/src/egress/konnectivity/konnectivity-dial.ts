import { randomBytes } from 'node:crypto';
import { Client, credentials, type ServiceError, status } from '@grpc/grpc-js';
import { onAbort } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import { authorityOf, type Dial } from '../../dialing/dial.ts';
import { EgressDialError, proxyUnreached } from '../dial-error.ts';
import { decodePacket, encodePacket, type Packet, proxyPath } from './packets.ts';
import { TunnelSocket } from './tunnel-socket.ts';

/** Connections that a Konnectivity server leads on which listens at a unix socket, by gRPC: one connection to it each, as upstream. */
export function konnectivityDial(path: string, clock: Clock): Dial {
  return async (destination) => {
    const { signal } = destination;
    const socket = openTunnel(path, { address: authorityOf(destination), random: randomId(), clock });
    const leave = onAbort(signal, (reason) => socket.destroy(reason as Error));
    try {
      await socket.dialled;
      return socket;
    } finally {
      leave();
    }
  };
}

/** 63 bits, as upstream. */
const randomId = (): bigint => randomBytes(8).readBigUInt64BE() >> 1n;

function openTunnel(path: string, destination: ConstructorParameters<typeof TunnelSocket>[1]): TunnelSocket {
  const client = new Client(`unix:${path}`, credentials.createInsecure(), {
    'grpc.default_authority': 'localhost',
    'grpc.use_local_subchannel_pool': 1,
    'grpc.enable_retries': 0,
    'grpc.enable_http_proxy': 0,
  });
  const call = client.makeBidiStreamRequest(proxyPath, encodePacket, decodePacket);
  const socket = new TunnelSocket(
    {
      send: (packet, sent) => void call.write(packet as Packet, sent),
      pause: () => void call.pause(),
      resume: () => void call.resume(),
      close() {
        call.cancel();
        client.close();
      },
    },
    destination,
  );
  call.on('data', (packet: Packet) => socket.receive(packet));
  call.on('error', (error: ServiceError) => socket.lose(lossOf(error, path)));
  call.on('end', () => socket.lose(new EgressDialError('proxy', 'tunnel closed')));
  // A connection may be lost between two of those who listen.
  socket.on('error', () => {});
  return socket;
}

/** The library tells of a socket that nobody listens at in a text alone. */
const unreached = /^No connection established\. Last error: .*?\b(E[A-Z]+)\b/;

function lossOf(error: ServiceError, path: string): EgressDialError {
  const [, code] = unreached.exec(error.details) ?? [];
  if (error.code === status.UNAVAILABLE && code !== undefined)
    return proxyUnreached(Object.assign(new Error(error.details), { code, address: path }));
  return new EgressDialError('proxy', 'tunnel closed', error);
}

/** What Konnectivity's server and its clients say to each other (sigs.k8s.io/apiserver-network-proxy, konnectivity-client/proto/client). */
import { type MessageSchema, messageCodec } from '@wherry/cri/grpc';

/** Kinds of packets. */
export const packetType = {
  dialRequest: 0,
  dialResponse: 1,
  closeRequest: 2,
  closeResponse: 3,
  data: 4,
  /** The dial is given up. */
  dialClose: 5,
  /** An agent is about to end; of no concern to clients. */
  drain: 6,
} as const;

/** One of them; what is of another kind is undefined. */
export interface Packet {
  type: number;
  dialRequest?: { protocol: string; address: string; random: bigint };
  dialResponse?: { error: string; connectId: bigint; random: bigint };
  data?: { connectId: bigint; error: string; data: Uint8Array };
  closeRequest?: { connectId: bigint };
  closeResponse?: { error: string; connectId: bigint };
  closeDial?: { random: bigint };
}

const error = [1, 'error', 'string', 'single'] as const;
const connectId = (field: number) => [field, 'connectId', 'int64:bigint', 'single'] as const;
const random = (field: number) => [field, 'random', 'int64:bigint', 'single'] as const;

const messages: Record<string, MessageSchema> = {
  Packet: [
    [1, 'type', 'enum', 'single'],
    [2, 'dialRequest', 'DialRequest', 'single'],
    [3, 'dialResponse', 'DialResponse', 'single'],
    [4, 'data', 'Data', 'single'],
    [5, 'closeRequest', 'CloseRequest', 'single'],
    [6, 'closeResponse', 'CloseResponse', 'single'],
    [7, 'closeDial', 'CloseDial', 'single'],
  ],
  DialRequest: [[1, 'protocol', 'string', 'single'], [2, 'address', 'string', 'single'], random(3)],
  DialResponse: [error, connectId(2), random(3)],
  CloseRequest: [connectId(1)],
  CloseResponse: [error, connectId(2)],
  CloseDial: [random(1)],
  Data: [connectId(1), [2, 'error', 'string', 'single'], [3, 'data', 'bytes', 'single']],
};

const codec = messageCodec(messages);

/** The one call of the service. */
export const proxyPath = '/ProxyService/Proxy';

export const encodePacket = (packet: Partial<Packet>): Buffer => codec.encode('Packet', packet);
/** Throws `RangeError` on bytes that are none. */
export const decodePacket = (bytes: Uint8Array): Packet => codec.decode('Packet', bytes) as unknown as Packet;

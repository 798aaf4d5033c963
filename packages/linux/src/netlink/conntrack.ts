import { hasCode } from '../errors.ts';
import { type AttributeList, decodeAttributes, encodeAttributes, uint32 } from './attributes.ts';
import { type AddressFamily, decodeAddress, encodeAddress } from './ip-address.ts';
import { withNetfilter } from './netfilter.ts';
import { netlinkFlags } from './netlink.ts';

// linux/netfilter/nfnetlink_conntrack.h
const subsystem = 1;
const message = { get: (subsystem << 8) | 1, delete: (subsystem << 8) | 2 } as const;
const attribute = { original: 1, reply: 2, filter: 25 } as const;
const tuple = { addresses: 1, protocol: 2 } as const;
const families = {
  ip: { number: 2, source: 1, destination: 2 },
  ip6: { number: 10, source: 3, destination: 4 },
} as const;
const protocol = { number: 1, sourcePort: 2, destinationPort: 3 } as const;
const filterOriginal = 1;
const filterFlag = { destination: 1 << 1, protocol: 1 << 3, destinationPort: 1 << 5 } as const;
const headerBytes = 4;
const headerOf = (family: AddressFamily) => Buffer.from([families[family].number, 0, 0, 0]);

/** What a client connects to. */
export interface FlowTarget {
  family: AddressFamily;
  /** Undefined for any. */
  address: string | undefined;
  /** IPPROTO number. */
  protocol: number;
  port: number;
}

/** A connection, or a flow of datagrams, that the kernel tracks. */
export interface Flow {
  family: AddressFamily;
  /** The address and port that the client sends to. */
  destination: string;
  /** Who answers: somebody else where the destination is translated. */
  answeredBy: { ip: string; port: number };
  /** The client's side as the kernel told it. */
  original: Buffer;
}

const port = (value: number) => Buffer.from([value >> 8, value & 0xff]);

/** The flows to a target. Throws where the kernel does not tell of flows. */
export function flowsTo(target: FlowTarget): Flow[] {
  const { family } = target;
  // Of IPv6 addresses the kernel gives those that differ from the one asked for (seen with 6.18): none is asked for.
  const to = family === 'ip' ? target.address : undefined;
  const addresses: AttributeList =
    to === undefined ? [] : [[tuple.addresses, [[families[family].destination, encodeAddress(to)]]]];
  const ports: AttributeList = [
    [protocol.number, Buffer.from([target.protocol])],
    [protocol.destinationPort, port(target.port)],
  ];
  const flags =
    filterFlag.protocol | filterFlag.destinationPort | (to === undefined ? 0 : filterFlag.destination);
  const attributes: AttributeList = [
    [attribute.original, [...addresses, [tuple.protocol, ports]]],
    [attribute.filter, [[filterOriginal, uint32(flags)]]],
  ];
  const payload = Buffer.concat([headerOf(family), encodeAttributes(attributes)]);
  const asked = { type: message.get, flags: netlinkFlags.dump, payload };
  const answers = withNetfilter((socket) => socket.request(asked, 'flows'));
  const found = answers.flatMap(
    ({ payload: bytes }) => decodeFlow(family, bytes.subarray(headerBytes)) ?? [],
  );
  const wanted = target.address && decodeAddress(encodeAddress(target.address));
  return wanted === undefined ? found : found.filter(({ destination }) => destination === wanted);
}

/** Lets the kernel forget a flow; its next packet begins another. One that is gone is fine. */
export function endFlow({ family, original }: Pick<Flow, 'family' | 'original'>): void {
  const payload = Buffer.concat([headerOf(family), encodeAttributes([[attribute.original, original]])]);
  // The attribute holds others, and the kernel wants that said.
  payload.writeUInt16LE(attribute.original | 0x8000, headerBytes + 2);
  try {
    withNetfilter((socket) => socket.request({ type: message.delete, flags: 0, payload }, 'flow'));
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
}

function decodeFlow(family: AddressFamily, bytes: Buffer): Flow | undefined {
  const address = families[family];
  const parts = decodeAttributes(bytes);
  const original = parts.get(attribute.original);
  const reply = parts.get(attribute.reply);
  if (!original || !reply) return undefined;
  const target = decodeAttributes(decodeAttributes(original).get(tuple.addresses) ?? Buffer.alloc(0));
  const answer = decodeAttributes(reply);
  const source = decodeAttributes(answer.get(tuple.addresses) ?? Buffer.alloc(0)).get(address.source);
  const ports = decodeAttributes(answer.get(tuple.protocol) ?? Buffer.alloc(0));
  return {
    family,
    original,
    destination: decodeAddress(target.get(address.destination) ?? Buffer.alloc(4)),
    answeredBy: {
      ip: decodeAddress(source ?? Buffer.alloc(4)),
      port: ports.get(protocol.sourcePort)?.readUInt16BE(0) ?? 0,
    },
  };
}

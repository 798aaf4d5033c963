import { type AttributeList, cString } from '../netlink/attributes.ts';
import type { AddressFamily } from '../netlink/ip-address.ts';

// linux/netfilter/nf_tables.h; numbers are big-endian there.
const lookupAttribute = { set: 1, source: 2, destination: 3 } as const;
const payloadAttribute = { destination: 1, base: 2, offset: 3, length: 4 } as const;
const metaAttribute = { destination: 1, key: 2, source: 3 } as const;
const numgenAttribute = { destination: 1, modulus: 2, type: 3 } as const;
const natAttribute = { type: 1, family: 2, address: 3, port: 5 } as const;
const dynsetAttribute = { set: 1, operation: 3, key: 4, data: 5, timeout: 6 } as const;
const networkHeader = 1;
const transportHeader = 2;
const metaKey = { priority: 2, layer4Protocol: 16 } as const;
const randomNumbers = 1;
const destinationNat = 1;
const familyNumbers = { ip: 2, ip6: 10 } as const;
/** Where the network header has addresses. */
const addressBytes = {
  ip: { length: 4, source: 12, destination: 16 },
  ip6: { length: 16, source: 8, destination: 24 },
} as const;
const updateOperation = 1;
/** Register of the first 32-bit word (NFT_REG32_00). */
const firstWord = 8;

/** How many words an address takes. */
export const addressWords = { ip: 1, ip6: 4 } as const;

/** One step of a rule. Registers are 32-bit words, counted from 0. */
export interface Expression {
  name: string;
  attributes: AttributeList;
}

/** Numbers are big-endian here. */
export const uint32 = (value: number): Buffer => {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32BE(value);
  return buffer;
};

/** The same with a sign. */
export const int32 = (value: number): Buffer => {
  const buffer = Buffer.alloc(4);
  buffer.writeInt32BE(value);
  return buffer;
};

const uint64 = (value: number) => {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64BE(BigInt(value));
  return buffer;
};

/** A word's number in messages. */
export const register = (word: number): Buffer => uint32(firstWord + word);

function loadHeader(base: number, offset: number, length: number) {
  return (word: number): Expression => ({
    name: 'payload',
    attributes: [
      [payloadAttribute.destination, register(word)],
      [payloadAttribute.base, uint32(base)],
      [payloadAttribute.offset, uint32(offset)],
      [payloadAttribute.length, uint32(length)],
    ],
  });
}

function loadMeta(key: number) {
  return (word: number): Expression => ({
    name: 'meta',
    attributes: [
      [metaAttribute.key, uint32(key)],
      [metaAttribute.destination, register(word)],
    ],
  });
}

/** What a rule may load into a word. */
export const load = {
  sourceAddress: (family: AddressFamily) =>
    loadHeader(networkHeader, addressBytes[family].source, addressBytes[family].length),
  destinationAddress: (family: AddressFamily) =>
    loadHeader(networkHeader, addressBytes[family].destination, addressBytes[family].length),
  destinationPort: loadHeader(transportHeader, 2, 2),
  protocol: loadMeta(metaKey.layer4Protocol),
  /** The packet's priority, which {@link note} may have set. */
  noted: loadMeta(metaKey.priority),
  /** A random number below `modulus`. */
  random:
    (modulus: number) =>
    (word: number): Expression => ({
      name: 'numgen',
      attributes: [
        [numgenAttribute.destination, register(word)],
        [numgenAttribute.modulus, uint32(modulus)],
        [numgenAttribute.type, uint32(randomNumbers)],
      ],
    }),
};

/** Replaces the key that begins at a word by what the map holds for it; where it holds nothing, the rule ends. */
export function lookUp(map: string, word: number): Expression {
  return {
    name: 'lookup',
    attributes: [
      [lookupAttribute.set, cString(map)],
      [lookupAttribute.source, register(word)],
      [lookupAttribute.destination, register(word)],
    ],
  };
}

/**
 * Keeps a word with the packet for the rules that follow: as its priority, which routing sets anew for all that is
 * forwarded. A rule of two look-ups would need no note, but nft(8) cannot list it.
 */
export function note(word: number): Expression {
  return {
    name: 'meta',
    attributes: [
      [metaAttribute.key, uint32(metaKey.priority)],
      [metaAttribute.source, register(word)],
    ],
  };
}

/** Puts key and data into a map for a while; of a key that is there only the time begins anew, its data stays. */
export function remember(map: string, key: number, data: number, timeoutMs: number): Expression {
  return {
    name: 'dynset',
    attributes: [
      [dynsetAttribute.set, cString(map)],
      [dynsetAttribute.operation, uint32(updateOperation)],
      [dynsetAttribute.key, register(key)],
      [dynsetAttribute.data, register(data)],
      [dynsetAttribute.timeout, uint64(timeoutMs)],
    ],
  };
}

/** Sends the connection to the address that begins at a word, and the port in the word behind it. */
export function sendTo(family: AddressFamily, word: number): Expression {
  return {
    name: 'nat',
    attributes: [
      [natAttribute.type, uint32(destinationNat)],
      [natAttribute.family, uint32(familyNumbers[family])],
      [natAttribute.address, register(word)],
      [natAttribute.port, register(word + addressWords[family])],
    ],
  };
}

import { type AttributeList, cString, decodeAttributes, readCString } from '../netlink/attributes.ts';
import { encodeAddress } from '../netlink/ip-address.ts';
import { int32, uint32 } from './expressions.ts';

// linux/netfilter/nf_tables.h
const attribute = { table: 1, set: 2, elements: 3 } as const;
const listElement = 1;
const part = { key: 1, data: 2, flags: 3, timeout: 4 } as const;
const intervalEnd = 1;
const data = { value: 1, verdict: 2 } as const;
const verdict = { code: 1, chain: 2 } as const;
const gotoCode = -4;
const interfaceNameBytes = 16;
const wordBytes = 4;

/** An element of a set; of a map when it has `data`, of a verdict map when it has `goto`. */
export interface SetElement {
  set: string;
  key: Buffer;
  data?: Buffer | undefined;
  /** The chain that the key leads to. */
  goto?: string | undefined;
  /** How long it stays; undefined for as long as its set says. */
  timeoutMs?: number | undefined;
  /** In a set of intervals: the key is the first one behind the interval that began before. */
  isEnd?: boolean | undefined;
}

/** Each part of a concatenated key takes whole 32-bit words. */
function words(bytes: Uint8Array): Buffer {
  const buffer = Buffer.alloc(Math.ceil(bytes.length / wordBytes) * wordBytes);
  buffer.set(bytes);
  return buffer;
}

/** The parts of keys, as nftables holds them. */
export const keyPart = {
  number: (value: number): Buffer => words(Buffer.from([value])),
  /** A number of the machine's own byte order, as `numgen` gives it. */
  index(value: number): Buffer {
    const buffer = Buffer.alloc(wordBytes);
    buffer.writeUInt32LE(value);
    return buffer;
  },
  port: (value: number): Buffer => words(Buffer.from([value >> 8, value & 0xff])),
  hardwareAddress: (text: string): Buffer => words(Buffer.from(text.replaceAll(':', ''), 'hex')),
  interfaceName(name: string): Buffer {
    const buffer = Buffer.alloc(interfaceNameBytes);
    buffer.write(name);
    return buffer;
  },
  address: (text: string): Buffer => words(encodeAddress(text)),
};

function contentOf({ data: value, goto: chain }: SetElement): AttributeList {
  if (chain !== undefined) {
    const to: AttributeList = [
      [verdict.code, int32(gotoCode)],
      [verdict.chain, cString(chain)],
    ];
    return [[part.data, [[data.verdict, to]]]];
  }
  return value === undefined ? [] : [[part.data, [[data.value, value]]]];
}

function timeoutOf({ timeoutMs }: SetElement): AttributeList {
  if (timeoutMs === undefined) return [];
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64BE(BigInt(timeoutMs));
  return [[part.timeout, buffer]];
}

/** The attributes of a message that adds or removes these elements, all of one set. */
export function elementAttributes(
  table: string,
  set: string,
  elements: readonly SetElement[],
): AttributeList {
  const list = elements.map(
    (element) =>
      [
        listElement,
        [
          [part.key, [[data.value, element.key]]],
          ...contentOf(element),
          ...(element.isEnd ? [[part.flags, uint32(intervalEnd)] as const] : []),
          ...timeoutOf(element),
        ],
      ] as const,
  );
  return [
    [attribute.table, cString(table)],
    [attribute.set, cString(set)],
    [attribute.elements, list],
  ];
}

/** The attributes of a request for all elements of a set. */
export const setAttributes = (table: string, set: string): AttributeList => [
  [attribute.table, cString(table)],
  [attribute.set, cString(set)],
];

/** Reads one message of what the kernel tells of a set. Elements without a key (defaults, ends of intervals) are left out. */
export function decodeElements(set: string, payload: Buffer): SetElement[] {
  const list = decodeAttributes(payload).get(attribute.elements) ?? Buffer.alloc(0);
  return [...everyAttribute(list)].flatMap((bytes) => {
    const parts = decodeAttributes(bytes);
    const key = decodeAttributes(parts.get(part.key) ?? Buffer.alloc(0)).get(data.value);
    if (!key) return [];
    const content = decodeAttributes(parts.get(part.data) ?? Buffer.alloc(0));
    const to = content.get(data.verdict);
    const chain = to && readCString(decodeAttributes(to).get(verdict.chain));
    const timeout = parts.get(part.timeout);
    const timeoutMs = timeout && Number(timeout.readBigUInt64BE(0));
    return [{ set, key, data: content.get(data.value), goto: chain, timeoutMs }];
  });
}

/** The attributes of a list, which are all of one type. */
function* everyAttribute(bytes: Buffer): Generator<Buffer> {
  for (let offset = 0; offset + wordBytes <= bytes.byteLength; ) {
    const length = bytes.readUInt16LE(offset);
    if (length < wordBytes || offset + length > bytes.byteLength) return;
    yield bytes.subarray(offset + wordBytes, offset + length);
    offset += (length + 3) & ~3;
  }
}

import { limits } from '../limits.ts';
import { BusReader, type BusValue, type BusVariant, BusWriter } from './bus-values.ts';

const littleEndian = 0x6c;
const protocolVersion = 1;
const fixedHeaderBytes = 16;
/** Numbers of the header's fields (D-Bus Specification, "Header Fields"). */
const fields = { path: 1, interface: 2, member: 3, errorName: 4, replySerial: 5, signature: 8 } as const;

/** Kinds of messages. */
export const messageTypes = { call: 1, reply: 2, error: 3, signal: 4 } as const;

/** A method to call on an object of the other side. */
export interface BusCall {
  path: string;
  interface: string;
  member: string;
  /** Types of `body`. Default: none. */
  signature?: string;
  body?: readonly BusValue[];
}

/** A message that has come. */
export interface BusMessage {
  type: number;
  path: string | undefined;
  member: string | undefined;
  errorName: string | undefined;
  replySerial: number | undefined;
  /** Reads what it brings. Throws on types that nobody here wants. */
  readBody(): BusValue[];
}

/** The bytes of a call. */
export function encodeCall(serial: number, call: BusCall): Buffer {
  const { path, interface: name, member, signature = '', body = [] } = call;
  const content = new BusWriter();
  content.writeAll(signature, body);
  const field = (number: number, type: string, value: string): BusValue => [
    number,
    { signature: type, value },
  ];
  const header = new BusWriter();
  for (const byte of [littleEndian, messageTypes.call, 0, protocolVersion]) header.write('y', byte);
  header.write('u', content.bytes.length);
  header.write('u', serial);
  header.write('a(yv)', [
    field(fields.path, 'o', path),
    field(fields.interface, 's', name),
    field(fields.member, 's', member),
    ...(signature === '' ? [] : [field(fields.signature, 'g', signature)]),
  ]);
  header.align(8);
  return Buffer.concat([header.bytes, content.bytes]);
}

/**
 * The first message of what has come, and how many bytes it takes; undefined while it is not whole. Throws on what is
 * none, or too long.
 */
export function decodeMessage(bytes: Buffer): { message: BusMessage; length: number } | undefined {
  if (bytes.length < fixedHeaderBytes) return undefined;
  if (bytes.readUInt8(0) !== littleEndian)
    throw new Error('D-Bus: the other side does not write little-endian');
  const headerBytes = fixedHeaderBytes + Math.ceil(bytes.readUInt32LE(12) / 8) * 8;
  const bodyBytes = bytes.readUInt32LE(4);
  const length = headerBytes + bodyBytes;
  if (length > limits.busMessageBytesMax) throw new Error(`D-Bus: a message of ${length} bytes is too long`);
  if (bytes.length < length) return undefined;
  const header = new BusReader(bytes.subarray(0, headerBytes));
  header.readAll('yyyyuu');
  const known = new Map(header.read('a(yv)') as [number, BusVariant][]);
  const text = (number: number) => {
    const found = known.get(number)?.value;
    return typeof found === 'string' ? found : undefined;
  };
  const replySerial = known.get(fields.replySerial)?.value;
  const body = bytes.subarray(headerBytes, length);
  return {
    message: {
      type: bytes.readUInt8(1),
      path: text(fields.path),
      member: text(fields.member),
      errorName: text(fields.errorName),
      replySerial: typeof replySerial === 'number' ? replySerial : undefined,
      readBody: () => new BusReader(body).readAll(text(fields.signature) ?? ''),
    },
    length,
  };
}

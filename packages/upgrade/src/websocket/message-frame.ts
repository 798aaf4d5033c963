import { mergeBytesMax } from '../limits.ts';

/** Operation codes of RFC 6455, section 11.8. */
export const opcodes = { text: 1, binary: 2, close: 8 } as const;

/** What one data frame is made of. */
export interface FrameParts {
  opcode: number;
  /** True for frames of a client, which have to carry a masking key (RFC 6455, section 5.3). */
  masked: boolean;
  /** A few bytes in front of the payload, such as a channel number. */
  prefix: Uint8Array | undefined;
  payload: readonly Uint8Array[];
  payloadBytes: number;
}

/** Length of the frame head: two bytes, the longer length forms, the masking key. */
function headBytes(dataBytes: number, masked: boolean): number {
  const lengthBytes = dataBytes > 65_535 ? 8 : dataBytes > 125 ? 2 : 0;
  return 2 + lengthBytes + (masked ? 4 : 0);
}

function writeHead(target: Buffer, { opcode, masked }: FrameParts, dataBytes: number): void {
  const maskBit = masked ? 0x80 : 0;
  target[0] = 0x80 | opcode;
  if (dataBytes > 65_535) {
    target[1] = maskBit | 127;
    target.writeUInt32BE(Math.floor(dataBytes / 2 ** 32), 2);
    target.writeUInt32BE(dataBytes % 2 ** 32, 6);
  } else if (dataBytes > 125) {
    target[1] = maskBit | 126;
    target.writeUInt16BE(dataBytes, 2);
  } else {
    target[1] = maskBit | dataBytes;
  }
}

/**
 * The buffers of one unfragmented frame, to be written back to back. The payload is passed on by reference.
 *
 * The masking key is zero, which leaves the payload as it is: masking keeps scripts in browsers from smuggling
 * requests past plain-HTTP intermediaries, and the bytes here come from no script.
 */
export function encodeFrame(parts: FrameParts): Uint8Array[] {
  const prefixBytes = parts.prefix?.length ?? 0;
  const dataBytes = prefixBytes + parts.payloadBytes;
  const head = headBytes(dataBytes, parts.masked);
  const merged = parts.payloadBytes <= mergeBytesMax;
  const first = Buffer.alloc(head + prefixBytes + (merged ? parts.payloadBytes : 0));
  writeHead(first, parts, dataBytes);
  if (parts.prefix) first.set(parts.prefix, head);
  if (!merged) return [first, ...parts.payload];
  let offset = head + prefixBytes;
  for (const chunk of parts.payload) {
    first.set(chunk, offset);
    offset += chunk.length;
  }
  return [first];
}

import { RuntimeError } from '../../errors.ts';

/** The two connections that share a plug-in's socket: each side asks on one and answers on the other. */
export const lines = { plugIn: 1, runtime: 2 } as const;

/** What a ttrpc message is. */
export const kinds = { request: 1, response: 2 } as const;

/** ttrpc's own bound of a message. */
export const messageBytesMax = 4 * 1024 * 1024;

/** Heads of a multiplexed frame (line, length) and of a ttrpc message (length, stream, kind, flags). */
const frameHeadBytes = 8;
const messageHeadBytes = 10;
/** Go's end reads through a buffer of this size: the first frame of a message has to fit, the rest comes in one. */
const firstFrameBytes = 4096;

/** A whole ttrpc message. */
export interface WireMessage {
  line: number;
  stream: number;
  kind: number;
  data: Buffer;
}

/** A message in its frames. Throws `RuntimeError` RESOURCE_EXHAUSTED for one that is too large. */
export function encodeWire({ line, stream, kind, data }: WireMessage): Buffer {
  if (data.length > messageBytesMax)
    throw new RuntimeError(
      'RESOURCE_EXHAUSTED',
      `a message of ${data.length} bytes is larger than ttrpc's ${messageBytesMax}`,
    );
  const head = Buffer.alloc(messageHeadBytes);
  head.writeUInt32BE(data.length, 0);
  head.writeUInt32BE(stream, 4);
  head.writeUInt8(kind, 8);
  const whole = Buffer.concat([head, data]);
  const parts = [whole.subarray(0, firstFrameBytes), whole.subarray(firstFrameBytes)];
  return Buffer.concat(
    parts
      .filter(({ length }) => length > 0)
      .flatMap((part) => {
        const frame = Buffer.alloc(frameHeadBytes);
        frame.writeUInt32BE(line, 0);
        frame.writeUInt32BE(part.length, 4);
        return [frame, part];
      }),
  );
}

/** Puts messages together from what a socket gives. It holds one frame and one message of each line at most. */
export class WireDecoder {
  #trunk: Buffer = Buffer.alloc(0);
  readonly #lines = new Map<number, Buffer>(
    [lines.plugIn, lines.runtime].map((line) => [line, Buffer.alloc(0)]),
  );

  /** Takes bytes; answers the messages that they complete. Throws `RuntimeError` INVALID_ARGUMENT for what is no frame. */
  push(bytes: Buffer): WireMessage[] {
    const messages: WireMessage[] = [];
    this.#trunk = Buffer.concat([this.#trunk, bytes]);
    while (this.#trunk.length >= frameHeadBytes) {
      const line = this.#trunk.readUInt32BE(0);
      const length = this.#trunk.readUInt32BE(4);
      if (length > messageBytesMax + messageHeadBytes) throw tooLarge('frame', length);
      const end = frameHeadBytes + length;
      if (this.#trunk.length < end) break;
      messages.push(...this.#onLine(line, this.#trunk.subarray(frameHeadBytes, end)));
      this.#trunk = this.#trunk.subarray(end);
    }
    return messages;
  }

  #onLine(line: number, bytes: Buffer): WireMessage[] {
    const before = this.#lines.get(line);
    if (!before) throw new RuntimeError('INVALID_ARGUMENT', `connection ${line}: want 1 or 2`);
    const messages: WireMessage[] = [];
    let held = Buffer.concat([before, bytes]);
    while (held.length >= messageHeadBytes) {
      const length = held.readUInt32BE(0);
      if (length > messageBytesMax) throw tooLarge('message', length);
      const end = messageHeadBytes + length;
      if (held.length < end) break;
      const data = Buffer.from(held.subarray(messageHeadBytes, end));
      messages.push({ line, stream: held.readUInt32BE(4), kind: held.readUInt8(8), data });
      held = held.subarray(end);
    }
    this.#lines.set(line, held);
    return messages;
  }
}

const tooLarge = (what: string, length: number) =>
  new RuntimeError(
    'INVALID_ARGUMENT',
    `a ${what} of ${length} bytes is larger than ttrpc's ${messageBytesMax}`,
  );

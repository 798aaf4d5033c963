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

/** Bytes of a number that is known, as they come: each is copied once. */
class Part {
  readonly #bytes: Buffer;
  #filled = 0;

  constructor(length: number) {
    this.#bytes = Buffer.allocUnsafe(length);
  }

  /** Takes what it lacks; answers what is left over. */
  fill(bytes: Buffer): Buffer {
    const taken = bytes.copy(this.#bytes, this.#filled);
    this.#filled += taken;
    return bytes.subarray(taken);
  }

  /** All of it, once it is there. */
  get whole(): Buffer | null {
    return this.#filled === this.#bytes.length ? this.#bytes : null;
  }
}

/** Puts the messages of one connection together. */
class LineDecoder {
  readonly #line: number;
  #head = new Part(messageHeadBytes);
  #data: Part | null = null;

  constructor(line: number) {
    this.#line = line;
  }

  push(bytes: Buffer): WireMessage[] {
    const messages: WireMessage[] = [];
    for (let rest = bytes; ; ) {
      rest = this.#head.fill(rest);
      const head = this.#head.whole;
      if (!head) return messages;
      this.#data ??= new Part(boundedLength('message', head.readUInt32BE(0), messageBytesMax));
      rest = this.#data.fill(rest);
      const data = this.#data.whole;
      if (!data) return messages;
      messages.push({ line: this.#line, stream: head.readUInt32BE(4), kind: head.readUInt8(8), data });
      this.#head = new Part(messageHeadBytes);
      this.#data = null;
    }
  }
}

/** Puts messages together from what a socket gives. It holds one message of each connection at most, and takes time by the bytes that come alone. */
export class WireDecoder {
  readonly #lines = new Map(
    [lines.plugIn, lines.runtime].map((line) => [line as number, new LineDecoder(line)]),
  );
  #head = new Part(frameHeadBytes);
  /** Of the frame whose head is there. */
  #frame: { decoder: LineDecoder; left: number } | null = null;

  /** Takes bytes; answers the messages that they complete. Throws `RuntimeError` INVALID_ARGUMENT for what is no frame. */
  push(bytes: Buffer): WireMessage[] {
    const messages: WireMessage[] = [];
    for (let rest = bytes; ; ) {
      rest = this.#head.fill(rest);
      const head = this.#head.whole;
      if (!head) return messages;
      this.#frame ??= this.#frameOf(head);
      const own = rest.subarray(0, this.#frame.left);
      rest = rest.subarray(own.length);
      this.#frame.left -= own.length;
      messages.push(...this.#frame.decoder.push(own));
      if (this.#frame.left > 0) return messages;
      this.#head = new Part(frameHeadBytes);
      this.#frame = null;
    }
  }

  #frameOf(head: Buffer): { decoder: LineDecoder; left: number } {
    const line = head.readUInt32BE(0);
    const left = boundedLength('frame', head.readUInt32BE(4), messageBytesMax + messageHeadBytes);
    const decoder = this.#lines.get(line);
    if (!decoder) throw new RuntimeError('INVALID_ARGUMENT', `connection ${line}: want 1 or 2`);
    return { decoder, left };
  }
}

function boundedLength(what: string, length: number, lengthMax: number): number {
  if (length <= lengthMax) return length;
  throw new RuntimeError(
    'INVALID_ARGUMENT',
    `a ${what} of ${length} bytes is larger than ttrpc's ${messageBytesMax}`,
  );
}

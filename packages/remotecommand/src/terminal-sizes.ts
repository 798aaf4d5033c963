import { resizeBytesMax, resizeCharactersMax } from './limits.ts';
import type { TerminalSize } from './session.ts';

/**
 * Hands sizes from one side to the other. Of those that were not read yet the first and the latest are kept: attach asks
 * for a redraw by a size that differs and then the real one, and without the first nothing would have changed.
 */
export class TerminalSizes implements AsyncIterable<TerminalSize> {
  #waiting: TerminalSize[] = [];
  #done = false;
  #wake: (() => void) | undefined;

  push(size: TerminalSize): void {
    if (this.#done) return;
    this.#waiting = [...this.#waiting.slice(0, 1), size];
    this.#wake?.();
  }

  /** No size comes any more; the latest can still be read. */
  finish(): void {
    this.#done = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<TerminalSize> {
    for (;;) {
      const size = this.#waiting.shift();
      if (size) yield size;
      else if (this.#done) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

/** A size as it is sent: one JSON object and a newline. */
export function encodeTerminalSize({ width, height }: TerminalSize): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify({ Width: width, Height: height })}\n`);
}

/** Reads sizes from a stream of JSON objects that may come split or joined. What is no size is skipped, and so is all but the end of much at once. */
export class TerminalSizeDecoder {
  #rest = '';

  decode(chunk: Uint8Array): TerminalSize[] {
    const { buffer, byteOffset, length } = chunk.subarray(-resizeBytesMax);
    const rest = length < chunk.length ? '' : this.#rest;
    const text = rest + Buffer.from(buffer, byteOffset, length).toString('latin1');
    const open = text.lastIndexOf('{');
    const isUnfinished = open >= 0 && text.indexOf('}', open) < 0;
    this.#rest = isUnfinished && text.length - open <= resizeCharactersMax ? text.slice(open) : '';
    return [...text.matchAll(/\{[^{}]*\}/g)].flatMap(([object]) => parseSize(object) ?? []);
  }
}

function parseSize(text: string): TerminalSize | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const fields = new Map(Object.entries(value as object).map(([name, field]) => [name.toLowerCase(), field]));
  const width = fields.get('width') ?? 0;
  const height = fields.get('height') ?? 0;
  const size = { width, height };
  return isTerminalSize(size) ? size : undefined;
}

/** Whether both are whole numbers of 16 bits, as the kernel and Go's `TerminalSize` have them. */
export function isTerminalSize(size: { width: unknown; height: unknown }): size is TerminalSize {
  return isUint16(size.width) && isUint16(size.height);
}

const isUint16 = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 65_535;

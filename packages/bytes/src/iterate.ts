import { onAbort } from './abort.ts';
import type { ByteSource, WaitOptions } from './channel.ts';
import { iterateBytesMax } from './limits.ts';

/**
 * The bytes of a source as an async iterable, pulled at the reader's pace. Becomes the source's receiver. Ends with
 * the peer's FIN; throws what the source closed with, behind the bytes that came before that, or `signal.reason` at
 * once. Leaving the loop early aborts the source.
 */
export async function* iterate(
  source: ByteSource,
  options: WaitOptions = {},
): AsyncGenerator<Uint8Array, void> {
  const { signal } = options;
  const reader = new PullReader(source);
  const leave = onAbort(signal, (reason) => reader.fail(reason));
  try {
    for (let chunk = await reader.next(); chunk; chunk = await reader.next()) yield chunk;
  } finally {
    leave();
    if (!reader.ended) source.abort(new Error('the reader left before the end'));
  }
}

/** Takes chunks from a source one by one; reads ahead up to a bound. */
class PullReader {
  readonly #source: ByteSource;
  readonly #chunks: Uint8Array[] = [];
  #queuedBytes = 0;
  #wake: (() => void) | undefined;
  /** Why the reader stopped waiting; thrown at once. */
  #abandoned: { reason: unknown } | undefined;
  /** What the source closed with before its end; thrown behind the bytes that came before. */
  #broken: Error | undefined;
  /** The source said that it ended or that it is gone. */
  ended = false;

  constructor(source: ByteSource) {
    this.#source = source;
    source.receive({
      data: (chunk) => {
        this.#chunks.push(chunk);
        this.#queuedBytes += chunk.length;
        if (this.#queuedBytes >= iterateBytesMax) source.pause();
        this.#wake?.();
      },
      end: () => this.#finish(null),
      closed: (error) => this.#finish(error),
    });
  }

  /** The next chunk, or undefined after the end. */
  async next(): Promise<Uint8Array | undefined> {
    for (;;) {
      if (this.#abandoned) throw this.#abandoned.reason;
      const chunk = this.#chunks.shift();
      if (chunk) return this.#taken(chunk);
      if (this.#broken) throw this.#broken;
      if (this.ended) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Makes the next read throw `reason`. */
  fail(reason: unknown): void {
    this.#abandoned ??= { reason };
    this.#wake?.();
  }

  #taken(chunk: Uint8Array): Uint8Array {
    this.#queuedBytes -= chunk.length;
    if (this.#queuedBytes < iterateBytesMax) this.#source.resume();
    return chunk;
  }

  #finish(error: Error | null): void {
    if (error && !this.ended) this.#broken = error;
    this.ended = true;
    this.#wake?.();
  }
}

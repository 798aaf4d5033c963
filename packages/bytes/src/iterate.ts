import type { ByteSource, WaitOptions } from './channel.ts';

/**
 * The bytes of a source as an async iterable, pulled at the reader's pace. Becomes the source's receiver. Ends with
 * the peer's FIN; throws what the source closed with, or `signal.reason`. Leaving the loop early aborts the source.
 */
export async function* iterate(
  source: ByteSource,
  options: WaitOptions = {},
): AsyncGenerator<Uint8Array, void> {
  const { signal } = options;
  const reader = new PullReader(source);
  const abandon = () => reader.fail(signal?.reason);
  signal?.addEventListener('abort', abandon, { once: true });
  if (signal?.aborted) abandon();
  try {
    for (let chunk = await reader.next(); chunk; chunk = await reader.next()) yield chunk;
  } finally {
    signal?.removeEventListener('abort', abandon);
    if (!reader.ended) source.abort(new Error('the reader left before the end'));
  }
}

/** Takes chunks from a source one by one; holds what arrives between a pause and its taking effect. */
class PullReader {
  readonly #source: ByteSource;
  readonly #chunks: Uint8Array[] = [];
  #wake: (() => void) | undefined;
  #error: { reason: unknown } | undefined;
  /** The source said that it ended or that it is gone. */
  ended = false;

  constructor(source: ByteSource) {
    this.#source = source;
    source.receive({
      data: (chunk) => {
        this.#chunks.push(chunk);
        source.pause();
        this.#wake?.();
      },
      end: () => this.#finish(),
      closed: (error) => (error ? this.#broken(error) : this.#finish()),
    });
  }

  /** The next chunk, or undefined after the end. */
  async next(): Promise<Uint8Array | undefined> {
    for (;;) {
      if (this.#error) throw this.#error.reason;
      const chunk = this.#chunks.shift();
      if (chunk) return chunk;
      if (this.ended) return undefined;
      this.#source.resume();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Makes the next read throw `reason`. */
  fail(reason: unknown): void {
    this.#error ??= { reason };
    this.#wake?.();
  }

  #finish(): void {
    this.ended = true;
    this.#wake?.();
  }

  #broken(error: Error): void {
    if (!this.ended) this.#error ??= { reason: error };
    this.#finish();
  }
}

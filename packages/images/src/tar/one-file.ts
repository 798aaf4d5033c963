import { ImageError } from '../errors.ts';
import type { TarSink } from './reader.ts';

/** Takes bytes as a tar's reader does, and tells of them as of one file that everybody may read. */
export class OneFile {
  readonly #sink: TarSink;
  readonly #bytes: number;
  #taken = 0;

  /** `bytes` is how many will come. */
  constructor(sink: TarSink, { path, bytes }: { path: string; bytes: number }) {
    this.#sink = sink;
    this.#bytes = bytes;
    sink.entry({
      ...{ path, type: 'file', mode: 0o644, uid: 0, gid: 0, modifiedSeconds: 0, linkTarget: '' },
      ...{ size: bytes, storedBytes: bytes, deviceMajor: 0, deviceMinor: 0, xattrs: new Map() },
    });
  }

  push(chunk: Uint8Array): void {
    this.#sink.content(chunk, this.#taken);
    this.#taken += chunk.length;
  }

  /** Throws `ImageError` INVALID_ARGUMENT when it was another number of bytes. */
  end(): void {
    if (this.#taken !== this.#bytes)
      throw new ImageError('INVALID_ARGUMENT', `a file of ${this.#bytes} bytes has ${this.#taken}`);
    this.#sink.entryEnd();
  }
}

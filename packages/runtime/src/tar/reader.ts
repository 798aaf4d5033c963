import { RuntimeError } from '../errors.ts';
import { limits } from '../limits.ts';
import { applyPax, parsePax } from './extensions.ts';
import { isZeroBlock, parseHeader, type RawHeader, type TarEntry, tarBlockBytes, toEntry } from './header.ts';

/** What a reader tells: entry, its content piece by piece, its end; then the next. */
export interface TarSink {
  entry(entry: TarEntry): void;
  content(chunk: Uint8Array): void;
  entryEnd(): void;
}

const paddingOf = (size: number) => (tarBlockBytes - (size % tarBlockBytes)) % tarBlockBytes;
const utf8 = new TextDecoder();
const isExtension = (flag: string) => flag === 'x' || flag === 'g' || flag === 'L' || flag === 'K';

/** Extensions read ahead of the entry that they belong to. */
interface Pending {
  global: Map<string, Uint8Array>;
  pax: Map<string, Uint8Array>;
  longName?: string;
  longLink?: string;
}

/** A tar decoder without I/O: bytes in, entries out, in memory bounded by one header's extensions. */
export class TarReader {
  readonly #sink: TarSink;
  readonly #block = new Uint8Array(tarBlockBytes);
  #blockBytes = 0;
  #contentLeft = 0;
  #paddingLeft = 0;
  #metadata: { flag: string; bytes: Uint8Array; filled: number } | undefined;
  #inEntry = false;
  #ended = false;
  #pending: Pending = { global: new Map(), pax: new Map() };

  constructor(sink: TarSink) {
    this.#sink = sink;
  }

  /** Takes the next bytes of the archive. Throws `RuntimeError` on a damaged archive, or whatever the sink throws. */
  push(chunk: Uint8Array): void {
    let offset = 0;
    while (offset < chunk.length && !this.#ended) {
      if (this.#contentLeft > 0) offset += this.#takeContent(chunk.subarray(offset));
      else if (this.#paddingLeft > 0) {
        const skipped = Math.min(this.#paddingLeft, chunk.length - offset);
        this.#paddingLeft -= skipped;
        offset += skipped;
      } else offset += this.#takeHeader(chunk.subarray(offset));
    }
  }

  /** Says that no more bytes come. Throws `RuntimeError` INVALID_ARGUMENT when the archive stops in the middle of an entry. */
  end(): void {
    if (this.#contentLeft > 0 || this.#blockBytes > 0) {
      throw new RuntimeError('INVALID_ARGUMENT', 'tar archive ends in the middle of an entry');
    }
  }

  #takeContent(chunk: Uint8Array): number {
    const piece = chunk.subarray(0, Math.min(this.#contentLeft, chunk.length));
    this.#contentLeft -= piece.length;
    if (this.#metadata) {
      this.#metadata.bytes.set(piece, this.#metadata.filled);
      this.#metadata.filled += piece.length;
    } else this.#sink.content(piece);
    if (this.#contentLeft === 0) this.#contentEnd();
    return piece.length;
  }

  #contentEnd(): void {
    if (this.#inEntry) {
      this.#inEntry = false;
      this.#sink.entryEnd();
      return;
    }
    const metadata = this.#metadata;
    this.#metadata = undefined;
    if (metadata) this.#takeExtension(metadata.flag, metadata.bytes);
  }

  #takeExtension(flag: string, bytes: Uint8Array): void {
    if (flag === 'x') this.#pending.pax = parsePax(bytes);
    else if (flag === 'g') {
      for (const [key, value] of parsePax(bytes)) this.#pending.global.set(key, value);
    } else {
      const end = bytes.indexOf(0);
      const name = utf8.decode(end < 0 ? bytes : bytes.subarray(0, end));
      if (flag === 'L') this.#pending.longName = name;
      else this.#pending.longLink = name;
    }
  }

  #takeHeader(chunk: Uint8Array): number {
    const piece = chunk.subarray(0, tarBlockBytes - this.#blockBytes);
    this.#block.set(piece, this.#blockBytes);
    this.#blockBytes += piece.length;
    if (this.#blockBytes === tarBlockBytes) {
      this.#blockBytes = 0;
      if (isZeroBlock(this.#block)) this.#ended = true;
      else this.#startEntry(parseHeader(this.#block));
    }
    return piece.length;
  }

  #startEntry(header: RawHeader): void {
    if (isExtension(header.flag)) {
      if (header.size > limits.tarMetadataBytesMax) {
        throw new RuntimeError(
          'INVALID_ARGUMENT',
          `tar header extension of ${header.size} bytes is too large`,
        );
      }
      this.#metadata = { flag: header.flag, bytes: new Uint8Array(header.size), filled: 0 };
      this.#setContent(header.size);
      return;
    }
    const entry = this.#withExtensions(header);
    this.#sink.entry(entry);
    this.#inEntry = true;
    this.#setContent(entry.size);
  }

  #withExtensions(header: RawHeader): TarEntry {
    const { global, pax, longName, longLink } = this.#pending;
    this.#pending = { global, pax: new Map() };
    if (longName !== undefined) header.path = longName;
    if (longLink !== undefined) header.linkTarget = longLink;
    applyPax(header, global);
    applyPax(header, pax);
    if (!Number.isSafeInteger(header.size) || header.size < 0) {
      throw new RuntimeError(
        'INVALID_ARGUMENT',
        `tar entry "${header.path}" has the bad size ${header.size}`,
      );
    }
    return toEntry(header);
  }

  #setContent(size: number): void {
    this.#contentLeft = size;
    this.#paddingLeft = paddingOf(size);
    if (size === 0) this.#contentEnd();
  }
}

import { ImageError } from '../errors.ts';
import { limits } from '../limits.ts';
import { applyPax, type PaxRecord, parsePax } from './extensions.ts';
import {
  isZeroBlock,
  oldGnuSparseFlag,
  parseHeader,
  type RawHeader,
  type TarEntry,
  tarBlockBytes,
  toEntry,
} from './header.ts';
import { checkPieces, oldGnuPieces, oldGnuRealSize, SparseMapReader, type SparsePiece } from './sparse.ts';

/** What a reader tells: entry, its content piece by piece, its end; then the next. */
export interface TarSink {
  entry(entry: TarEntry): void;
  /** The next bytes of the file's content, at `offset`: what no call covers is a hole of a sparse file. */
  content(chunk: Uint8Array, offset: number): void;
  entryEnd(): void;
}

const paddingOf = (size: number) => (tarBlockBytes - (size % tarBlockBytes)) % tarBlockBytes;
const utf8 = new TextDecoder();
const isExtension = (flag: string) => flag === 'x' || flag === 'g' || flag === 'L' || flag === 'K';

/** Extensions read ahead of the entry that they belong to. */
interface Pending {
  pax: PaxRecord[];
  longName?: string;
  longLink?: string;
}

/**
 * A tar decoder without I/O: bytes in, entries out, in memory bounded by one header's extensions. As Go's archive/tar,
 * and so as other container runtimes, it leaves global PAX headers out.
 */
export class TarReader {
  readonly #sink: TarSink;
  readonly #block = new Uint8Array(tarBlockBytes);
  #blockBytes = 0;
  #contentLeft = 0;
  #paddingLeft = 0;
  #metadata: { flag: string; bytes: Uint8Array; filled: number } | undefined;
  /** A sparse file of which the map is still being read, block by block. */
  #mapping: { header: RawHeader; map: SparseMapReader | undefined } | undefined;
  /** Pieces of the file under way, and which of them is being read. */
  #pieces: readonly SparsePiece[] = [];
  #pieceAt = 0;
  /** Bytes of that piece that were given. */
  #pieceGiven = 0;
  #inEntry = false;
  #ended = false;
  #pending: Pending = { pax: [] };

  constructor(sink: TarSink) {
    this.#sink = sink;
  }

  /** Takes the next bytes of the archive. Throws `ImageError` on a damaged archive, or whatever the sink throws. */
  push(chunk: Uint8Array): void {
    let offset = 0;
    while (offset < chunk.length && !this.#ended) {
      if (this.#contentLeft > 0) offset += this.#takeContent(chunk.subarray(offset));
      else if (this.#paddingLeft > 0) {
        const skipped = Math.min(this.#paddingLeft, chunk.length - offset);
        this.#paddingLeft -= skipped;
        offset += skipped;
      } else offset += this.#takeBlock(chunk.subarray(offset));
    }
  }

  /** Says that no more bytes come. Throws `ImageError` INVALID_ARGUMENT when the archive stops in the middle of an entry. */
  end(): void {
    if (this.#contentLeft > 0 || this.#blockBytes > 0 || this.#mapping) {
      throw new ImageError('INVALID_ARGUMENT', 'tar archive ends in the middle of an entry');
    }
  }

  #takeContent(chunk: Uint8Array): number {
    const piece = chunk.subarray(0, Math.min(this.#contentLeft, chunk.length));
    this.#contentLeft -= piece.length;
    if (this.#metadata) {
      this.#metadata.bytes.set(piece, this.#metadata.filled);
      this.#metadata.filled += piece.length;
    } else this.#giveContent(piece);
    if (this.#contentLeft === 0) this.#contentEnd();
    return piece.length;
  }

  #giveContent(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const { offset, length } = this.#pieces[this.#pieceAt] as SparsePiece;
      const part = bytes.subarray(at, at + length - this.#pieceGiven);
      if (part.length > 0) this.#sink.content(part, offset + this.#pieceGiven);
      this.#pieceGiven += part.length;
      at += part.length;
      if (this.#pieceGiven < length) continue;
      this.#pieceAt += 1;
      this.#pieceGiven = 0;
    }
  }

  #contentEnd(): void {
    if (this.#inEntry) {
      this.#inEntry = false;
      this.#pieces = [];
      this.#pieceAt = 0;
      this.#sink.entryEnd();
      return;
    }
    const metadata = this.#metadata;
    this.#metadata = undefined;
    if (metadata) this.#takeExtension(metadata.flag, metadata.bytes);
  }

  #takeExtension(flag: string, bytes: Uint8Array): void {
    if (flag === 'x') this.#pending.pax = parsePax(bytes);
    else if (flag !== 'g') {
      const end = bytes.indexOf(0);
      const name = utf8.decode(end < 0 ? bytes : bytes.subarray(0, end));
      if (flag === 'L') this.#pending.longName = name;
      else this.#pending.longLink = name;
    }
  }

  #takeBlock(chunk: Uint8Array): number {
    const piece = chunk.subarray(0, tarBlockBytes - this.#blockBytes);
    this.#block.set(piece, this.#blockBytes);
    this.#blockBytes += piece.length;
    if (this.#blockBytes < tarBlockBytes) return piece.length;
    this.#blockBytes = 0;
    if (this.#mapping) this.#takeMap(this.#mapping.header, this.#mapping.map);
    else if (isZeroBlock(this.#block)) this.#ended = true;
    else this.#startHeader(parseHeader(this.#block));
    return piece.length;
  }

  #startHeader(header: RawHeader): void {
    if (isExtension(header.flag)) {
      if (!(header.size >= 0 && header.size <= limits.tarMetadataBytesMax)) {
        throw new ImageError('INVALID_ARGUMENT', `tar header extension of ${header.size} bytes is too large`);
      }
      this.#metadata = { flag: header.flag, bytes: new Uint8Array(header.size), filled: 0 };
      this.#setContent(header.size);
      return;
    }
    this.#extend(header);
    if (header.flag === oldGnuSparseFlag) {
      const { pieces, more } = oldGnuPieces(this.#block, 'first');
      header.sparse = { realSize: oldGnuRealSize(this.#block), pieces };
      if (more) this.#mapping = { header, map: undefined };
    } else if (header.sparse?.pieces === 'inContent') {
      this.#mapping = { header, map: new SparseMapReader(header.path) };
    }
    if (!this.#mapping) this.#startEntry(header);
  }

  /** Takes a block of a sparse file's map: one that continues its header, or (PAX 1.0) one of its content. */
  #takeMap(header: RawHeader, map: SparseMapReader | undefined): void {
    const sparse = header.sparse as NonNullable<RawHeader['sparse']>;
    if (map) {
      header.size -= tarBlockBytes;
      const pieces = map.push(this.#block);
      if (!pieces) return;
      sparse.pieces = pieces;
    } else {
      const { pieces, more } = oldGnuPieces(this.#block, 'more');
      const known = sparse.pieces as SparsePiece[];
      known.push(...pieces);
      if (known.length > limits.sparsePiecesMax)
        throw new ImageError('INVALID_ARGUMENT', `the sparse tar entry "${header.path}" has too many pieces`);
      if (more) return;
    }
    this.#mapping = undefined;
    this.#startEntry(header);
  }

  #startEntry(header: RawHeader): void {
    const entry = toEntry(header);
    const pieces = header.sparse?.pieces;
    if (pieces && pieces !== 'inContent')
      checkPieces(entry.path, pieces, { real: entry.size, stored: entry.storedBytes });
    this.#pieces = pieces && pieces !== 'inContent' ? pieces : [{ offset: 0, length: entry.storedBytes }];
    this.#sink.entry(entry);
    this.#inEntry = true;
    this.#setContent(entry.storedBytes);
  }

  #extend(header: RawHeader): void {
    const { pax, longName, longLink } = this.#pending;
    this.#pending = { pax: [] };
    if (longName !== undefined) header.path = longName;
    if (longLink !== undefined) header.linkTarget = longLink;
    applyPax(header, pax);
  }

  #setContent(size: number): void {
    this.#contentLeft = size;
    this.#paddingLeft = paddingOf(size);
    if (size === 0) this.#contentEnd();
  }
}

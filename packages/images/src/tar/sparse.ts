import { ImageError } from '../errors.ts';
import { limits } from '../limits.ts';
import { tarBlockBytes, tarNumber } from './fields.ts';

/** A piece of a sparse file that the archive holds; everything between pieces is a hole. */
export interface SparsePiece {
  offset: number;
  length: number;
}

const invalid = (path: string, why: string) =>
  new ImageError('INVALID_ARGUMENT', `the sparse tar entry "${path}" ${why}`);

/** Bytes of one offset and length in GNU's own headers, and where the fields are (GNU tar's struct sparse_header). */
const [pieceBytes, fieldBytes] = [24, 12];
const oldGnuFields = {
  first: { piecesAt: 386, pieces: 4, moreAt: 482 },
  more: { piecesAt: 0, pieces: 21, moreAt: 504 },
} as const;
const realSizeAt = 483;

/** The real size that a header of type "S" states. */
export const oldGnuRealSize = (block: Uint8Array): number => tarNumber(block, realSizeAt, fieldBytes);

/** Pieces that a header block of type "S", or one that continues it, states; `more` says whether another follows. */
export function oldGnuPieces(
  block: Uint8Array,
  kind: 'first' | 'more',
): { pieces: SparsePiece[]; more: boolean } {
  const { piecesAt, pieces, moreAt } = oldGnuFields[kind];
  const found: SparsePiece[] = [];
  for (let at = piecesAt; at < piecesAt + pieces * pieceBytes; at += pieceBytes) {
    if (block[at] === 0) break;
    const [offset, length] = [
      tarNumber(block, at, fieldBytes),
      tarNumber(block, at + fieldBytes, fieldBytes),
    ];
    found.push({ offset, length });
  }
  return { pieces: found, more: (block[moreAt] ?? 0) !== 0 };
}

/**
 * Checks that pieces come in order, inside the file, and together are what the archive holds, as Go's archive/tar
 * does. Throws `ImageError` INVALID_ARGUMENT.
 */
export function checkPieces(
  path: string,
  pieces: readonly SparsePiece[],
  sizes: { real: number; stored: number },
): void {
  let [end, stored] = [0, 0];
  for (const { offset, length } of pieces) {
    if (!(Number.isSafeInteger(offset) && Number.isSafeInteger(length)) || length < 0 || offset < end)
      throw invalid(path, `has pieces that overlap or are out of order at ${offset}`);
    end = offset + length;
    stored += length;
  }
  if (end > sizes.real) throw invalid(path, `has a piece that ends at ${end}, past its size ${sizes.real}`);
  if (stored !== sizes.stored)
    throw invalid(path, `holds ${sizes.stored} bytes where its pieces need ${stored}`);
}

/** Pairs "offset,length,offset,length" of the PAX formats 0.0 and 0.1 into pieces. */
export function pairPieces(path: string, numbers: readonly string[]): SparsePiece[] {
  if (numbers.length % 2 !== 0) throw invalid(path, 'has an offset without a length');
  const pieces: SparsePiece[] = [];
  for (let at = 0; at < numbers.length; at += 2) {
    pieces.push({ offset: decimal(path, numbers[at]), length: decimal(path, numbers[at + 1]) });
    if (pieces.length > limits.sparsePiecesMax)
      throw invalid(path, `has more than ${limits.sparsePiecesMax} pieces`);
  }
  return pieces;
}

function decimal(path: string, text: string | undefined): number {
  if (text === undefined || !/^\d{1,19}$/.test(text)) throw invalid(path, `has the number "${text}"`);
  return Number(text);
}

/** Collects the map that PAX format 1.0 writes before the content: a count, then offsets and lengths, line by line. */
export class SparseMapReader {
  readonly #path: string;
  readonly #numbers: string[] = [];
  #line = '';
  #wanted = 1;

  constructor(path: string) {
    this.#path = path;
  }

  /** Takes one block; answers the pieces once the map is whole. */
  push(block: Uint8Array): SparsePiece[] | undefined {
    for (const byte of block) {
      if (byte !== 0x0a) {
        this.#line += String.fromCharCode(byte);
        if (this.#line.length > tarBlockBytes)
          throw invalid(this.#path, 'has a map that is no list of numbers');
        continue;
      }
      this.#numbers.push(this.#line);
      this.#line = '';
      if (this.#numbers.length === 1) this.#wanted += 2 * this.#count();
      if (this.#numbers.length === this.#wanted) return pairPieces(this.#path, this.#numbers.slice(1));
    }
    return undefined;
  }

  #count(): number {
    const count = decimal(this.#path, this.#numbers[0]);
    if (count > limits.sparsePiecesMax)
      throw invalid(this.#path, `has ${count} pieces, more than can be taken`);
    return count;
  }
}

import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';

const pieceBytes = 1 << 20;

/** A repeatable stream of `total` bytes that do not compress to a pattern, and the SHA-256 that it has. */
export function numberedBytes(total: number): { stream: Readable; sha256: string } {
  const hash = createHash('sha256');
  for (const piece of pieces(total)) hash.update(piece);
  return { stream: Readable.from(pieces(total), { objectMode: false }), sha256: hash.digest('hex') };
}

function* pieces(total: number): Generator<Buffer> {
  const piece = Buffer.alloc(pieceBytes);
  let state = 1;
  for (let at = 0; at < pieceBytes; at += 4) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    piece.writeUInt32LE(state, at);
  }
  for (let sent = 0, number = 0; sent < total; sent += pieceBytes, number += 1) {
    // Each piece carries its number, so that a lost or doubled one shows.
    piece.writeUInt32LE(number, 0);
    yield Buffer.from(piece.subarray(0, Math.min(pieceBytes, total - sent)));
  }
}

/** Hashes what it is given. */
export class HashSink {
  readonly #hash = createHash('sha256');
  bytes = 0;

  readonly take = (chunk: Buffer): void => {
    this.bytes += chunk.length;
    this.#hash.update(chunk);
  };

  sha256(): string {
    return this.#hash.digest('hex');
  }
}

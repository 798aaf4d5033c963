import { pipeline, Readable } from 'node:stream';
import { compressionOf, decompressor, magicBytes } from './compression.ts';

/** A stream without its outer gzip or zstd packing, whichever its first bytes show; plain streams pass as they are. */
export async function* decompressed(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  let head: Uint8Array = new Uint8Array(0);
  while (head.length < magicBytes) {
    const next = await chunks.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  const whole = Readable.from(prepend(head, chunks));
  const decoder = decompressor(compressionOf(head));
  if (!decoder) {
    yield* whole;
    return;
  }
  // A failure of either stream destroys the decoder, whose iteration then throws it.
  pipeline(whole, decoder, () => {});
  yield* decoder;
}

async function* prepend(head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield head;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

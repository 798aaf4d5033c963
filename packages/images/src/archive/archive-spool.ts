import { pipeline, Readable } from 'node:stream';
import { compressionOf, decompressor, magicBytes } from '../layers/compression.ts';
import { checkRatio, type UnpackBounds } from '../layers/layer-meter.ts';

/**
 * A stream without its outer gzip or zstd packing, whichever its first bytes show; plain streams pass as they are.
 * Throws `ImageError` INVALID_ARGUMENT for one that is packed smaller than anything honest.
 */
export async function* decompressed(
  source: AsyncIterable<Uint8Array>,
  bounds: UnpackBounds,
): AsyncGenerator<Uint8Array> {
  const bytes = { packed: 0, plain: 0 };
  const chunks = counted(source, (length) => {
    bytes.packed += length;
  });
  let head: Uint8Array = new Uint8Array(0);
  while (head.length < magicBytes) {
    const next = await chunks.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  const whole = Readable.from(prepend(head, chunks));
  const stages = decompressor(compressionOf(head));
  const last = stages.at(-1);
  if (!last) {
    yield* whole;
    return;
  }
  // A failure of any stream destroys the last one, whose iteration then throws it.
  pipeline([whole, ...stages], () => {});
  for await (const chunk of last as AsyncIterable<Uint8Array>) {
    bytes.plain += chunk.length;
    checkRatio(bounds, bytes);
    yield chunk;
  }
}

async function* counted(
  source: AsyncIterable<Uint8Array>,
  count: (length: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    count(chunk.length);
    yield chunk;
  }
}

async function* prepend(head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield head;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

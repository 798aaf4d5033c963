import { ImageError } from '../errors.ts';
import type { TransportAnswer } from '../transport/transport.ts';

/** Up to here a body that nobody wants is read to its end, so that its connection can be used again. */
const drainedBytesMax = 64 * 1024;

/** A body of at most `bytesMax`. Throws `ImageError` INVALID_ARGUMENT when it is larger. */
export async function readBytes({ body }: TransportAnswer, bytesMax: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > bytesMax)
      throw new ImageError('INVALID_ARGUMENT', `the registry's answer is larger than ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Gives up a body. */
export function unread({ headers, body }: TransportAnswer): void {
  body.on('error', () => {});
  if (Number(headers['content-length'] ?? 0) <= drainedBytesMax) body.resume();
  else body.destroy();
}

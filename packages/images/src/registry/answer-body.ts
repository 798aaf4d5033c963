import { ImageError, messageOf } from '../errors.ts';
import { limits } from '../limits.ts';
import type { TransportAnswer } from '../transport/transport.ts';
import { RegistryUnavailableError } from './registry-unavailable.ts';

/** A body of at most `bytesMax`. Throws `ImageError` INVALID_ARGUMENT when it is larger, {@link RegistryUnavailableError} when it is torn. */
export async function readBytes({ body }: TransportAnswer, bytesMax: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      length += chunk.length;
      if (length > bytesMax)
        throw new ImageError('INVALID_ARGUMENT', `the registry's answer is larger than ${bytesMax} bytes`);
      chunks.push(chunk);
    }
  } catch (cause) {
    if (cause instanceof ImageError) throw cause;
    throw new RegistryUnavailableError(`an answer was torn off: ${messageOf(cause)}`, {
      failure: 'torn',
      cause,
    });
  }
  return Buffer.concat(chunks);
}

/**
 * Gives up a body: one that is small and comes soon is read to its end, so that its connection can be used again; any
 * other ends with its connection.
 */
export function unread({ headers, body }: TransportAnswer): void {
  body.on('error', () => {});
  // Of an answer to HEAD nothing comes, whatever its length says.
  if (body.complete) {
    body.resume();
    return;
  }
  let left: number = limits.drainedBytesMax;
  if (Number(headers['content-length'] ?? 0) > left) {
    body.destroy();
    return;
  }
  body.setTimeout(limits.drainStallMs, () => body.destroy());
  body.on('data', (chunk: Uint8Array) => {
    left -= chunk.length;
    if (left < 0) body.destroy();
  });
}

import type { ByteSource, WaitOptions } from './channel.ts';
import { ChannelClosedError } from './errors.ts';
import { iterate } from './iterate.ts';
import { defaultCollectBytesMax } from './limits.ts';

/** Options of {@link collect}. */
export interface CollectOptions extends WaitOptions {
  /** Throws `ChannelClosedError` (`too-large`) and aborts the source past this. Default 16 MiB. */
  bytesMax?: number | undefined;
}

/** Everything a source gives until the peer's FIN, as one array. Throws what the source closed with before that. */
export async function collect(source: ByteSource, options: CollectOptions = {}): Promise<Uint8Array> {
  const bytesMax = options.bytesMax ?? defaultCollectBytesMax;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of iterate(source, options)) {
    size += chunk.length;
    if (size > bytesMax) {
      throw new ChannelClosedError('too-large', `collect: more than ${bytesMax} bytes came; raise bytesMax`);
    }
    chunks.push(chunk);
  }
  return concatenate(chunks, size);
}

/** One array of several, `length` bytes in all. A single one is handed on as it is. */
export function concatenate(chunks: readonly Uint8Array[], length: number): Uint8Array {
  if (chunks.length === 1) return chunks[0] as Uint8Array;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

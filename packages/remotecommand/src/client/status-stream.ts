import { type ByteSource, concatenate } from '@wherry/bytes';
import { statusBytesMax } from '../limits.ts';

/** What an error stream had to say, and how it ended. */
export interface StatusStreamContent {
  content: Uint8Array;
  /** null after a FIN. A reset behind a Status is how Go servers end, and no error. */
  error: Error | null;
}

/** Reads an error stream to its end; what goes beyond 1 MiB is cut. Never rejects. */
export function readStatusStream(source: ByteSource): Promise<StatusStreamContent> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    const finish = (error: Error | null) => resolve({ content: concatenate(chunks, bytes), error });
    source.receive({
      data(chunk) {
        if (bytes + chunk.length > statusBytesMax) return;
        bytes += chunk.length;
        chunks.push(chunk);
      },
      end: () => finish(null),
      closed: finish,
    });
  });
}

import type { WritableStream } from 'node:stream/web';
import { type ByteSource, iterate, onAbort, orAborted } from '@wherry/bytes';

/**
 * Writes all of a source into a web stream at the stream's pace, and leaves that open and unlocked. Resolves when the stream
 * has taken every byte or the source broke. Rejects, and aborts the source, when the stream fails or is closed, and
 * with the reason of `signal`.
 */
export async function writeOutWeb(
  source: ByteSource,
  target: WritableStream<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  const writer = target.getWriter();
  const stop = new AbortController();
  const fail = (reason: unknown) => stop.abort(reason);
  const leave = onAbort(signal, fail);
  writer.closed.then(() => fail(new Error('the output was closed before the source had ended')), fail);
  try {
    for await (const chunk of iterate(source, { signal: stop.signal })) {
      const written = writer.write(chunk);
      written.catch(fail);
      await orAborted(written, stop.signal);
    }
  } catch {
    stop.signal.throwIfAborted();
  } finally {
    leave();
    writer.releaseLock();
  }
}

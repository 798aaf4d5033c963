import type { ServerResponse } from 'node:http';
import { ImageError, messageOf } from '../errors.ts';
import type { Digest } from '../layers/digest.ts';
import type { OnProgress, TransferProgress } from '../registry/progress.ts';
import type { AdminFailure, TransferLine } from './image-admin.ts';

/** What is told of a failure. */
export function failureOf(error: unknown): AdminFailure {
  const code = error instanceof ImageError ? error.code : 'UNKNOWN';
  return { code, message: messageOf(error) };
}

/**
 * Runs a transfer and answers its news as lines of JSON. A reader that is slow gets the latest of each blob, so no more
 * is held than one line for each. The transfer stops when the reader goes.
 */
export async function answerTransfer(
  response: ServerResponse,
  transfer: (options: { signal: AbortSignal; onProgress: OnProgress }) => Promise<object>,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort(new ImageError('CANCELLED', 'the caller has gone')));
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  const latest = new Map<Digest, TransferProgress>();
  let isBlocked = false;
  const write = (line: TransferLine<object>) => response.write(`${JSON.stringify(line)}\n`);
  const flush = () => {
    isBlocked = false;
    for (const [digest, progress] of latest) {
      latest.delete(digest);
      if (write({ progress })) continue;
      isBlocked = true;
      response.once('drain', flush);
      return;
    }
  };
  const onProgress: OnProgress = (progress) => {
    latest.set(progress.digest, progress);
    if (!isBlocked) flush();
  };
  try {
    const result = await transfer({ signal: gone.signal, onProgress });
    for (const progress of latest.values()) write({ progress });
    write({ result });
  } catch (error) {
    write({ failure: failureOf(error) });
  }
  response.end();
}

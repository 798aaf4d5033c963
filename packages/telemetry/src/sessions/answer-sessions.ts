import { onAborted } from './on-aborted.ts';
import type { SessionBook } from './session-book.ts';
import { sessionEvents } from './session-events.ts';

/** What an answer is written to; Node's `ServerResponse` fits. */
export interface SessionAnswer {
  writeHead(statusCode: number, headers: Record<string, string | number>): unknown;
  write(text: string): boolean;
  end(text?: string): unknown;
  once(event: 'drain' | 'close', listener: () => void): unknown;
  off(event: 'drain' | 'close', listener: () => void): unknown;
  readonly destroyed: boolean;
}

/**
 * Answers `GET /debug/sessions`: a list, or with `watch` events, one a line, until the client goes or `signal` aborts.
 * Returns false, with nothing written, when too many watch already.
 */
export async function answerSessions(
  book: SessionBook,
  { watch, id }: { watch: boolean; id?: string | undefined },
  { response, signal }: { response: SessionAnswer; signal: AbortSignal },
): Promise<boolean> {
  if (!watch) {
    const text = `${JSON.stringify(book.list(id))}\n`;
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
    response.end(text);
    return true;
  }
  const leave = book.admitWatcher();
  if (!leave) return false;
  try {
    response.writeHead(200, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' });
    for await (const event of sessionEvents(book, { id, signal })) {
      if (response.destroyed) return true;
      const hasRoom = response.write(event ? `${JSON.stringify(event)}\n` : '\n');
      if (!hasRoom) await drained(response, signal);
    }
    if (!response.destroyed) response.end();
    return true;
  } finally {
    leave();
  }
}

async function drained(response: SessionAnswer, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  response.once('drain', resolve);
  response.once('close', resolve);
  const leave = onAborted(signal, resolve);
  await promise;
  leave();
  response.off('drain', resolve);
  response.off('close', resolve);
}

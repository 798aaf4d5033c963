import { limits } from '../limits.ts';
import type { LiveSession } from './live-session.ts';
import { onAborted } from './on-aborted.ts';
import type { SessionBook } from './session-book.ts';
import type { Session, SessionEvent } from './shape.ts';

/** What a watch has told of one session. */
interface Told {
  stamp: number;
  atMs: number;
  last: Session;
}

/**
 * Everything that a book has and will have, at its reader's pace: a slow reader is told less often, and holds nothing up.
 * `MODIFIED` comes at most once a second for each session. `undefined` comes when nothing has happened for a while, so that
 * a connection can be seen to live. Ends when `signal` aborts.
 */
export async function* sessionEvents(
  book: SessionBook,
  { id, signal }: { id?: string | undefined; signal: AbortSignal },
): AsyncGenerator<SessionEvent | undefined, void> {
  const told = new Map<string, Told>();
  const { clock } = book;
  let saidMs = clock.nowMs();
  while (!signal.aborted) {
    const { changed } = book;
    let said = false;
    for (const event of news(told, book.sessions(id), clock.nowMs())) {
      said = true;
      yield event;
      if (signal.aborted) return;
    }
    const silentMs = clock.nowMs() - saidMs;
    if (said) saidMs = clock.nowMs();
    else if (silentMs >= limits.sessionWatchSilenceMs) {
      saidMs = clock.nowMs();
      yield undefined;
    }
    await pause(book, changed, signal);
  }
}

function* news(told: Map<string, Told>, sessions: LiveSession[], nowMs: number): Generator<SessionEvent> {
  const left = new Map(told);
  const time = new Date(nowMs).toISOString();
  for (const session of sessions) {
    const before = left.get(session.key);
    left.delete(session.key);
    const { stamp, endedMs } = session;
    const isDue = !before || endedMs > 0 || nowMs - before.atMs >= limits.sessionModifiedEveryMs;
    if (before?.stamp === stamp || !isDue) continue;
    const last = session.describe();
    told.set(session.key, { stamp, atMs: nowMs, last });
    yield { type: endedMs > 0 ? 'ENDED' : before ? 'MODIFIED' : 'ADDED', time, object: last };
  }
  for (const [key, { last }] of left) {
    told.delete(key);
    // It ended and is not kept any more: nobody knows now how.
    if (!last.end) yield { type: 'ENDED', time, object: { ...last, state: 'ended' } };
  }
}

/** Until a session begins or ends, but not at once again; or until numbers may be told anew. */
async function pause({ clock }: SessionBook, changed: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const leave = onAborted(signal, resolve);
  const settle = clock.after(limits.sessionEventsEveryMs, () => void changed.then(resolve));
  const tick = clock.after(limits.sessionModifiedEveryMs, resolve);
  await promise;
  settle.cancel();
  tick.cancel();
  leave();
}

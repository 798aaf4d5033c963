import { type Clock, deadline } from '@wherry/clock';
import type { SessionList } from '@wherry/telemetry';
import type { UnseenHop } from '@wherry/telemetry/session-paths';
import { CommandError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Hops } from './hops.ts';
import { reasonOf } from './reason.ts';
import type { SessionSource } from './source.ts';

/** What the hops have said. */
export interface Sight {
  lists: SessionList[];
  unseen: UnseenHop[];
}

/** Asks all hops once, several at a time. Throws when none of them tells of sessions. */
export async function lookAtSessions(
  { sources, unseen }: Hops,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<Sight> {
  const lists: SessionList[] = [];
  const failures: { source: SessionSource; error: unknown }[] = [];
  const waiting = [...sources];
  const work = async () => {
    for (let source = waiting.shift(); source; source = waiting.shift()) {
      try {
        lists.push(await listWithin(source, { clock, signal }));
      } catch (error) {
        signal.throwIfAborted();
        failures.push({ source, error });
      }
    }
  };
  await Promise.all(Array.from({ length: limits.sessionHopsAtOnce }, work));
  if (lists.length === 0) throw nothingSeen(failures);
  return { lists, unseen: [...failures.map(({ source, error }) => unseenOf(source, error)), ...unseen] };
}

/** A hop that hangs is given up. */
export async function listWithin(
  source: SessionSource,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<SessionList> {
  using limit = deadline({ clock, timeoutMs: limits.sessionHopTimeoutMs, signal });
  return await source.list(limit.signal);
}

/** The hop, with why it does not tell. */
export const unseenOf = ({ hop, node }: SessionSource, error: unknown): UnseenHop => ({
  ...(node === undefined ? { hop } : { hop, node }),
  reason: reasonOf(error),
});

/** The API server's own failure says most: it is the way to all others. */
export function nothingSeen(failures: readonly { source: SessionSource; error: unknown }[]): unknown {
  const own = failures.find(({ source }) => source.hop === 'apiserver')?.error;
  const isAllAlike = failures.every(({ error }) => reasonOf(error) === reasonOf(own));
  if (own instanceof Error && !isAllAlike) return own;
  return new CommandError(`this cluster tells of no sessions: ${reasonOf(own)}`);
}

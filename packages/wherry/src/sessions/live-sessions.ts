import type { Session, SessionEvent, SessionList } from '@wherry/telemetry';
import type { UnseenHop } from '@wherry/telemetry/session-paths';
import { limits } from '../limits.ts';
import type { Sight } from './look.ts';
import type { SessionSource } from './source.ts';

/** What one hop has told of so far. */
interface Told {
  list: SessionList;
  sessions: Map<string, Session>;
}

/** What all hops tell of, kept up to date by their watches. What it holds of each is bounded, as their lists are. */
export class LiveSessions {
  readonly #told = new Map<SessionSource, Told>();
  readonly #unseen = new Map<SessionSource, UnseenHop>();

  /** A hop's list, in place of all that it has told before. */
  replace(source: SessionSource, list: SessionList): void {
    this.#unseen.delete(source);
    this.#told.set(source, { list, sessions: new Map(list.items.map((session) => [session.key, session])) });
  }

  apply(source: SessionSource, { object, time }: SessionEvent): void {
    const told = this.#told.get(source);
    if (!told) return;
    const { sessions, list } = told;
    list.time = time;
    sessions.set(object.key, object);
    for (const [key, { end }] of sessions) {
      const isOld = end && Date.parse(time) - Date.parse(end.time) > limits.sessionEndedForMs;
      if (isOld) sessions.delete(key);
    }
    // More than a list may have are no sessions of an honest hop: the first go.
    const [first] = sessions.keys();
    if (first !== undefined && sessions.size > limits.sessionsHeldMax) sessions.delete(first);
  }

  /** The hop tells nothing at the moment, for this reason: what it told last stands until it tells anew. */
  lose(source: SessionSource, unseen: UnseenHop): void {
    this.#unseen.set(source, unseen);
  }

  /** The hop is gone, or refuses to tell. */
  forget(source: SessionSource, unseen?: UnseenHop): void {
    this.#told.delete(source);
    if (unseen) this.#unseen.set(source, unseen);
    else this.#unseen.delete(source);
  }

  get sight(): Sight {
    return {
      lists: [...this.#told.values()].map(({ list, sessions }) => ({
        ...list,
        items: [...sessions.values()],
      })),
      unseen: [...this.#unseen.values()],
    };
  }
}

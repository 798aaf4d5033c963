import { limits } from '../limits.ts';
import { LiveSession, type SessionFacts, type SessionKeeper } from './live-session.ts';
import { namedSession } from './session-texts.ts';
import type { SessionHop, SessionList } from './shape.ts';

/** Header by which servers tell the next one of a session's id: upstream's name of a request in the audit. */
export const auditIdHeader = 'Audit-ID';

/** The time that a {@link SessionBook} goes by; any `Clock` fits. */
export interface SessionClock {
  nowMs(): number;
  after(delayMs: number, callback: () => void): { cancel(): void };
}

/** What a {@link SessionBook} is made of. */
export interface SessionBookOptions {
  hop: SessionHop;
  /** Whose kubelet it is. */
  node?: string | undefined;
  clock: SessionClock;
}

/**
 * The sessions of one process: those that go on, and for `sessionsEndedForMs` the last that have ended. What it holds has
 * bounds (`limits.ts`), and costs a session nothing but the addition of numbers.
 */
export class SessionBook {
  readonly clock: SessionClock;
  readonly #options: SessionBookOptions;
  readonly #keeper: SessionKeeper;
  readonly #live = new Set<LiveSession>();
  readonly #ended: LiveSession[] = [];
  readonly #unlisted = new Set<LiveSession>();
  #opened = 0;
  #watchers = 0;
  #changed = Promise.withResolvers<void>();

  constructor(options: SessionBookOptions) {
    const { clock, hop } = options;
    this.clock = clock;
    this.#options = options;
    this.#keeper = {
      nowMs: () => clock.nowMs(),
      upwardTaker: hop === 'streaming-server' ? 'process' : 'backend',
      ended: (session) => this.#end(session),
    };
  }

  /** A session begins. Beyond the bound it is counted, and not listed. */
  open(facts: SessionFacts): LiveSession {
    const named = namedSession(facts.id);
    const id = named !== undefined && !this.#isTaken(named) ? named : crypto.randomUUID();
    const session = new LiveSession(this.#keeper, { ...facts, id, key: String(++this.#opened) });
    const isListed = this.#live.size < limits.sessionsListedMax;
    (isListed ? this.#live : this.#unlisted).add(session);
    if (isListed) this.#tell();
    return session;
  }

  /** All that there are, in the order in which they began; those that have ended behind those that go on. */
  sessions(id?: string): LiveSession[] {
    this.#forgetOld();
    const all = [...this.#live, ...this.#ended];
    return id === undefined ? all : all.filter((session) => session.id === id);
  }

  /** What is there now; with an id the sessions of that id. */
  list(id?: string): SessionList {
    const { hop, node } = this.#options;
    const { size: unlisted } = this.#unlisted;
    return {
      ...{ kind: 'SessionList', hop, ...(node === undefined ? {} : { node }) },
      time: new Date(this.clock.nowMs()).toISOString(),
      items: this.sessions(id).map((session) => session.describe()),
      ...(unlisted > 0 ? { unlisted } : {}),
    };
  }

  /** Settles when a session begins or ends. */
  get changed(): Promise<void> {
    return this.#changed.promise;
  }

  /** Room for one more who watches; what is returned gives it back. Undefined where there is none. */
  admitWatcher(): (() => void) | undefined {
    if (this.#watchers >= limits.sessionWatchersMax) return undefined;
    this.#watchers++;
    return () => this.#watchers--;
  }

  /** An id that came from outside must not make two sessions look like one. */
  #isTaken(id: string): boolean {
    const isIt = (session: LiveSession) => session.id === id;
    return this.sessions().some(isIt) || [...this.#unlisted].some(isIt);
  }

  #end(session: LiveSession): void {
    if (this.#unlisted.delete(session) || !this.#live.delete(session)) return;
    this.#ended.push(session);
    this.#forgetOld();
    this.#tell();
  }

  #forgetOld(): void {
    const oldestMs = this.clock.nowMs() - limits.sessionsEndedForMs;
    const isOld = ({ endedMs }: LiveSession) => endedMs < oldestMs;
    while (this.#ended.length > limits.sessionsEndedMax || (this.#ended[0] && isOld(this.#ended[0])))
      this.#ended.shift();
  }

  #tell(): void {
    const { resolve } = this.#changed;
    this.#changed = Promise.withResolvers<void>();
    resolve();
  }
}

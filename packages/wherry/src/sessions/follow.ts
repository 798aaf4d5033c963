import { backoff, type Clock, sleep } from '@wherry/clock';
import type { UnseenHop } from '@wherry/telemetry/session-paths';
import { hopTitle } from '@wherry/telemetry/session-paths';
import { CommandError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Hops } from './hops.ts';
import { LiveSessions } from './live-sessions.ts';
import { listWithin, nothingSeen, type Sight, unseenOf } from './look.ts';
import { isForGood, reasonOf } from './reason.ts';
import type { SessionSource } from './source.ts';

/** What {@link followSessions} goes by. */
export interface FollowOptions {
  /** The hops that there are at the moment. */
  find(signal: AbortSignal): Promise<Hops>;
  clock: Clock;
  signal: AbortSignal;
  /** Shown each second, news or not, as what changes with time alone wants it. */
  isTicking?: boolean;
  /** All that is known, once every hop has answered or failed, and then at most once a second when there is news. */
  shown(sight: Sight): void;
  /** A hop is lost, and asked again, or is there again. */
  said(text: string): void;
}

/**
 * Follows the sessions of all hops until `signal` aborts. A hop whose watch ends is asked again; one that has no list, or
 * refuses it, is not. Throws `signal.reason`, when no hop tells of sessions, and when the API server stays away.
 */
export async function followSessions(options: FollowOptions): Promise<never> {
  const end = new AbortController();
  const signal = AbortSignal.any([options.signal, end.signal]);
  const followed = new Followed({ ...options, signal });
  try {
    await Promise.race([followed.failed, followed.run()]);
    throw options.signal.reason;
  } finally {
    end.abort(new Error('the watch of sessions is over'));
  }
}

class Followed {
  readonly #options: FollowOptions;
  readonly #live = new LiveSessions();
  readonly #running = new Map<SessionSource, AbortController>();
  readonly #failures = new Map<SessionSource, unknown>();
  readonly #failing = Promise.withResolvers<never>();
  #unseen: UnseenHop[] = [];
  #news = Promise.withResolvers<void>();

  constructor(options: FollowOptions) {
    this.#options = options;
    this.failed.catch(() => {});
  }

  get failed(): Promise<never> {
    return this.#failing.promise;
  }

  async run(): Promise<never> {
    const { clock, signal, shown, isTicking = false } = this.#options;
    await this.#find();
    if (this.#isHopeless) return this.failed;
    const looking = this.#findAgain();
    // Told below; while rows wait nobody listens.
    looking.catch(() => {});
    for (;;) {
      this.#news = Promise.withResolvers();
      const { lists, unseen } = this.#live.sight;
      shown({ lists, unseen: [...unseen, ...this.#unseen] });
      const rest = sleep({ clock, delayMs: limits.sessionRowsEveryMs - limits.sessionSettleMs, signal });
      await Promise.race([rest, looking]);
      if (!isTicking) await Promise.race([this.#news.promise, looking]);
      await sleep({ clock, delayMs: limits.sessionSettleMs, signal });
    }
  }

  /** Nodes come and go. Rejects when the watch is over. */
  async #findAgain(): Promise<never> {
    const { clock, signal } = this.#options;
    for (;;) {
      await sleep({ clock, delayMs: limits.sessionNodesEveryMs, signal });
      await this.#find();
    }
  }

  /** Begins with hops that are new, and waits for their first word; ends with those that are gone. */
  async #find(): Promise<void> {
    const { sources, unseen } = await this.#options.find(this.#options.signal);
    this.#unseen = unseen;
    const begun = sources.filter((source) => !this.#running.has(source)).map((source) => this.#begin(source));
    // Nobody knows whether they are gone where nodes could not be listed.
    const isSure = !unseen.some(({ hop, node }) => hop === 'kubelet' && node === undefined);
    for (const [source, end] of this.#running) {
      if (!isSure || sources.includes(source)) continue;
      end.abort(new Error('the node is gone'));
      this.#running.delete(source);
      this.#failures.delete(source);
      this.#live.forget(source);
    }
    await Promise.all(begun);
    this.#news.resolve();
  }

  /** Resolves when the hop has answered for the first time, or failed to. */
  #begin(source: SessionSource): Promise<void> {
    const end = new AbortController();
    this.#running.set(source, end);
    const first = Promise.withResolvers<void>();
    const signal = AbortSignal.any([this.#options.signal, end.signal]);
    // What is thrown here is the end of the watch, or a defect.
    this.#follow(source, { signal, answered: first.resolve }).catch((error) => {
      if (!signal.aborted) this.#failing.reject(error);
    });
    return first.promise;
  }

  async #follow(
    source: SessionSource,
    { signal, answered }: { signal: AbortSignal; answered: () => void },
  ): Promise<void> {
    const { clock, said } = this.#options;
    const delays = backoff(limits.sessionRetryMs);
    let lostMs: number | undefined;
    for (;;) {
      let error: unknown = new CommandError('it ended the watch');
      try {
        this.#live.replace(source, await listWithin(source, { clock, signal }));
        this.#failures.delete(source);
        if (lostMs !== undefined) said(`${hopTitle(source)}: is there again`);
        lostMs = undefined;
        answered();
        this.#news.resolve();
        await source.watch((event) => {
          delays.reset();
          this.#live.apply(source, event);
          this.#news.resolve();
        }, signal);
      } catch (caught) {
        signal.throwIfAborted();
        error = caught;
      }
      const isFirst = lostMs === undefined;
      lostMs ??= clock.monotonicMs();
      this.#lose(source, error);
      answered();
      if (isForGood(error)) return;
      if (isFirst) said(`${hopTitle(source)}: ${reasonOf(error)}; asking again`);
      const isOutage = clock.monotonicMs() - lostMs > limits.sessionOutageMs;
      if (source.hop === 'apiserver' && isOutage) throw error;
      await sleep({ clock, delayMs: delays.nextDelayMs(), signal });
    }
  }

  #lose(source: SessionSource, error: unknown): void {
    const unseen = unseenOf(source, error);
    if (isForGood(error)) this.#live.forget(source, unseen);
    else this.#live.lose(source, unseen);
    this.#failures.set(source, error);
    this.#news.resolve();
    const failures = [...this.#failures].map(([source, error]) => ({ source, error }));
    if (this.#isHopeless) this.#failing.reject(nothingSeen(failures));
  }

  /** No hop tells of sessions, and none ever will. */
  get #isHopeless(): boolean {
    return this.#failures.size === this.#running.size && [...this.#failures.values()].every(isForGood);
  }
}

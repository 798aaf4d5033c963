import type { Clock, Timer } from '@wherry/clock';
import { limits, periods } from '../../limits.ts';
import { StoreError } from '../errors.ts';
import { KeyNeeded } from '../sealing.ts';
import type { StoreEvent } from '../store.ts';
import type { EtcdConnection, WatchStream } from './etcd-connection.ts';
import type { EtcdLayout } from './etcd-layout.ts';
import { endOf, type WatchResponse } from './etcd-messages.ts';
import { eventsOf } from './translate.ts';

/** What the feed works with. */
export interface ChangeFeedOptions {
  connection: EtcdConnection;
  layout: EtcdLayout;
  clock: Clock;
  /** The writes of one answer of etcd, whole revisions of them, in order. */
  onEvents(events: readonly StoreEvent[]): void;
  /** What came next is compacted: the feed has a gap that nothing closes. */
  onGap(error: StoreError): void;
}

interface Waiter {
  revision: number;
  resolve(isReached: boolean): void;
}

/**
 * Everything that is written below the prefix, by whichever server, over one watch; after a break it goes on where it was.
 */
export class ChangeFeed {
  readonly #options: ChangeFeedOptions;
  readonly #waiters = new Set<Waiter>();
  #told: number;
  /** What the open watch may tell once more. */
  #repeated = 0;
  #stream: WatchStream | undefined;
  #answers: WatchResponse[] = [];
  #retry: Timer | undefined;
  #pause: Timer | undefined;
  #asking: Timer | undefined;
  #isClosed = false;

  /** Tells what comes after `revision`. */
  constructor(revision: number, options: ChangeFeedOptions) {
    this.#told = revision;
    this.#options = options;
    this.#open();
  }

  /** Everything up to this revision has been told. */
  get revision(): number {
    return this.#told;
  }

  /** Waits until everything up to `revision` has been told; false when that has not come to be within `timeoutMs`. */
  async reached(revision: number, timeoutMs: number = periods.etcdCallMs): Promise<boolean> {
    if (revision <= this.#told) return true;
    if (this.#isClosed) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const waiter: Waiter = { revision, resolve };
    this.#waiters.add(waiter);
    const timer = this.#options.clock.after(timeoutMs, () => resolve(false));
    this.#askSoon();
    try {
      return await promise;
    } finally {
      timer.cancel();
      this.#waiters.delete(waiter);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#retry?.cancel();
    this.#pause?.cancel();
    this.#answers = [];
    this.#asking?.cancel();
    this.#stream?.close();
    for (const { resolve } of this.#waiters) resolve(false);
  }

  #open(): void {
    const { connection, layout } = this.#options;
    const root = Buffer.from(layout.root);
    this.#repeated = this.#told;
    this.#stream = connection.watch({
      onResponse: (response) => this.#take(response),
      onEnd: () => this.#openLater(),
    });
    // One earlier: of the oldest revision that etcd keeps it does not know the values before.
    const startRevision = Math.max(this.#told, 1);
    const range = { key: root, rangeEnd: endOf(root) };
    this.#stream.send({ create: { ...range, startRevision, notifiesProgress: true, previous: true } });
  }

  #openLater(): void {
    this.#stream?.close();
    this.#answers = [];
    if (this.#isClosed) return;
    this.#retry?.cancel();
    this.#retry = this.#options.clock.after(periods.etcdRetryMs, () => this.#open());
  }

  /** In their order: those whose values wait for a key hold up what comes behind them. */
  #take(response: WatchResponse): void {
    this.#answers.push(response);
    if (this.#answers.length > limits.etcdAnswersMax) this.#openLater();
    else if (this.#answers.length === 1) this.#work();
  }

  #work(): void {
    for (let answer = this.#answers[0]; answer; answer = this.#answers[0]) {
      try {
        this.#read(answer);
      } catch (error) {
        if (error instanceof KeyNeeded) {
          error.arrival.then(
            () => this.#work(),
            () => this.#workLater(),
          );
          return;
        }
        this.#answers.shift();
        throw error;
      }
      if (this.#answers[0] === answer) this.#answers.shift();
    }
  }

  /** Who brings keys is away; without one nobody knows what has changed. */
  #workLater(): void {
    this.#pause?.cancel();
    if (!this.#isClosed) this.#pause = this.#options.clock.after(periods.etcdReconnectMs, () => this.#work());
  }

  #read(response: WatchResponse): void {
    const { cancelled, compactRevision, created, events, header } = response;
    if (cancelled && compactRevision > 0) {
      this.close();
      const text = `etcd has forgotten what came after revision ${this.#told}; the oldest is ${compactRevision}`;
      this.#options.onGap(new StoreError('failed', text));
    } else if (cancelled) this.#openLater();
    else if (events.length > 0) this.#tell(eventsOf(response, this.#options.layout), events);
    else if (!created && header) this.#noteProgress(header.revision);
  }

  #tell(events: readonly StoreEvent[], told: WatchResponse['events']): void {
    const news = events.filter(({ revision }) => revision > this.#repeated);
    if (news.length > 0) this.#options.onEvents(news);
    this.#reach(told.at(-1)?.value?.modRevision ?? 0);
  }

  /**
   * Old versions of etcd (before 3.4.31 and 3.5.13) may tell of progress ahead of events that are on their way already:
   * these are waited for.
   */
  #noteProgress(revision: number): void {
    const stream = this.#stream;
    this.#options.clock.after(periods.etcdProgressMs, () => {
      if (this.#stream === stream) this.#reach(revision);
    });
  }

  #reach(revision: number): void {
    this.#told = Math.max(this.#told, revision);
    for (const waiter of this.#waiters) if (waiter.revision <= this.#told) waiter.resolve(true);
  }

  /** Revisions of other keys of this etcd are told of when they are asked for. */
  #askSoon(): void {
    if (this.#asking || this.#isClosed) return;
    this.#asking = this.#options.clock.after(periods.etcdProgressMs, () => {
      this.#asking = undefined;
      const isMissing = [...this.#waiters].some(({ revision }) => revision > this.#told);
      if (!isMissing) return;
      this.#stream?.send({ progress: {} });
      this.#askSoon();
    });
  }
}

import { orAborted } from '../abort.ts';

/** Work under way and how many callers wait for it. */
interface Running<Result> {
  outcome: Promise<Result>;
  waiting: number;
  abort: AbortController;
}

/**
 * Runs at most one piece of work per key at a time, for everyone who asks for it meanwhile. A caller that gives up gets
 * its own signal's reason at once, but for the last one: that stops the work, and gets it when nothing of it is left.
 */
export class SharedWork<Result> {
  readonly #running = new Map<string, Running<Result>>();

  /** Joins the work for `key`, or starts it. `work` stops, and cleans up, when its own signal says so. */
  async run(
    key: string,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    signal?.throwIfAborted();
    const running = this.#join(key) ?? this.#start(key, work);
    running.waiting++;
    try {
      return await (signal ? orAborted(running.outcome, signal) : running.outcome);
    } finally {
      if (--running.waiting === 0) await this.#stop(key, running);
    }
  }

  /** Stops everything; resolves when nothing is under way. */
  async close(): Promise<void> {
    await Promise.all([...this.#running].map(([key, running]) => this.#stop(key, running)));
  }

  /** Work that has been told to stop is not joined: the one who comes then waits for its end and starts anew. */
  #join(key: string): Running<Result> | undefined {
    const running = this.#running.get(key);
    return running?.abort.signal.aborted ? undefined : running;
  }

  #start(key: string, work: (signal: AbortSignal) => Promise<Result>): Running<Result> {
    const before = this.#running.get(key)?.outcome.then(
      () => {},
      () => {},
    );
    const abort = new AbortController();
    const started = (before ?? Promise.resolve()).then(() => {
      abort.signal.throwIfAborted();
      return work(abort.signal);
    });
    const running: Running<Result> = { outcome: started, waiting: 0, abort };
    this.#running.set(key, running);
    const settled = () => {
      if (this.#running.get(key) === running) this.#running.delete(key);
    };
    started.then(settled, settled);
    return running;
  }

  async #stop(key: string, running: Running<Result>): Promise<void> {
    if (this.#running.get(key) === running)
      running.abort.abort(new DOMException('nobody waits for it any more', 'AbortError'));
    await running.outcome.catch(() => {});
  }
}

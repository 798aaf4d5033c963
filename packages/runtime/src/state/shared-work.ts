/** Work under way and how many callers wait for it. */
interface Running<Result> {
  outcome: Promise<Result>;
  waiting: number;
  abort: AbortController;
}

/**
 * Runs at most one piece of work per key at a time, for everyone who asks for it meanwhile. A caller that gives up gets
 * its own signal's reason at once; the work is stopped only when the last one has left.
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
      return await (signal ? beforeAbort(running.outcome, signal) : running.outcome);
    } finally {
      if (--running.waiting === 0) this.#leave(key, running);
    }
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

  #leave(key: string, running: Running<Result>): void {
    if (this.#running.get(key) === running)
      running.abort.abort(new DOMException('nobody waits for it any more', 'AbortError'));
  }
}

/** The outcome, or the signal's reason when that comes first. */
function beforeAbort<Result>(outcome: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    outcome.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}

/** Runs at most one piece of work per key at a time; callers that come meanwhile share its outcome. */
export class SingleFlight<Result> {
  readonly #running = new Map<string, Promise<Result>>();

  /** The running work for `key`, or `work` started now. */
  run(key: string, work: () => Promise<Result>): Promise<Result> {
    const running = this.#running.get(key);
    if (running) return running;
    const started = work().finally(() => this.#running.delete(key));
    this.#running.set(key, started);
    return started;
  }

  /** The running work for `key`, if any. */
  get(key: string): Promise<Result> | undefined {
    return this.#running.get(key);
  }
}

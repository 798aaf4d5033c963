/** Nodes that are to be given up, one at a time at a rate (upstream: pkg/controller/nodelifecycle/scheduler). */
export class EvictionQueue {
  readonly #names = new Set<string>();
  #perSecond: number;
  #saved = 1;
  #sinceMs: number;

  /** The first may go at once. */
  constructor(perSecond: number, nowMs: number) {
    this.#perSecond = perSecond;
    this.#sinceMs = nowMs;
  }

  get size(): number {
    return this.#names.size;
  }

  add(name: string): void {
    this.#names.add(name);
  }

  remove(name: string): void {
    this.#names.delete(name);
  }

  clear(): void {
    this.#names.clear();
  }

  /** Another rate, 0 for none: who would have had to wait waits for one turn of the new one. */
  setRate(perSecond: number, nowMs: number): void {
    if (perSecond === this.#perSecond) return;
    this.#saved = this.#mayGo(nowMs) ? 1 : 0;
    this.#sinceMs = nowMs;
    this.#perSecond = perSecond;
  }

  /** Whose turn it is; undefined when it is nobody's yet. */
  next(nowMs: number): string | undefined {
    const [first] = this.#names;
    return this.#mayGo(nowMs) ? first : undefined;
  }

  /** The node has had its turn. */
  done(name: string, nowMs: number): void {
    this.#names.delete(name);
    this.#saved = 0;
    this.#sinceMs = nowMs;
  }

  /** How long it is until somebody's turn; infinite while nobody waits, or may go. */
  waitMs(nowMs: number): number {
    if (this.#names.size === 0 || this.#perSecond <= 0) return Number.POSITIVE_INFINITY;
    return Math.max(0, ((1 - this.#turns(nowMs)) / this.#perSecond) * 1_000);
  }

  #mayGo(nowMs: number): boolean {
    return this.#perSecond > 0 && this.#turns(nowMs) > 1 - 1e-9;
  }

  /** Turns that have been saved up: never more than one. */
  #turns(nowMs: number): number {
    return Math.min(1, this.#saved + ((nowMs - this.#sinceMs) / 1_000) * this.#perSecond);
  }
}

/** How fast something goes on, by what came within the last seconds. */
export class Rate {
  readonly #windowMs: number;
  readonly #samples: { atMs: number; bytes: number }[] = [];

  constructor(windowMs = 5_000) {
    this.#windowMs = windowMs;
  }

  /** Takes how many bytes there are in all at this time. */
  add(bytes: number, atMs: number): void {
    this.#samples.push({ atMs, bytes });
    while ((this.#samples[1]?.atMs ?? atMs) <= atMs - this.#windowMs) this.#samples.shift();
  }

  /** Bytes per second; 0 while nothing can be said. */
  get bytesPerSecond(): number {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (!first || !last || last.atMs === first.atMs) return 0;
    return Math.max(0, ((last.bytes - first.bytes) / (last.atMs - first.atMs)) * 1000);
  }
}

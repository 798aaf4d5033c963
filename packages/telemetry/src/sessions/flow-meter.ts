import type { SessionFlow } from './shape.ts';

/** What is carried one way, in plain numbers that nobody reads unless asked. */
export class FlowMeter {
  readonly #nowMs: () => number;
  readonly #waitsFor: NonNullable<SessionFlow['waitsFor']>;
  readonly #measures = new Set<() => number>();
  #bytes = 0;
  #lastMs = 0;
  #turns = 0;
  #waiting = 0;
  #waitingSinceMs = 0;

  constructor(nowMs: () => number, waitsFor: NonNullable<SessionFlow['waitsFor']>) {
    this.#nowMs = nowMs;
    this.#waitsFor = waitsFor;
  }

  /** When a byte passed last; 0 before the first. */
  get lastMs(): number {
    return this.#lastMs;
  }

  /** Another number whenever there is something new to tell. */
  get stamp(): number {
    return this.#bytes + this.#turns;
  }

  /** So many bytes have passed. */
  passed(length: number): void {
    this.#bytes += length;
    this.#lastMs = this.#nowMs();
  }

  /** The side that they go to takes no more, or does again; each of several connections says so for itself. */
  waits(isWaiting: boolean): void {
    this.#turns++;
    this.#waiting += isWaiting ? 1 : -1;
    if (isWaiting && this.#waiting === 1) this.#waitingSinceMs = this.#nowMs();
  }

  /** How the bytes are counted that are held, whenever somebody asks; what is returned takes the measure back. */
  holds(measure: () => number): () => void {
    this.#measures.add(measure);
    return () => this.#measures.delete(measure);
  }

  describe(): SessionFlow {
    let heldBytes = 0;
    for (const measure of this.#measures) heldBytes += measure();
    const flow: SessionFlow = { bytes: this.#bytes };
    if (heldBytes > 0) flow.heldBytes = heldBytes;
    if (this.#waiting > 0) {
      flow.waitsFor = this.#waitsFor;
      flow.waitingSince = new Date(this.#waitingSinceMs).toISOString();
    }
    return flow;
  }
}

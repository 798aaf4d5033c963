import type { SpdyLimits } from '../limits.ts';
import type { Outbound } from './outbound.ts';
import { type PauseReasons, ReceiveBudget } from './receive-budget.ts';
import { type StreamBeginning, StreamEnd, type StreamOwner } from './stream.ts';

/** The streams that are open, and the bytes they hold. */
export class StreamTable implements StreamOwner {
  readonly #outbound: Outbound;
  readonly #budget: ReceiveBudget;
  readonly #streams = new Map<number, StreamEnd>();

  constructor(outbound: Outbound, limits: SpdyLimits, pauses: PauseReasons) {
    this.#outbound = outbound;
    this.#budget = new ReceiveBudget(limits, (full) => pauses.set('held bytes', full));
  }

  get size(): number {
    return this.#streams.size;
  }

  /** Bytes held for stalled readers, also of streams that are over but not read out. */
  get heldBytes(): number {
    return this.#budget.heldBytes;
  }

  get(streamId: number): StreamEnd | undefined {
    return this.#streams.get(streamId);
  }

  open(beginning: StreamBeginning): StreamEnd {
    const stream = new StreamEnd(beginning, { outbound: this.#outbound, owner: this });
    this.#streams.set(stream.id, stream);
    return stream;
  }

  /** Calls `action`, which closes it, for each open stream. */
  endAll(action: (stream: StreamEnd) => void): void {
    for (const stream of [...this.#streams.values()]) action(stream);
  }

  /** The stream could not pass `bytes` on. */
  held(stream: StreamEnd, bytes: number): void {
    this.#budget.hold(stream, bytes);
  }

  released(stream: StreamEnd, bytes: number): void {
    this.#budget.release(stream, bytes);
  }

  forget(stream: StreamEnd): void {
    this.#streams.delete(stream.id);
  }
}

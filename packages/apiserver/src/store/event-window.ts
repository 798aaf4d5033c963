import { limits } from '../limits.ts';
import type { StoreEvent } from './store.ts';

/** The latest events of a store, bounded in number and in characters, so that most watches start without a query. */
export class EventWindow {
  /** From `#first` on; what was dropped leaves an empty place until there are many. */
  #events: (StoreEvent | undefined)[] = [];
  #first = 0;
  #characters = 0;
  #afterRevision: number;

  /** Knows everything after `afterRevision`. */
  constructor(afterRevision: number) {
    this.#afterRevision = afterRevision;
  }

  /** Every event after this revision is still here. */
  get afterRevision(): number {
    return this.#afterRevision;
  }

  push(event: StoreEvent): void {
    this.#events.push(event);
    this.#characters += sizeOf(event);
    while (this.#isFull()) this.#dropFirst();
    if (this.#first > limits.windowEventsMax) {
      this.#events = this.#events.slice(this.#first);
      this.#first = 0;
    }
  }

  /** Drops the events up to `revision`. */
  forget(revision: number): void {
    while (this.#first < this.#events.length && this.#events[this.#first]!.revision <= revision)
      this.#dropFirst();
    this.#afterRevision = Math.max(this.#afterRevision, revision);
  }

  /** Events after `revision`, oldest first, or undefined when some of them were dropped. */
  since(revision: number): StoreEvent[] | undefined {
    if (revision < this.#afterRevision) return undefined;
    let start = this.#events.length;
    while (start > this.#first && this.#events[start - 1]!.revision > revision) start -= 1;
    return this.#events.slice(start) as StoreEvent[];
  }

  #isFull(): boolean {
    const count = this.#events.length - this.#first;
    return count > limits.windowEventsMax || (count > 1 && this.#characters > limits.windowCharactersMax);
  }

  #dropFirst(): void {
    const event = this.#events[this.#first]!;
    this.#characters -= sizeOf(event);
    this.#afterRevision = event.revision;
    this.#events[this.#first] = undefined;
    this.#first += 1;
  }
}

function sizeOf(event: StoreEvent): number {
  return (event.current?.value.length ?? 0) + (event.previous?.value.length ?? 0);
}

import { onAbort } from '../abort.ts';

interface Reader<Event> {
  queue: Event[];
  wake: () => void;
  overflown: boolean;
}

/** Hands each event to every reader. A reader that falls too far behind is cut off; nobody waits for it. */
export class EventHub<Event> {
  readonly #readers = new Set<Reader<Event>>();
  readonly #eventsMax: number;

  /** `eventsMax`: events that wait for one reader. */
  constructor(eventsMax: number) {
    this.#eventsMax = eventsMax;
  }

  /** Whether somebody listens: events are costly to describe, so they are only made for readers. */
  get hasReaders(): boolean {
    return this.#readers.size > 0;
  }

  publish(event: Event): void {
    for (const reader of this.#readers) {
      if (reader.queue.length >= this.#eventsMax) reader.overflown = true;
      else reader.queue.push(event);
      reader.wake();
    }
  }

  /** Events from now on. Throws an Error when the reader was cut off; ends when `signal` aborts. */
  async *subscribe(signal: AbortSignal): AsyncGenerator<Event> {
    const reader: Reader<Event> = { queue: [], wake: () => {}, overflown: false };
    this.#readers.add(reader);
    const leave = onAbort(signal, () => reader.wake());
    try {
      while (!signal.aborted) {
        const event = reader.queue.shift();
        if (event !== undefined) yield event;
        else if (reader.overflown) throw new Error(`reader is more than ${this.#eventsMax} events behind`);
        else {
          await new Promise<void>((resolve) => {
            reader.wake = resolve;
          });
        }
      }
    } finally {
      leave();
      this.#readers.delete(reader);
    }
  }
}

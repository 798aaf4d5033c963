import { onAbort } from '@wherry/bytes';
import { limits } from '../limits.ts';

interface Reader<Event> {
  queue: Event[];
  wake: () => void;
}

/** Hands each event to every reader. A reader that falls too far behind is cut off; nobody waits for it. */
export class ContainerEvents<Event> {
  readonly #readers = new Set<Reader<Event>>();

  publish(makeEvent: () => Event): void {
    if (this.#readers.size === 0) return;
    const event = makeEvent();
    for (const reader of this.#readers) {
      reader.queue.push(event);
      reader.wake();
    }
  }

  /** Events from now on, until `signal` aborts. Throws an Error when the reader was cut off. */
  async *read(signal: AbortSignal): AsyncGenerator<Event> {
    const reader: Reader<Event> = { queue: [], wake: () => {} };
    this.#readers.add(reader);
    const leave = onAbort(signal, () => reader.wake());
    try {
      while (!signal.aborted) {
        if (reader.queue.length > limits.eventsPerReaderMax)
          throw new Error(`the reader is more than ${limits.eventsPerReaderMax} events behind`);
        const event = reader.queue.shift();
        if (event !== undefined) yield event;
        else
          await new Promise<void>((resolve) => {
            reader.wake = resolve;
          });
      }
    } finally {
      leave();
      this.#readers.delete(reader);
    }
  }
}

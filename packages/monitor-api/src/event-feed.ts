import { type Clock, sleep } from '@wherry/clock';
import { MonitorError } from './errors.ts';
import type { EventMessage, EventPosition } from './events.ts';
import { limits } from './limits.ts';

/** Follows the monitor's events across its restarts; see `MonitorClient.events`. */
export async function* followEvents(options: {
  /** Runs one `events.subscribe`; settles when it is over. */
  subscribe(
    after: EventPosition | null,
    options: { signal: AbortSignal; notice: (message: EventMessage) => void },
  ): Promise<unknown>;
  clock: Clock;
  after: EventPosition | null;
  signal: AbortSignal;
  onLost?: (() => void) | undefined;
}): AsyncGenerator<EventMessage, void> {
  const { clock, signal } = options;
  let position = options.after;
  while (!signal.aborted) {
    const feed = new Feed();
    const subscription = options
      .subscribe(position, { signal: feed.signalWith(signal), notice: (message) => feed.push(message) })
      .then(
        () => feed.finish(),
        () => feed.finish(),
      );
    try {
      for await (const message of feed.messages()) {
        position = message.kind === 'event' ? positionOf(message.event) : message.position;
        yield message;
      }
    } finally {
      feed.abandon();
      await subscription;
      options.onLost?.();
    }
    if (!signal.aborted) await sleep({ clock, delayMs: limits.reconnectDelayMs, signal }).catch(() => {});
  }
}

function positionOf(event: EventPosition): EventPosition {
  return { stream: event.stream, sequence: event.sequence };
}

/** The bounded queue between the connection and a reader that may be slow. */
class Feed {
  readonly #abandoned = new AbortController();
  #queue: EventMessage[] = [];
  #finished = false;
  #wake: () => void = () => {};

  signalWith(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, this.#abandoned.signal]);
  }

  /** A reader that is too far behind starts again from its last position, by a new subscription. */
  push(message: EventMessage): void {
    if (this.#finished) return;
    if (this.#queue.length < limits.unreadEventsMax) this.#queue.push(message);
    else this.abandon();
    this.#wake();
  }

  finish(): void {
    this.#finished = true;
    this.#wake();
  }

  abandon(): void {
    this.#abandoned.abort(new MonitorError('CANCELLED', 'the reader of events left or fell behind'));
    this.finish();
  }

  async *messages(): AsyncGenerator<EventMessage, void> {
    while (true) {
      const batch = this.#queue;
      this.#queue = [];
      yield* batch;
      if (this.#queue.length > 0) continue;
      if (this.#finished) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

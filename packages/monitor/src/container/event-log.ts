import { randomUUID } from 'node:crypto';
import type { Clock } from '@wherry/clock';
import type {
  ContainerEvent,
  ContainerEventType,
  ContainerStatus,
  EventMessage,
  EventPosition,
} from '@wherry/monitor-api';
import { nowNs } from '../fine-clock.ts';
import { limits } from '../limits.ts';

/** Numbers events, keeps the last ones, and gives them to subscribers. */
export class EventLog {
  readonly #clock: Clock;
  readonly #stream = randomUUID();
  readonly #kept: ContainerEvent[] = [];
  readonly #subscribers = new Set<(message: EventMessage) => void>();
  #sequence = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  publish(type: ContainerEventType, container: ContainerStatus): void {
    const position = { stream: this.#stream, sequence: ++this.#sequence };
    const event = { ...position, type, timeNs: nowNs(this.#clock), container };
    this.#kept.push(event);
    if (this.#kept.length > limits.eventsKept) this.#kept.shift();
    for (const send of this.#subscribers) send({ kind: 'event', event });
  }

  /**
   * Sends everything after `after` and that this was all, or the whole list when that cannot be told any more, and from
   * then on each event.
   * Gives back how to end it.
   */
  subscribe(options: {
    after: EventPosition | null;
    containers: () => ContainerStatus[];
    send: (message: EventMessage) => void;
  }): () => void {
    const { after, containers, send } = options;
    const missed = after && this.#after(after);
    const position = { stream: this.#stream, sequence: this.#sequence };
    for (const event of missed ?? []) send({ kind: 'event', event });
    if (missed) send({ kind: 'current', position });
    else send({ kind: 'resync', position, containers: containers() });
    this.#subscribers.add(send);
    return () => this.#subscribers.delete(send);
  }

  #after(position: EventPosition): ContainerEvent[] | null {
    const oldest = this.#kept[0]?.sequence ?? this.#sequence + 1;
    const isKnown =
      position.stream === this.#stream &&
      position.sequence + 1 >= oldest &&
      position.sequence <= this.#sequence;
    return isKnown ? this.#kept.filter(({ sequence }) => sequence > position.sequence) : null;
  }
}

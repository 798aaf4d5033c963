import { type EventFacts, type EventRecorder, EventSender, type KubeClient } from '@wherry/client';
import type { Clock } from '@wherry/clock';
import type { Counter, Logger } from '@wherry/telemetry';

/** What a kubelet's events need. */
export interface NodeEventsOptions {
  /** Undefined for a kubelet without an API server: events go to the log alone. */
  client: KubeClient | undefined;
  clock: Clock;
  logger: Logger;
  nodeName: string;
  /** Counts events that were not sent, by why. */
  dropped: Counter;
  /** How many requests may go out per second, and how many at once; 0 per second is without bound. */
  rate: { perSecond: number; burst: number };
}

/** A kubelet's events: to its log, and to the API server where it has one. */
export class NodeEvents implements EventRecorder {
  readonly #logger: Logger;
  readonly #sender: EventSender | undefined;

  constructor({ client, clock, logger, nodeName, dropped, rate }: NodeEventsOptions) {
    this.#logger = logger;
    this.#sender =
      client &&
      new EventSender({
        ...{ client, clock, rate, component: 'kubelet', host: nodeName },
        onLost(event, why, error) {
          dropped.add(1, { why });
          if (error !== undefined)
            logger.debug('an event was not sent', { reason: event.reason, why, error });
        },
      });
  }

  record(event: EventFacts): void {
    const { object, type, reason, message } = event;
    this.#logger.debug(message, { type, reason, object: `${object.kind}/${object.name}` });
    this.#sender?.record(event);
  }

  /** Resolves once what was recorded is sent or lost. */
  async settled(): Promise<void> {
    await this.#sender?.settled();
  }

  /** Stops sending; what waits is dropped. */
  close(): void {
    this.#sender?.close();
  }
}

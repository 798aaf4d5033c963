import {
  type EventObject,
  EventSender,
  eventObjectOf,
  type KubeClient,
  type KubeObject,
  kinds,
  type ResourceType,
} from '@wherry/client';
import type { Clock } from '@wherry/clock';
import type { Pod } from '@wherry/kubeapi/objects';
import type { Logger } from '@wherry/telemetry';

/** What happened to an object, as `kubectl describe` shows it. */
export interface ObjectEvent {
  type: 'Normal' | 'Warning';
  reason: string;
  message: string;
  /** When it happened, in milliseconds since 1970. Default: now. */
  seenMs?: number;
}

/** Writes events in the name of one component. Losing one is logged, never an error of the caller. */
export class EventRecorder {
  readonly #sender: EventSender;

  constructor(options: { client: KubeClient; clock: Clock; logger: Logger; component: string }) {
    const { client, clock, logger, component } = options;
    this.#sender = new EventSender({
      ...{ client, clock, component },
      onLost: ({ object, reason }, why, error) =>
        logger.debug('an event was not stored', { reason, object: object.name, why, error }),
    });
  }

  record(pod: Pod, event: ObjectEvent): void {
    this.recordOf(kinds.pods, pod, event);
  }

  /** An event about an object of any kind. */
  recordOf(type: ResourceType, object: KubeObject, event: ObjectEvent): void {
    this.recordAbout(eventObjectOf(type, object), event);
  }

  recordAbout(object: EventObject, event: ObjectEvent): void {
    this.#sender.record({ object, ...event });
  }
}

import { type KubeClient, kinds } from '@wherry/client';
import { type Clock, sleep } from '@wherry/clock';
import { type Event, StatusError } from '@wherry/kubeapi';
import type { Counter, Logger } from '@wherry/telemetry';
import { RateBucket } from '../../ground/rate-bucket.ts';
import { eventQueueMax } from '../../limits.ts';
import { apiTime } from '../status/container-statuses.ts';
import { EventAggregator } from './event-aggregator.ts';
import type { EventFacts, EventRecorder } from './recorder.ts';

/** What the sender is made of. */
export interface EventSenderOptions {
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

/** An event and when it happened, which may be long before it is sent. */
interface SeenEvent extends EventFacts {
  seenMs: number;
}

const retryMs = 1_000;
const nanosecondsPerMs = 1_000_000;
const triesMax = 12;

/** Sends events to the API server, in order, joining repeats into one object with a count. */
export class EventSender implements EventRecorder {
  readonly #options: EventSenderOptions;
  readonly #aggregator: EventAggregator;
  readonly #queue: SeenEvent[] = [];
  readonly #abort = new AbortController();
  readonly #bucket: RateBucket;
  #isSending = false;

  constructor(options: EventSenderOptions) {
    this.#options = options;
    this.#aggregator = new EventAggregator(options.clock);
    this.#bucket = new RateBucket({ clock: options.clock, ...options.rate });
  }

  record(facts: EventFacts): void {
    const { client, clock, logger, dropped } = this.#options;
    const { object, type, reason, message } = facts;
    logger.debug(message, { type, reason, object: `${object.kind}/${object.name}` });
    if (!client || this.#abort.signal.aborted) return;
    if (this.#queue.length < eventQueueMax) this.#queue.push({ ...facts, seenMs: clock.nowMs() });
    else dropped.add(1, { why: 'queue-full' });
    if (!this.#isSending) void this.#sendAll(client);
  }

  /** Stops sending; what waits is dropped. */
  close(): void {
    this.#abort.abort(new Error('the kubelet is stopping'));
  }

  async #sendAll(client: KubeClient): Promise<void> {
    this.#isSending = true;
    for (let next = this.#queue.shift(); next && !this.#abort.signal.aborted; next = this.#queue.shift()) {
      await this.#pace();
      await this.#send(client, next);
    }
    this.#isSending = false;
  }

  async #pace(): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#abort;
    for (
      let { waitMs } = this.#bucket.take();
      waitMs > 0 && !signal.aborted;
      { waitMs } = this.#bucket.take()
    ) {
      await sleep({ clock, delayMs: waitMs, signal }).catch(() => {});
    }
  }

  async #send(client: KubeClient, facts: SeenEvent): Promise<void> {
    const { clock, logger, dropped } = this.#options;
    const known = this.#aggregator.admit(facts);
    if (!known) {
      dropped.add(1, { why: 'too-many' });
      return;
    }
    const { signal } = this.#abort;
    for (let attempt = 0; attempt < triesMax && !signal.aborted; attempt += 1) {
      try {
        if (known.name && (await this.#count(client, known.name, known.count, facts))) return;
        known.name = await this.#create(client, known.count, known.message, facts);
        return;
      } catch (error) {
        if (error instanceof StatusError && error.code < 500 && error.code !== 429) {
          logger.debug('the API server refused an event', { reason: facts.reason, error });
          dropped.add(1, { why: 'refused' });
          return;
        }
        await sleep({ clock, delayMs: retryMs, signal }).catch(() => {});
      }
    }
    dropped.add(1, { why: 'unreachable' });
  }

  /** Raises the count of an event that was sent before; false when the server has forgotten it. */
  async #count(
    client: KubeClient,
    name: string,
    count: number,
    { object, seenMs }: SeenEvent,
  ): Promise<boolean> {
    const namespace = object.namespace ?? 'default';
    const lastTimestamp = apiTime(seenMs);
    try {
      const patch = { count, lastTimestamp };
      await client.resource(kinds.events).patch({ type: 'strategic', name, namespace, patch });
      return true;
    } catch (error) {
      if (error instanceof StatusError && error.code === 404) return false;
      throw error;
    }
  }

  async #create(client: KubeClient, count: number, message: string, facts: SeenEvent): Promise<string> {
    const { object, type, reason, annotations, seenMs } = facts;
    const { nodeName } = this.#options;
    const name = `${object.name}.${nanoseconds(seenMs).toString(16)}`;
    const namespace = object.namespace ?? 'default';
    const time = apiTime(seenMs);
    const event: Event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name, namespace, ...(annotations ? { annotations: { ...annotations } } : {}) },
      involvedObject: {
        apiVersion: object.apiVersion,
        kind: object.kind,
        name: object.name,
        uid: object.uid,
        ...(object.namespace ? { namespace: object.namespace } : {}),
        ...(object.resourceVersion ? { resourceVersion: object.resourceVersion } : {}),
        ...(object.fieldPath ? { fieldPath: object.fieldPath } : {}),
      },
      reason,
      message,
      type,
      source: { component: 'kubelet', host: nodeName },
      reportingComponent: 'kubelet',
      reportingInstance: nodeName,
      firstTimestamp: time,
      lastTimestamp: time,
      count,
    };
    await client.resource(kinds.events).create(event);
    return name;
  }
}

/** When it was, as upstream names events; below the millisecond any number, so that events of one moment have two names. */
const nanoseconds = (ms: number) =>
  BigInt(Math.floor(ms)) * BigInt(nanosecondsPerMs) + BigInt(Math.floor(Math.random() * nanosecondsPerMs));

import { type Clock, RateBucket, sleep } from '@wherry/clock';
import { type Event, StatusError, timeFromMs } from '@wherry/kubeapi/objects';
import * as kinds from '../generated/kinds.ts';
import { limits } from '../limits.ts';
import { ResourceClient, type ResourceSender } from '../resources/resource-client.ts';
import type { EventFacts, EventRecorder } from './event.ts';
import { type AdmittedEvent, EventAggregator } from './event-aggregator.ts';

/** Why an event was lost: too many wait; its object has said too much; the server refused it, or was not reached. */
export type EventLoss = 'queue-full' | 'too-many' | 'refused' | 'unreachable';

/** What a sender is made of. */
export interface EventSenderOptions {
  client: ResourceSender;
  /** Default: the client's. */
  clock?: Clock | undefined;
  /** Who reports, e.g. `deployment-controller`. */
  component: string;
  /** The node that it reports from. */
  host?: string | undefined;
  /** How many requests may go out per second, and how many at once; 0 per second (the default) is without bound. */
  rate?: { perSecond: number; burst: number } | undefined;
  /** Told of each event that is lost. */
  onLost?: ((event: EventFacts, loss: EventLoss, error?: unknown) => void) | undefined;
}

/** An event and when it happened, which may be long before it is sent. */
interface SeenEvent extends EventFacts {
  seenMs: number;
}

const nanosecondsPerMs = 1_000_000;

/**
 * Sends events to the API server, one after another, joined as upstream does (client-go tools/record): the same words about
 * one object raise the count of one event, many similar ones become one, an object that floods is cut off. What can not be
 * sent within some seconds is lost, and what waits when the process ends.
 */
export class EventSender implements EventRecorder {
  readonly #options: EventSenderOptions;
  readonly #clock: Clock;
  readonly #events: ResourceClient<Event>;
  readonly #aggregator: EventAggregator;
  readonly #queue: SeenEvent[] = [];
  readonly #abort = new AbortController();
  readonly #bucket: RateBucket;
  #isSending = false;
  #sending: Promise<void> = Promise.resolve();

  constructor(options: EventSenderOptions) {
    const { client, clock = client.clock, rate = { perSecond: 0, burst: 0 } } = options;
    this.#options = options;
    this.#clock = clock;
    this.#events = new ResourceClient(client, kinds.events);
    this.#aggregator = new EventAggregator(clock);
    this.#bucket = new RateBucket({ clock, ...rate });
  }

  record(facts: EventFacts): void {
    if (this.#abort.signal.aborted) return;
    if (this.#queue.length < limits.eventQueueMax)
      this.#queue.push({ ...facts, seenMs: facts.seenMs ?? this.#clock.nowMs() });
    else this.#options.onLost?.(facts, 'queue-full');
    if (!this.#isSending) this.#sending = this.#sendAll();
  }

  /** Resolves once nothing waits: all that was recorded is sent or lost. */
  async settled(): Promise<void> {
    await this.#sending;
  }

  /** Stops sending; what waits is dropped. */
  close(): void {
    this.#abort.abort(new Error('the sender of events is closed'));
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true;
    for (let next = this.#queue.shift(); next && !this.#abort.signal.aborted; next = this.#queue.shift()) {
      await this.#pace();
      await this.#send(next);
    }
    this.#isSending = false;
  }

  async #pace(): Promise<void> {
    const { signal } = this.#abort;
    for (
      let { waitMs } = this.#bucket.take();
      waitMs > 0 && !signal.aborted;
      { waitMs } = this.#bucket.take()
    )
      await this.#pause(waitMs);
  }

  async #pause(delayMs: number): Promise<void> {
    await sleep({ clock: this.#clock, delayMs, signal: this.#abort.signal }).catch(() => {});
  }

  async #send(facts: SeenEvent): Promise<void> {
    const { onLost } = this.#options;
    const known = this.#aggregator.admit(facts, facts.seenMs);
    if (!known) {
      onLost?.(facts, 'too-many');
      return;
    }
    const { signal } = this.#abort;
    // The same in each attempt, so that one whose answer was lost is not there twice.
    const name = nameOf(facts);
    let failure: unknown;
    for (let attempt = 0; attempt < limits.eventTriesMax && !signal.aborted; attempt += 1) {
      try {
        if (known.name && (await this.#count(known, facts))) return;
        await this.#create(name, known, facts);
        known.name = name;
        return;
      } catch (error) {
        if (error instanceof StatusError && error.code < 500 && error.code !== 429) {
          onLost?.(facts, 'refused', error);
          return;
        }
        failure = error;
        await this.#pause(limits.eventRetryMs);
      }
    }
    if (!signal.aborted) onLost?.(facts, 'unreachable', failure);
  }

  /** Raises the count of an event that was sent before; false when the server has forgotten it. Words change of combined ones. */
  async #count({ name, count, message }: AdmittedEvent, facts: SeenEvent): Promise<boolean> {
    const patch = { count, message, lastTimestamp: timeFromMs(facts.seenMs) };
    try {
      await this.#events.patch({ type: 'strategic', name, namespace: namespaceOf(facts), patch });
      return true;
    } catch (error) {
      if (error instanceof StatusError && error.code === 404) return false;
      throw error;
    }
  }

  /** One that is there already was made by an attempt whose answer was lost. */
  async #create(name: string, known: AdmittedEvent, facts: SeenEvent): Promise<void> {
    try {
      await this.#events.create(this.#eventOf(name, known, facts));
    } catch (error) {
      if (!(error instanceof StatusError) || error.reason !== 'AlreadyExists') throw error;
    }
  }

  #eventOf(name: string, { count, message, firstMs }: AdmittedEvent, facts: SeenEvent): Event {
    const { object, type, reason, annotations, seenMs } = facts;
    const { component, host } = this.#options;
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: {
        name,
        namespace: namespaceOf(facts),
        ...(annotations && { annotations: { ...annotations } }),
      },
      involvedObject: {
        apiVersion: object.apiVersion,
        kind: object.kind,
        name: object.name,
        ...(object.uid && { uid: object.uid }),
        ...(object.namespace && { namespace: object.namespace }),
        ...(object.resourceVersion && { resourceVersion: object.resourceVersion }),
        ...(object.fieldPath && { fieldPath: object.fieldPath }),
      },
      reason,
      message,
      type,
      source: { component, ...(host && { host }) },
      reportingComponent: component,
      reportingInstance: host ?? '',
      firstTimestamp: timeFromMs(firstMs),
      lastTimestamp: timeFromMs(seenMs),
      count,
    };
  }
}

const namespaceOf = ({ object }: EventFacts) => object.namespace || 'default';

const nameCharactersMax = 253;
const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain = new RegExp(`^${label}(\\.${label})*$`);

/** The object's name and the time; where that is no name that an event may have (`system:node`, or a long one), any other. */
function nameOf({ object, seenMs }: SeenEvent): string {
  const name = `${object.name}.${nanoseconds(seenMs).toString(16)}`;
  return name.length <= nameCharactersMax && subdomain.test(name) ? name : crypto.randomUUID();
}

/** When it was, as upstream names events; below the millisecond any number, so that events of one moment have two names. */
const nanoseconds = (ms: number) =>
  BigInt(Math.floor(ms)) * BigInt(nanosecondsPerMs) + BigInt(Math.floor(Math.random() * nanosecondsPerMs));

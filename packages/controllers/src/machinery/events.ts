import { type KubeClient, type KubeObject, kinds, type ResourceType } from '@wherry/client';
import type { Clock } from '@wherry/clock';
import { type Event, formatApiVersion, type Pod, timeFromMs } from '@wherry/kubeapi/objects';
import type { Logger } from '@wherry/telemetry';

/** What happened to an object, as `kubectl describe` shows it. */
export interface ObjectEvent {
  type: 'Normal' | 'Warning';
  reason: string;
  message: string;
}

/** The object that an event is about. */
export interface EventSubject {
  apiVersion: string;
  kind: string;
  name: string;
  /** Empty for what is cluster-scoped: the event goes to `default`, as upstream. */
  namespace: string;
  uid: string | undefined;
  resourceVersion?: string | undefined;
}

const nanosecondsPerMs = 1_000_000n;

/** Writes events in the name of one component. Losing one is logged, never an error of the caller. */
export class EventRecorder {
  readonly #client: KubeClient;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #component: string;
  #sequence = 0;

  constructor(options: { client: KubeClient; clock: Clock; logger: Logger; component: string }) {
    this.#client = options.client;
    this.#clock = options.clock;
    this.#logger = options.logger;
    this.#component = options.component;
  }

  record(pod: Pod, event: ObjectEvent): void {
    const { name = '', namespace = '', uid, resourceVersion } = pod.metadata ?? {};
    this.recordAbout({ apiVersion: 'v1', kind: 'Pod', name, namespace, uid, resourceVersion }, event);
  }

  /** An event about an object of any kind. */
  recordOf(type: ResourceType, { metadata }: KubeObject, event: ObjectEvent): void {
    const { name = '', namespace = '', uid, resourceVersion } = metadata ?? {};
    const apiVersion = formatApiVersion(type.group, type.version);
    this.recordAbout({ apiVersion, kind: type.kind, name, namespace, uid, resourceVersion }, event);
  }

  recordAbout(subject: EventSubject, { type, reason, message }: ObjectEvent): void {
    const { name } = subject;
    const namespace = subject.namespace === '' ? 'default' : subject.namespace;
    const nowMs = this.#clock.nowMs();
    const now = timeFromMs(nowMs);
    this.#sequence++;
    const belowMs = BigInt(this.#sequence % Number(nanosecondsPerMs));
    // As upstream names events: by their nanosecond, below the millisecond by their number.
    const suffix = (BigInt(Math.floor(nowMs)) * nanosecondsPerMs + belowMs).toString(16);
    const event: Event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${name}.${suffix}`, namespace },
      involvedObject: { ...subject },
      type,
      reason,
      message,
      source: { component: this.#component },
      reportingComponent: this.#component,
      reportingInstance: '',
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
    };
    this.#client
      .resource(kinds.events)
      .create(event)
      .catch((error: unknown) =>
        this.#logger.debug('an event was not stored', { reason, object: name, error }),
      );
  }
}

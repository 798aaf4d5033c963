import { type KubeClient, kinds } from '@wherry/client';
import type { Clock } from '@wherry/clock';
import { type Event, type Pod, timeFromMs } from '@wherry/kubeapi';
import type { Logger } from '@wherry/telemetry';

/** What happened to a pod, as `kubectl describe` shows it. */
export interface PodEvent {
  type: 'Normal' | 'Warning';
  reason: string;
  message: string;
}

/** Writes events about pods in the name of one component. Losing one is logged, never an error of the caller. */
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

  record(pod: Pod, { type, reason, message }: PodEvent): void {
    const { name = '', namespace = '', uid, resourceVersion } = pod.metadata ?? {};
    const nowMs = this.#clock.nowMs();
    const now = timeFromMs(nowMs);
    this.#sequence++;
    const suffix = ((BigInt(nowMs) << 16n) + BigInt(this.#sequence & 0xffff)).toString(16);
    const event: Event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${name}.${suffix}`, namespace },
      involvedObject: { apiVersion: 'v1', kind: 'Pod', name, namespace, uid, resourceVersion },
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
      .catch((error: unknown) => this.#logger.debug('an event was not stored', { reason, pod: name, error }));
  }
}

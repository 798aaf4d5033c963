import type { Clock } from '@wherry/clock';
import type { Gauge, MetricsRegistry } from '@wherry/telemetry';

/** What the times are taken by. */
export interface NodeStartTimesOptions {
  metrics: MetricsRegistry;
  clock: Clock;
  /** When the machine was booted; undefined where that is not known. */
  bootedAtMs: number | undefined;
  /** When this kubelet began. */
  startedAtMs: number;
}

/**
 * How long a node that was not there before took: until its kubelet began, until that first tried to register it, until it was
 * registered, until it was ready, and all of it (upstream: pkg/kubelet/util/node_startup_latency_tracker.go). Each stays 0 for a node
 * that others knew already.
 */
export class NodeStartTimes {
  readonly #options: NodeStartTimesOptions;
  readonly #gauges: Record<'before' | 'untilTried' | 'registering' | 'untilReady' | 'whole', Gauge>;
  #triedMs: number | undefined;
  #registeredMs: number | undefined;
  #isReady = false;

  constructor(options: NodeStartTimesOptions) {
    const gauge = (name: string, help: string) =>
      options.metrics.plainGauge(`kubelet_node_startup_${name}`, help);
    this.#options = options;
    this.#gauges = {
      before: gauge('pre_kubelet_duration_seconds', 'Seconds from the boot until this kubelet began.'),
      untilTried: gauge('pre_registration_duration_seconds', 'Seconds until it first tried to register.'),
      registering: gauge('registration_duration_seconds', 'Seconds from there until it was registered.'),
      untilReady: gauge('post_registration_duration_seconds', 'Seconds from there until it was ready.'),
      whole: gauge('duration_seconds', 'Seconds from the boot until the node was ready.'),
    };
  }

  /** The kubelet tries to register the node; the first time counts. */
  tried(): void {
    this.#triedMs ??= this.#options.clock.nowMs();
  }

  /** The API server has made the node's object. */
  registered(): void {
    if (this.#triedMs === undefined || this.#registeredMs !== undefined) return;
    const { clock, bootedAtMs, startedAtMs } = this.#options;
    this.#registeredMs = clock.nowMs();
    if (bootedAtMs !== undefined) this.#gauges.before.set((startedAtMs - bootedAtMs) / 1_000);
    this.#gauges.untilTried.set((this.#triedMs - startedAtMs) / 1_000);
    this.#gauges.registering.set((this.#registeredMs - this.#triedMs) / 1_000);
  }

  /** The API server has the node as ready; the first time after {@link registered} counts. */
  ready(): void {
    if (this.#registeredMs === undefined || this.#isReady) return;
    const { clock, bootedAtMs } = this.#options;
    const nowMs = clock.nowMs();
    this.#isReady = true;
    this.#gauges.untilReady.set((nowMs - this.#registeredMs) / 1_000);
    if (bootedAtMs !== undefined) this.#gauges.whole.set((nowMs - bootedAtMs) / 1_000);
  }
}

import type { Clock } from '@wherry/clock';
import type { Counter, Gauge, Histogram, MetricsRegistry } from '@wherry/telemetry';

/** What looking for a place came to. */
export type AttemptResult = 'scheduled' | 'unschedulable' | 'error';

/** Where pods wait. */
export type PendingQueue = 'active' | 'backoff' | 'unschedulable' | 'gated';

/** What the scheduler has now, asked for when it is to be shown. */
export interface SchedulerState {
  pending(): Readonly<Record<PendingQueue, number>>;
  /** How many pods each filter has refused that wait, by profile. */
  refusedBy(): readonly { plugin: string; profile: string; count: number }[];
  known(): { nodes: number; pods: number; assumed_pods: number };
}

/** Where plug-ins are asked, and timed. */
export type ExtensionPoint = 'PreBind' | 'Bind' | 'PostFilter';

const doubled = (first: number, count: number) =>
  Array.from({ length: count }, (_, exponent) => first * 2 ** exponent);

/** Counts and times decisions (upstream: pkg/scheduler/metrics). */
export class SchedulerFigures {
  readonly #clock: Clock;
  readonly #attempts: Counter;
  readonly #attemptSeconds: Histogram;
  readonly #algorithmSeconds: Histogram;
  readonly #podAttempts: Histogram;
  readonly #sliSeconds: Histogram;
  readonly #pending: Gauge;
  readonly #incoming: Counter;
  readonly #unschedulable: Gauge;
  readonly #cacheSize: Gauge;
  readonly #points: Histogram;
  readonly #preemptions: Counter;
  readonly #victims: Histogram;
  /** Pods that wait: when they were looked at first, and how often. */
  readonly #waiting = new Map<string, { firstMs: number; attempts: number }>();
  #state: SchedulerState | undefined;
  #refusing: readonly { plugin: string; profile: string }[] = [];

  constructor(metrics: MetricsRegistry, clock: Clock) {
    this.#clock = clock;
    const name = (end: string) => `scheduler_${end}`;
    // The first to be shown measures for all.
    this.#pending = metrics.gauge(name('pending_pods'), 'Pods that wait for a node.', () => this.#measure());
    this.#attempts = metrics.counter(name('schedule_attempts_total'), 'How often a place was looked for.');
    this.#attemptSeconds = metrics.histogram(
      name('scheduling_attempt_duration_seconds'),
      'Time from the look for a place to the end of the binding, or of the refusal.',
      doubled(0.001, 15),
    );
    this.#algorithmSeconds = metrics.plainHistogram(
      name('scheduling_algorithm_duration_seconds'),
      'Time that the look for a place took.',
      doubled(0.001, 15),
    );
    this.#podAttempts = metrics.plainHistogram(
      name('pod_scheduling_attempts'),
      'How often a place was looked for until there was one.',
      doubled(1, 5),
    );
    this.#sliSeconds = metrics.histogram(
      name('pod_scheduling_sli_duration_seconds'),
      'Time from the first look at a pod until it was bound.',
      doubled(0.01, 20),
    );
    this.#incoming = metrics.counter(
      name('queue_incoming_pods_total'),
      'Pods that came to a queue, and what brought them there.',
    );
    this.#unschedulable = metrics.gauge(
      name('unschedulable_pods'),
      'Pods that wait, by the plug-ins that refused them.',
    );
    this.#cacheSize = metrics.gauge(name('cache_size'), 'Nodes and pods that are known.');
    this.#points = metrics.histogram(
      name('framework_extension_point_duration_seconds'),
      'Time that all plug-ins of an extension point took.',
      doubled(0.0001, 12),
    );
    this.#preemptions = metrics.plainCounter(
      name('preemption_attempts_total'),
      'How often room was made, or was to be made, by ending pods.',
    );
    this.#victims = metrics.plainHistogram(
      name('preemption_victims'),
      'Pods that were ended for one.',
      doubled(1, 7),
    );
  }

  /** From now on this is what there is; undefined: nobody schedules here. */
  follow(state: SchedulerState | undefined): void {
    this.#state = state;
    if (!state) this.#waiting.clear();
  }

  /** A pod came to a queue. */
  came(queue: PendingQueue, event: string): void {
    this.#incoming.add(1, { queue, event });
  }

  /** The look for a pod's place begins. */
  looksFor(uid: string): void {
    const known = this.#waiting.get(uid) ?? { firstMs: this.#clock.monotonicMs(), attempts: 0 };
    known.attempts += 1;
    this.#waiting.set(uid, known);
  }

  /** The look itself is over. */
  looked(tookMs: number): void {
    this.#algorithmSeconds.observe(tookMs / 1000);
  }

  ended({ uid, profile }: { uid: string; profile: string }, result: AttemptResult, tookMs: number): void {
    this.#attempts.add(1, { profile, result });
    this.#attemptSeconds.observe(tookMs / 1000, { profile, result });
    const known = this.#waiting.get(uid);
    if (result !== 'scheduled' || !known) return;
    this.#waiting.delete(uid);
    this.#podAttempts.observe(known.attempts);
    const attempts = known.attempts >= 15 ? '15+' : String(known.attempts);
    this.#sliSeconds.observe((this.#clock.monotonicMs() - known.firstMs) / 1000, { attempts });
  }

  /** A pod is gone, or was bound by somebody else. */
  forgets(uid: string): void {
    this.#waiting.delete(uid);
  }

  /** All plug-ins of a point were asked. */
  async timed<T>(
    { point: extension_point, profile }: { point: ExtensionPoint; profile: string },
    work: Promise<T>,
  ): Promise<T> {
    const startedMs = this.#clock.monotonicMs();
    const tell = (status: 'Success' | 'Error') =>
      this.#points.observe((this.#clock.monotonicMs() - startedMs) / 1000, {
        ...{ extension_point, status, profile },
      });
    try {
      const result = await work;
      tell('Success');
      return result;
    } catch (error) {
      tell('Error');
      throw error;
    }
  }

  /** Room is made by ending so many pods; 0: it could not be. */
  preempts(victims: number): void {
    this.#preemptions.add(1);
    if (victims > 0) this.#victims.observe(victims);
  }

  #measure(): void {
    const pending = this.#state?.pending() ?? { active: 0, backoff: 0, unschedulable: 0, gated: 0 };
    for (const [queue, count] of Object.entries(pending)) this.#pending.set(count, { queue });
    for (const labels of this.#refusing) this.#unschedulable.forget(labels);
    const refused = this.#state?.refusedBy() ?? [];
    for (const { plugin, profile, count } of refused) this.#unschedulable.set(count, { plugin, profile });
    this.#refusing = refused.map(({ plugin, profile }) => ({ plugin, profile }));
    const known = this.#state?.known() ?? { nodes: 0, pods: 0, assumed_pods: 0 };
    for (const [type, count] of Object.entries(known)) this.#cacheSize.set(count, { type });
  }
}

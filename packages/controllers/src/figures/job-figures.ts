import type { Clock } from '@wherry/clock';
import type { Counter, Histogram, MetricsRegistry } from '@wherry/telemetry';

/** How a job is complete. */
export type CompletionMode = 'Indexed' | 'NonIndexed';

/** Tells of jobs, and of cron jobs that make them (upstream: pkg/controller/job/metrics, cronjob/metrics). */
export class JobFigures {
  readonly #clock: Clock;
  readonly #syncs: Counter;
  readonly #syncSeconds: Histogram;
  readonly #finished: Counter;
  readonly #skew: Histogram;

  constructor(metrics: MetricsRegistry, clock: Clock) {
    this.#clock = clock;
    this.#syncs = metrics.counter('job_controller_job_syncs_total', 'Looks at jobs.');
    this.#syncSeconds = metrics.histogram(
      'job_controller_job_sync_duration_seconds',
      'Time that a look at a job took.',
      Array.from({ length: 15 }, (_, exponent) => 0.004 * 2 ** exponent),
    );
    this.#finished = metrics.counter('job_controller_jobs_finished_total', 'Jobs that have ended.');
    this.#skew = metrics.plainHistogram(
      'cronjob_controller_job_creation_skew_duration_seconds',
      'How late jobs of cron jobs were made.',
      Array.from({ length: 10 }, (_, exponent) => 2 ** exponent),
    );
  }

  /** A look at a job. */
  async timed<T>(mode: CompletionMode, work: () => Promise<T>): Promise<T> {
    const startedMs = this.#clock.monotonicMs();
    const tell = (result: 'success' | 'error') => {
      const labels = { completion_mode: mode, result, action: 'reconciling' };
      this.#syncs.add(1, labels);
      this.#syncSeconds.observe((this.#clock.monotonicMs() - startedMs) / 1000, labels);
    };
    try {
      const value = await work();
      tell('success');
      return value;
    } catch (error) {
      tell('error');
      throw error;
    }
  }

  /** `reason` is that of the condition that says so. */
  finished(completion_mode: CompletionMode, result: 'succeeded' | 'failed', reason: string): void {
    this.#finished.add(1, { completion_mode, result, reason });
  }

  /** A cron job has made a job so long after its time. */
  made(lateMs: number): void {
    this.#skew.observe(lateMs / 1000);
  }
}

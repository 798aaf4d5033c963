import { readFileSync } from 'node:fs';
import type { Clock } from '@wherry/clock';
import { writeFileAtomicSync } from '@wherry/linux';
import type { Gauge, Logger, MetricsRegistry } from '@wherry/telemetry';

/** What the record is made of. */
export interface ShutdownRecordOptions {
  /** File that outlives the machine's restart. */
  path: string;
  clock: Clock;
  logger: Logger;
  metrics: MetricsRegistry;
}

/** A time that is not there, as Go writes it. */
const never = '0001-01-01T00:00:00Z';

/**
 * Whether the machine is about to shut down, and when it last was: in figures, and in a file of upstream's form
 * (pkg/kubelet/nodeshutdown/storage.go).
 */
export class ShutdownRecord {
  readonly #options: ShutdownRecordOptions;
  readonly #startTime: Gauge;
  readonly #endTime: Gauge;
  #isUnderWay = false;
  #startedAt = never;

  constructor(options: ShutdownRecordOptions) {
    this.#options = options;
    const { metrics } = options;
    this.#startTime = metrics.gauge(
      'kubelet_graceful_shutdown_start_time_seconds',
      'When the last graceful shutdown began, in seconds since 1970; 0 for none.',
    );
    this.#endTime = metrics.gauge(
      'kubelet_graceful_shutdown_end_time_seconds',
      'When the pods of the last graceful shutdown had ended, in seconds since 1970; 0 for none.',
    );
    this.#load();
  }

  /** A shutdown was announced and not cancelled. */
  get isUnderWay(): boolean {
    return this.#isUnderWay;
  }

  /** A shutdown is announced; its pods are about to end. */
  begin(): void {
    this.#isUnderWay = true;
    this.#startedAt = this.#now();
    this.#store(never);
  }

  /** The pods have ended, or took too long. */
  end(): void {
    this.#store(this.#now());
  }

  /** The machine stays on after all. */
  cancel(): void {
    this.#isUnderWay = false;
  }

  #now(): string {
    return new Date(this.#options.clock.nowMs()).toISOString();
  }

  #show(startTime: string, endTime: string): void {
    this.#startTime.set(secondsOf(startTime));
    this.#endTime.set(secondsOf(endTime));
  }

  #store(endTime: string): void {
    const { path, logger } = this.#options;
    this.#show(this.#startedAt, endTime);
    try {
      writeFileAtomicSync(path, JSON.stringify({ startTime: this.#startedAt, endTime }), { mode: 0o644 });
    } catch (error) {
      logger.warn('the time of the shutdown can not be noted; a restart will not know it', { path, error });
    }
  }

  #load(): void {
    const { path, logger } = this.#options;
    this.#show(never, never);
    try {
      const { startTime, endTime } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
      this.#show(textOf(startTime), textOf(endTime));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        logger.warn('the time of the last shutdown can not be read', { path, error });
    }
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : never);

/** Whole seconds since 1970; 0 for what is no time, or none after that. */
function secondsOf(time: string): number {
  return Math.max(0, Math.trunc(Date.parse(time) / 1_000) || 0);
}

import type { Gauge, MetricsRegistry } from '@wherry/telemetry';

/** Tells whether this process leads (client-go: tools/leaderelection). */
export class ElectionFigures {
  readonly #leads: Gauge;
  /** Until when each lease that is held has to be renewed. */
  readonly #dueMs = new Map<string, number>();

  constructor(metrics: MetricsRegistry) {
    this.#leads = metrics.gauge(
      'leader_election_master_status',
      'Whether this process holds a lease, by its name: 1 or 0.',
    );
  }

  tell(name: string, leads: boolean): void {
    this.#leads.set(leads ? 1 : 0, { name });
    if (!leads) this.#dueMs.delete(name);
  }

  /** A lease that is held has to be renewed by then, on the monotonic clock. */
  renewed(name: string, dueMs: number): void {
    this.#dueMs.set(name, dueMs);
  }

  /** Whether somebody leads who should not any more. */
  isOverdue(nowMs: number): boolean {
    return [...this.#dueMs.values()].some((dueMs) => dueMs < nowMs);
  }
}

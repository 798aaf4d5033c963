import type { ElectionObserver } from '@wherry/client';
import type { Gauge, MetricsRegistry } from '@wherry/telemetry';
import { limits } from '../limits.ts';

/** Tells whether this process leads (client-go: tools/leaderelection). */
export class ElectionFigures implements ElectionObserver {
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

  /** A lease is held until then, on the monotonic clock, unless it is renewed. */
  renewed(name: string, untilMs: number): void {
    this.#dueMs.set(name, untilMs + limits.leaseOverdueMs);
  }

  /** Whether somebody leads who should not any more. */
  isOverdue(nowMs: number): boolean {
    return [...this.#dueMs.values()].some((dueMs) => dueMs < nowMs);
  }
}

import type { Pod } from '@wherry/kubeapi/objects';
import { limits } from '../limits.ts';
import { finishedAtMs } from './pod-outcome.ts';

/** How often in a row pods of a job have failed, and when last. */
export interface FailureRecord {
  failures: number;
  lastMs: number;
}

/** The record after these pods have ended (upstream: backoff_utils.go newBackoffRecord). */
export function recordAfter(
  known: FailureRecord | undefined,
  succeeded: readonly Pod[],
  failed: readonly Pod[],
): FailureRecord | undefined {
  const failures = failed.map(finishedAtMs).sort((a, b) => a - b);
  const lastSuccessMs = Math.max(0, ...succeeded.map(finishedAtMs));
  const later = succeeded.length === 0 ? failures : failures.filter((time) => time > lastSuccessMs);
  if (later.length === 0) return succeeded.length === 0 ? known : undefined;
  const before = succeeded.length === 0 ? (known?.failures ?? 0) : 0;
  return { failures: before + later.length, lastMs: later.at(-1)! };
}

/** Milliseconds until the next pod may be made: 10 s after a failure, twice as long after each further one. */
export function remainingMs(record: FailureRecord | undefined, nowMs: number): number {
  if (!record || record.failures === 0) return 0;
  const { initialMs, maxMs } = limits.jobBackoffMs;
  const delayMs = Math.min(maxMs, initialMs * 2 ** Math.min(record.failures - 1, 16));
  return Math.max(0, record.lastMs + delayMs - nowMs);
}

import type { Clock } from './clock.ts';

/** The reason of a signal that a {@link deadline} aborted. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
  readonly code = 'deadline-exceeded';
  readonly timeoutMs: number;

  constructor(timeoutMs: number, what?: string) {
    super(`${what ? `${what}: ` : ''}not done within ${timeoutMs} ms`);
    this.timeoutMs = timeoutMs;
  }
}

/** Options of {@link deadline}. */
export interface DeadlineOptions {
  clock: Clock;
  timeoutMs: number;
  /** The caller's own signal; the deadline's signal follows it. */
  signal?: AbortSignal | undefined;
  /** Names the awaited thing in the error's message. */
  what?: string | undefined;
}

/** A signal with the means to let go of it. */
export interface Deadline {
  signal: AbortSignal;
  /** Takes the timer back; call it on every path (or use `using`). */
  cleanup(): void;
  [Symbol.dispose](): void;
}

/** A signal that aborts with {@link DeadlineError} after `timeoutMs`, or with the caller's reason if that is earlier. */
export function deadline(options: DeadlineOptions): Deadline {
  const { clock, timeoutMs, signal, what } = options;
  const controller = new AbortController();
  const timer = clock.after(timeoutMs, () => controller.abort(new DeadlineError(timeoutMs, what)));
  const either = signal ? AbortSignal.any([signal, controller.signal]) : controller.signal;
  const cleanup = () => timer.cancel();
  return { signal: either, cleanup, [Symbol.dispose]: cleanup };
}

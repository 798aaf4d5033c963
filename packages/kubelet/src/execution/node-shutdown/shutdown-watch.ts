import { backoff, type Clock, sleep } from '@wherry/clock';
import type { Logger } from '@wherry/telemetry';
import { inhibitDelayPollMs, inhibitDelayTriesMax, shutdownWatchBackoff } from '../../limits.ts';
import type { InhibitLock, Logind } from '../../observation/node-shutdown/logind.ts';

/** What the watch is made of. */
export interface ShutdownWatchOptions {
  logind: Logind;
  clock: Clock;
  logger: Logger;
  /** How long a shutdown must wait at most. */
  delayMs: number;
  /** A shutdown is announced and waits: resolves when it may go on. `signal` is aborted where it is cancelled. */
  onShutdown(signal: AbortSignal): Promise<void>;
  /** It is cancelled, after what {@link onShutdown} had begun has ended. */
  onCancelled(): void;
}

/**
 * Holds a lock that makes shutdowns of the machine wait, and tells of them. While logind can't be asked, it is tried again
 * and again; nothing waits meanwhile (upstream: pkg/kubelet/nodeshutdown/nodeshutdown_manager_linux.go).
 */
export class ShutdownWatch {
  readonly #options: ShutdownWatchOptions;
  readonly #abort = new AbortController();
  #lock: InhibitLock | undefined;
  /** The shutdown that is under way. */
  #shutdown: { abort: AbortController; ended: Promise<void> } | undefined;

  constructor(options: ShutdownWatchOptions) {
    this.#options = options;
  }

  start(): void {
    void this.#run();
  }

  close(): void {
    this.#abort.abort(new Error('the kubelet is stopping'));
    this.#release();
  }

  async #run(): Promise<void> {
    const { clock, logger } = this.#options;
    const { signal } = this.#abort;
    const delays = backoff(shutdownWatchBackoff);
    while (!signal.aborted) {
      await this.#watch(() => delays.reset()).catch((error: unknown) => {
        if (signal.aborted) return;
        const message = 'shutdowns of the machine are not waited for: systemd-logind can not be watched';
        logger.error(message, { error });
      });
      await sleep({ clock, delayMs: delays.nextDelayMs(), signal }).catch(() => {});
    }
  }

  /** Watches as long as that works; rejects when it does not any more. */
  async #watch(onBegun: () => void): Promise<void> {
    const { logind } = this.#options;
    const { signal } = this.#abort;
    await this.#allowDelay();
    const round = new AbortController();
    const whole = AbortSignal.any([signal, round.signal]);
    try {
      // Watched before the lock is held: what is announced in between is not missed.
      const announcements = await logind.watch(whole);
      if (!this.#shutdown) await this.#hold(round);
      else if (!(await logind.isShuttingDown(whole))) await this.#cancel(round);
      onBegun();
      for await (const isComing of announcements) await (isComing ? this.#begin() : this.#cancel(round));
    } finally {
      round.abort();
      if (!this.#shutdown) this.#release();
    }
  }

  /** logind caps what a lock may hold back: where that is too short for the pods, it is told so. */
  async #allowDelay(): Promise<void> {
    const { logind, clock, delayMs, logger } = this.#options;
    const { signal } = this.#abort;
    let allowedMs = await logind.inhibitDelayMs(signal);
    if (allowedMs >= delayMs) return;
    await logind.raiseInhibitDelay(delayMs, signal);
    for (let attempt = 0; attempt < inhibitDelayTriesMax; attempt += 1) {
      allowedMs = await logind.inhibitDelayMs(signal);
      if (allowedMs >= delayMs) {
        logger.info('logind now lets shutdowns wait', { delayMs: allowedMs });
        return;
      }
      await sleep({ clock, delayMs: inhibitDelayPollMs * 2 ** attempt, signal });
    }
    throw new Error(
      `logind's InhibitDelayMaxSec stays at ${allowedMs / 1_000} s, and ${delayMs / 1_000} s are needed`,
    );
  }

  /** The round ends where the lock is lost. */
  async #hold(round: AbortController): Promise<void> {
    const { logind, logger } = this.#options;
    const signal = AbortSignal.any([round.signal, this.#abort.signal]);
    const lock = await logind.inhibit(signal);
    this.#release();
    if (signal.aborted) {
      lock.release();
      return;
    }
    this.#lock = lock;
    void lock.gone.then(() => {
      if (this.#lock !== lock) return;
      logger.warn('the lock that makes shutdowns wait was lost; it is taken anew');
      round.abort();
    });
  }

  #release(): void {
    this.#lock?.release();
    this.#lock = undefined;
  }

  #begin(): void {
    if (this.#shutdown) return;
    const { onShutdown, logger } = this.#options;
    const abort = new AbortController();
    const signal = AbortSignal.any([abort.signal, this.#abort.signal]);
    const ended = onShutdown(signal)
      .catch((error: unknown) => logger.error('the pods could not be ended for the shutdown', { error }))
      .finally(() => this.#release());
    this.#shutdown = { abort, ended };
  }

  async #cancel(round: AbortController): Promise<void> {
    const shutdown = this.#shutdown;
    this.#shutdown = undefined;
    shutdown?.abort.abort(new Error('the shutdown is cancelled'));
    await shutdown?.ended;
    if (shutdown) this.#options.onCancelled();
    await this.#hold(round);
  }
}

import { type Backoff, backoff, type Clock, deadline, sleep, systemClock } from '@wherry/clock';
import type { Logger } from '@wherry/telemetry';
import { limits } from '../limits.ts';
import { LeaseLock, type LeaseLockOptions } from './lease-lock.ts';

/** What hears of an election. */
export interface ElectionObserver {
  /** Whether the lease of that name is held. */
  tell(name: string, leads: boolean): void;
  /** It is held until then, on the monotonic clock, unless it is renewed. */
  renewed(name: string, untilMs: number): void;
}

/** What a leader does, and how it is known. */
export interface LeaderElectionOptions extends LeaseLockOptions {
  /** `console` will do. */
  logger: Pick<Logger, 'debug' | 'info' | 'error'>;
  clock?: Clock | undefined;
  /** Whether that candidate is known to have ended, so that nobody need wait for its lease to run out. Default: never. */
  hasEnded?(identity: string): boolean;
  /** A leader that could not renew for so long stops, in milliseconds. Default `limits.leaseRenewDeadlineMs`. */
  renewDeadlineMs?: number | undefined;
  /** How often it renews, or a candidate asks, in milliseconds. Default `limits.leaseRetryMs`. */
  retryMs?: number | undefined;
  observer?: ElectionObserver | undefined;
  /** Begins what only one may do at a time; `close` ends it, and must be quick. */
  lead(): { close(): Promise<void> };
}

/**
 * Leads whenever it holds the lease, as client-go's leaderelection does: a holder that was not seen to renew for as long as
 * its lease says, on this machine's own clock, is gone; a leader that could not renew in time stops before others begin, and
 * stands again.
 */
export class LeaderElection {
  readonly #options: LeaderElectionOptions;
  readonly #lock: LeaseLock;
  readonly #abort = new AbortController();
  readonly #retry: Backoff = backoff({ ...limits.leaseFailureMs, jitter: 0.2 });
  readonly #running: Promise<void>;
  #observed = { stamp: '', atMs: 0 };
  /** When the last request began that took or renewed the lease. */
  #renewedMs = 0;
  readonly #clock: Clock;
  readonly #renewDeadlineMs: number;
  readonly #retryMs: number;

  constructor(options: LeaderElectionOptions) {
    this.#options = options;
    this.#lock = new LeaseLock(options);
    this.#clock = options.clock ?? systemClock;
    this.#renewDeadlineMs = options.renewDeadlineMs ?? limits.leaseRenewDeadlineMs;
    this.#retryMs = options.retryMs ?? limits.leaseRetryMs;
    this.#running = this.#run();
  }

  /** Ends what is led, then leaves the lease to the next. */
  async close(): Promise<void> {
    this.#abort.abort(new Error('the candidate withdraws'));
    await this.#running;
  }

  async #run(): Promise<void> {
    const { logger, name, identity, observer } = this.#options;
    const { signal } = this.#abort;
    observer?.tell(name, false);
    while (!signal.aborted) {
      if (!(await this.#acquire())) break;
      logger.info('leading', { lease: name, identity });
      const led = this.#options.lead();
      observer?.tell(name, true);
      await this.#renew();
      await led.close();
      observer?.tell(name, false);
      if (!signal.aborted) logger.error('the lease was lost; what it covers has stopped', { lease: name });
    }
    await this.#release();
  }

  /** True when the lease is ours, false when the candidate has withdrawn. */
  async #acquire(): Promise<boolean> {
    const { signal } = this.#abort;
    while (!signal.aborted) {
      let delayMs = this.#retryMs;
      try {
        if (await this.#try(this.#renewDeadlineMs)) return true;
        this.#retry.reset();
      } catch (error) {
        delayMs = this.#retry.nextDelayMs();
        this.#options.logger.debug('the lease can not be asked for', { lease: this.#options.name, error });
      }
      await this.#pause(delayMs);
    }
    return false;
  }

  /** Resolves when the lease could not be renewed in time, or the candidate has withdrawn. */
  async #renew(): Promise<void> {
    const { logger, name } = this.#options;
    while (!this.#abort.signal.aborted) {
      await this.#pause(this.#retryMs);
      const leftMs = this.#renewDeadlineMs - (this.#clock.monotonicMs() - this.#renewedMs);
      if (leftMs <= 0) return;
      try {
        // Somebody else leads by now.
        if (!(await this.#try(leftMs)) && !this.#lock.isOurs) return;
      } catch (error) {
        logger.debug('the lease was not renewed', { lease: name, error });
      }
    }
  }

  async #try(timeoutMs: number): Promise<boolean> {
    const { name } = this.#options;
    using limit = deadline({
      clock: this.#clock,
      timeoutMs,
      what: `lease ${name}`,
      signal: this.#abort.signal,
    });
    // A leader knows what it wrote; only if that does not hold it looks.
    if (this.#lock.isOurs && (await this.#take(limit.signal))) return true;
    await this.#lock.read(limit.signal);
    return !this.#isHeldByOther() && (await this.#take(limit.signal));
  }

  /** Others may see a renewal long before its answer is here: its time is that of the request. */
  async #take(signal: AbortSignal): Promise<boolean> {
    const startedMs = this.#clock.monotonicMs();
    const isTaken = await this.#lock.take(this.#clock.nowMs(), signal);
    if (!isTaken) return false;
    this.#renewedMs = startedMs;
    const { observer, name, durationMs = limits.leaseDurationMs } = this.#options;
    observer?.renewed(name, startedMs + durationMs);
    return isTaken;
  }

  #isHeldByOther(): boolean {
    const { hasEnded } = this.#options;
    const { holder, stamp, durationMs } = this.#lock.seen;
    const nowMs = this.#clock.monotonicMs();
    if (stamp !== this.#observed.stamp) this.#observed = { stamp, atMs: nowMs };
    if (holder === '' || this.#lock.isOurs || hasEnded?.(holder)) return false;
    return nowMs - this.#observed.atMs < durationMs;
  }

  async #release(): Promise<void> {
    const { logger, name } = this.#options;
    using limit = deadline({
      clock: this.#clock,
      timeoutMs: limits.leaseReleaseMs,
      what: `release of lease ${name}`,
    });
    await this.#lock
      .release(this.#clock.nowMs(), limit.signal)
      .catch((error: unknown) => logger.debug('the lease was not released', { lease: name, error }));
  }

  #pause(delayMs: number): Promise<void> {
    return sleep({ clock: this.#clock, delayMs, signal: this.#abort.signal }).catch(() => {});
  }
}

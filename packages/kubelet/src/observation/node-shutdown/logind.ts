/** A lock that holds back a shutdown of the machine. */
export interface InhibitLock {
  /** Lets the shutdown go on; repeats do nothing. */
  release(): void;
  /** Resolves when the lock is not held any more, for whatever reason. */
  readonly gone: Promise<void>;
}

/** What a kubelet needs of systemd-logind. Each call rejects with what went wrong, or with `signal.reason`. */
export interface Logind {
  /** The longest time for which a lock may hold back a shutdown, in milliseconds. */
  inhibitDelayMs(signal: AbortSignal): Promise<number>;
  /** Writes a longer one into logind's configuration and has it read; that takes effect a while later. */
  raiseInhibitDelay(delayMs: number, signal: AbortSignal): Promise<void>;
  /** A shutdown is announced and not cancelled. */
  isShuttingDown(signal: AbortSignal): Promise<boolean>;
  /** Resolves once the lock is held. */
  inhibit(signal: AbortSignal): Promise<InhibitLock>;
  /** Resolves once the watch stands: true for an announced shutdown, false for one that was cancelled. */
  watch(signal: AbortSignal): Promise<AsyncIterable<boolean>>;
}

import { type Clock, sleep } from '@wherry/clock';
import {
  closeDescriptor,
  exitCodeOfDescriptor,
  exitCodeOfZombie,
  identifyProcess,
  openPidDescriptor,
  type Poller,
  type ProcessIdentity,
  pollEvents,
  reap,
  signalProcess,
  type Watch,
} from '@wherry/linux';
import { MonitorError } from '@wherry/monitor-api';
import { limits } from '../limits.ts';

/** What watching a process takes. */
export interface WatchTools {
  poller: Poller;
  clock: Clock;
}

/**
 * A process that the monitor answers for, its child or not. Owns a pid descriptor.
 * Make it before anything else could reap the process.
 */
export class WatchedProcess {
  readonly identity: ProcessIdentity;
  /** The exit code (128 + signal), or null when nobody could tell it any more. */
  readonly exited: Promise<number | null>;
  readonly #descriptor: number;
  readonly #watch: Watch | null;
  readonly #clock: Clock;
  readonly #elsewhere: (pid: number) => number | null;
  #gone = false;

  /**
   * `descriptor` was opened while `identity` was known to be its process. `elsewhere` is asked first for the code of a
   * process that is no child.
   */
  constructor(options: {
    identity: ProcessIdentity;
    descriptor: number;
    tools: WatchTools;
    elsewhere?: (pid: number) => number | null;
  }) {
    this.identity = options.identity;
    this.#descriptor = options.descriptor;
    this.#clock = options.tools.clock;
    this.#elsewhere = options.elsewhere ?? (() => null);
    // A short command has often ended by now: no notice has to come through the poller's thread first.
    const reaped = reap(this.identity.pid);
    const { promise, resolve } = Promise.withResolvers<void>();
    if (reaped.state === 'exited') {
      this.#watch = null;
      this.#letGo();
      this.exited = Promise.resolve(reaped.exitCode);
    } else {
      this.#watch = options.tools.poller.watch(options.descriptor, pollEvents.readable, () => resolve());
      this.exited = promise.then(() => this.#findCode());
    }
  }

  /** Takes on a child that was just started. Throws `INTERNAL` when somebody else has reaped it. */
  static openChild(pid: number, tools: WatchTools): WatchedProcess {
    const child = WatchedProcess.open({ pid, tools });
    if (child) return child;
    throw new MonitorError('INTERNAL', `process ${pid} was reaped by somebody else`);
  }

  /** Takes a process on by its id; null when there is none, or when `identity` says another one. */
  static open(options: {
    pid: number;
    tools: WatchTools;
    identity?: ProcessIdentity;
    elsewhere?: (pid: number) => number | null;
  }): WatchedProcess | null {
    const { pid, identity } = options;
    let descriptor: number;
    try {
      descriptor = openPidDescriptor(pid);
    } catch {
      return null;
    }
    const found = identifyProcess(pid);
    if (!found || (identity && identity.startTicks !== found.startTicks)) {
      closeDescriptor(descriptor);
      return null;
    }
    return new WatchedProcess({ ...options, identity: found, descriptor });
  }

  /** Its id is its own as long as this holds. */
  get isThere(): boolean {
    return !this.#gone;
  }

  /** False when it has ended. */
  signal(signal: number): boolean {
    return !this.#gone && signalProcess(this.#descriptor, signal);
  }

  /** Stops watching: for a monitor that closes while the process goes on. */
  abandon(): void {
    if (this.#gone) return;
    this.#watch?.stop();
    this.#letGo();
  }

  #letGo(): void {
    this.#gone = true;
    closeDescriptor(this.#descriptor);
  }

  async #findCode(): Promise<number | null> {
    try {
      return await this.#codeWithin(limits.exitCodeWaitMs);
    } finally {
      this.abandon();
    }
  }

  /** A process that is no child shows its code once its parent has reaped it, which may take a moment. */
  async #codeWithin(waitMs: number): Promise<number | null> {
    const clock = this.#clock;
    const deadlineMs = clock.monotonicMs() + waitMs;
    while (true) {
      const code = this.#codeNow();
      if (code !== null || clock.monotonicMs() > deadlineMs || this.#gone) return code;
      await sleep({ clock, delayMs: limits.exitCodeLookMs });
    }
  }

  #codeNow(): number | null {
    const reaped = reap(this.identity.pid);
    if (reaped.state === 'exited') return reaped.exitCode;
    return (
      this.#elsewhere(this.identity.pid) ??
      exitCodeOfZombie(this.identity) ??
      exitCodeOfDescriptor(this.#descriptor)
    );
  }
}

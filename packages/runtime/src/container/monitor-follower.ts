import { type Clock, sleep } from '@wherry/clock';
import type { ContainerStatus, MonitorClient } from '@wherry/monitor-api';
import type { Logger } from '@wherry/telemetry';
import { messageOf } from '../errors.ts';
import { limits } from '../limits.ts';
import type { SandboxStore } from '../sandbox/sandbox-store.ts';
import type { ContainerStore } from './container-store.ts';
import type { ContainerTracker } from './container-tracker.ts';

/** What the follower keeps in step. */
export interface MonitorFollowerOptions {
  monitor: MonitorClient;
  clock: Clock;
  tracker: ContainerTracker;
  store: ContainerStore;
  sandboxes: SandboxStore;
  /** Told that all containers that a monitor has are in the records. */
  onListed(): void;
  /** Told that the process which holds a sandbox's process namespace is gone. */
  onHolderLost(sandboxId: string): void;
  logger: Logger;
}

/** Keeps the containers' records in step with what the monitor sees, across restarts of either. */
export class MonitorFollower {
  readonly #options: MonitorFollowerOptions;
  readonly #ending = new AbortController();
  #running: Promise<void> | undefined;
  #isInStep = false;
  #leftMs = Number.NEGATIVE_INFINITY;

  constructor(options: MonitorFollowerOptions) {
    this.#options = options;
  }

  /** Whether a monitor is there and everything it has seen is in the records. */
  get isInStep(): boolean {
    return this.#isInStep;
  }

  /** Whether a monitor is there, or was a moment ago: one that is started anew takes no pod off its services. */
  get hasMonitor(): boolean {
    const awayMs = this.#options.clock.monotonicMs() - this.#leftMs;
    return this.#isInStep || awayMs < limits.monitorPatienceMs;
  }

  /** Starts following; resolves with the first full list, or after `patienceMs` without one. */
  async start(patienceMs: number): Promise<void> {
    let listed = () => {};
    const first = new Promise<void>((resolve) => {
      listed = resolve;
    });
    this.#running = this.#follow(listed);
    const timer = this.#options.clock.after(patienceMs, listed);
    await first;
    timer.cancel();
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await this.#running;
  }

  /** What cannot be kept, on a full disk for instance, comes again: the next subscription begins with the whole list. */
  async #follow(listed: () => void): Promise<void> {
    const { clock, logger } = this.#options;
    const { signal } = this.#ending;
    while (!signal.aborted) {
      try {
        await this.#subscribe(listed);
      } catch (error) {
        this.#lose();
        const message = 'what the monitor has seen could not be taken over, and is asked for again';
        logger.error(message, { error: messageOf(error) });
      }
      await sleep({ clock, delayMs: limits.followRetryMs, signal }).catch(() => {});
    }
  }

  async #subscribe(listed: () => void): Promise<void> {
    const onLost = () => this.#lose();
    for await (const message of this.#options.monitor.events({ signal: this.#ending.signal, onLost })) {
      if (message.kind === 'event') this.#apply(message.event.container);
      else if (message.kind === 'resync') this.#reconcile(message.containers);
      if (message.kind !== 'event') this.#options.onListed();
      this.#isInStep = true;
      listed();
    }
  }

  #lose(): void {
    if (this.#isInStep) this.#leftMs = this.#options.clock.monotonicMs();
    this.#isInStep = false;
  }

  #apply(status: ContainerStatus): void {
    const { tracker, sandboxes, onHolderLost } = this.#options;
    tracker.applyStatus(status);
    const hasEnded = status.state === 'exited' || status.state === 'unknown';
    if (hasEnded && sandboxes.get(status.id)?.holderPid != null) onHolderLost(status.id);
  }

  #reconcile(statuses: readonly ContainerStatus[]): void {
    const { tracker, store, sandboxes, onHolderLost } = this.#options;
    const listed = new Set(statuses.map(({ id }) => id));
    for (const status of statuses) {
      if (store.get(status.id) || sandboxes.get(status.id)) this.#apply(status);
      else this.#deleteOrphan(status.id);
    }
    for (const { id, holderPid } of sandboxes.list())
      if (holderPid !== null && !listed.has(id)) onHolderLost(id);
    for (const container of store.list()) {
      if (container.state !== 'running' || listed.has(container.id)) continue;
      tracker.applyLoss(
        container,
        'the monitor does not know this container any more; how it ended was not seen',
      );
    }
  }

  #deleteOrphan(id: string): void {
    const { monitor, logger } = this.#options;
    logger.warn('the monitor has a container without a record; it is removed', { container: id });
    monitor.call('container.delete', { id, force: true }).catch((error) => {
      logger.warn('a container without a record was not removed', { container: id, error: messageOf(error) });
    });
  }
}

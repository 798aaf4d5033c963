import type { ContainerStatus, MonitorClient } from '@wherry/monitor-api';
import type { Logger } from '@wherry/telemetry';
import type { ContainerStore } from '../container/container-store.ts';
import type { ContainerTracker } from '../container/container-tracker.ts';
import { messageOf } from '../errors.ts';
import type { SandboxStore } from '../sandbox/sandbox-store.ts';

/** What the follower keeps in step. */
export interface MonitorFollowerOptions {
  monitor: MonitorClient;
  tracker: ContainerTracker;
  store: ContainerStore;
  sandboxes: SandboxStore;
  logger: Logger;
}

/** Keeps the containers' records in step with what the monitor sees, across restarts of either. */
export class MonitorFollower {
  readonly #options: MonitorFollowerOptions;
  readonly #ending = new AbortController();
  #running: Promise<void> | undefined;

  constructor(options: MonitorFollowerOptions) {
    this.#options = options;
  }

  /** Starts following; resolves with the first full list, or after `patienceMs` without one. */
  async start(patienceMs: number): Promise<void> {
    let listed = () => {};
    const first = new Promise<void>((resolve) => {
      listed = resolve;
    });
    this.#running = this.#follow(listed);
    const timer = setTimeout(listed, patienceMs);
    await first;
    clearTimeout(timer);
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await this.#running;
  }

  async #follow(listed: () => void): Promise<void> {
    const { monitor, tracker } = this.#options;
    for await (const message of monitor.events({ signal: this.#ending.signal })) {
      if (message.kind === 'event') tracker.applyStatus(message.event.container);
      else {
        this.#reconcile(message.containers);
        listed();
      }
    }
  }

  #reconcile(statuses: readonly ContainerStatus[]): void {
    const { tracker, store, sandboxes } = this.#options;
    const listed = new Set(statuses.map(({ id }) => id));
    for (const status of statuses) {
      if (store.get(status.id)) tracker.applyStatus(status);
      else if (!sandboxes.get(status.id)) this.#deleteOrphan(status.id);
    }
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

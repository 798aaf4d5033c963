import { ContainerEventType } from '@wherry/cri';
import type { ContainerStatus, MonitorClient } from '@wherry/monitor-api';
import type { Logger } from '@wherry/telemetry';
import { messageOf } from '../errors.ts';
import type { NanosecondClock } from '../state/nanosecond-clock.ts';
import { SingleFlight } from '../state/single-flight.ts';
import { unmountOverlay } from '../volumes/overlay.ts';
import type { Stage } from '../volumes/stage.ts';
import type { Container } from './container-record.ts';
import { type ContainerStore, hasEnded } from './container-store.ts';

/** What the tracker works with. */
export interface ContainerTrackerOptions {
  store: ContainerStore;
  monitor: MonitorClient;
  stage: Stage;
  clock: NanosecondClock;
  logger: Logger;
  /** Told what happened, after it is in the store. */
  onEvent(container: Container, type: ContainerEventType): void;
}

/** What containerd answers for a container that could not be started; clients know it. */
const startError = { exitCode: 128, reason: 'StartError' } as const;

/** Exit code and reason of a container whose end nobody saw. */
const unknownEnd = { exitCode: 255, reason: 'Unknown' } as const;

/** Brings what happened to containers into their records, once each, and clears away what ended ones leave. */
export class ContainerTracker {
  readonly #options: ContainerTrackerOptions;
  readonly #clears = new SingleFlight<void>();

  constructor(options: ContainerTrackerOptions) {
    this.#options = options;
  }

  /** Takes over what the monitor says: it started, it ended. Repeats change nothing. */
  applyStatus(status: ContainerStatus): void {
    const { store, onEvent } = this.#options;
    const container = store.get(status.id);
    if (!container || hasEnded(container)) return;
    if (container.state === 'created' && status.startedAtNs > 0n) {
      const { startedAtNs, pid, startTicks } = status;
      const started = store.update(status.id, { state: 'running', startedAtNs, pid, startTicks });
      if (started) onEvent(started, ContainerEventType.CONTAINER_STARTED_EVENT);
    }
    if (status.state !== 'exited' && status.state !== 'unknown') return;
    const { startedAtNs, finishedAtNs, exitCode, reason, message } = status;
    this.#end(container, { startedAtNs, finishedAtNs, exitCode, reason, message });
  }

  /** What only the monitor could know is lost: the container ended, nobody saw how. */
  applyLoss(container: Container, message: string): void {
    this.#end(container, { ...unknownEnd, finishedAtNs: this.#options.clock.now(), message });
  }

  /** The OCI runtime refused to start it. */
  applyStartError(container: Container, message: string): void {
    const now = this.#options.clock.now();
    this.#end(container, { ...startError, startedAtNs: now, finishedAtNs: now, message });
  }

  /**
   * Removes the OCI runtime's remainders (a running process is killed) and the mount, one attempt at a time. The
   * writable layer stays.
   */
  clear(id: string): Promise<void> {
    return this.#clears.run(id, async () => {
      const { store, monitor, stage } = this.#options;
      await monitor.call('container.delete', { id, force: true });
      stage.release(id);
      unmountOverlay(store.folder.path(id));
    });
  }

  #end(container: Container, change: Partial<Container>): void {
    const { store, onEvent, logger } = this.#options;
    const ended = store.update(container.id, { ...change, state: 'exited' });
    if (!ended) return;
    onEvent(ended, ContainerEventType.CONTAINER_STOPPED_EVENT);
    this.clear(ended.id).catch((error) => {
      const facts = { container: ended.id, error: messageOf(error) };
      logger.warn('an ended container was not cleared yet; its removal will', facts);
    });
  }
}

import { constants } from 'node:os';
import { type Clock, deadline } from '@wherry/clock';
import type { MonitorClient } from '@wherry/monitor-api';
import { MonitorError } from '@wherry/monitor-api';
import type { Container } from './container-record.ts';
import { type ContainerStore, hasEnded } from './container-store.ts';

const msPerSecond = 1000;
/** Longest wait that a timer can hold; a grace period beyond it is as good as endless. */
const timerMsMax = 2 ** 31 - 1;

/** Ends containers: the stop signal once, then SIGKILL when the first caller's patience ends. */
export class Stopper {
  readonly #store: ContainerStore;
  readonly #monitor: MonitorClient;
  readonly #clock: Clock;
  /** Containers that have been asked to end, or are being asked: a signal that was not delivered asks nobody. */
  readonly #asked = new Map<string, Promise<void>>();

  constructor(options: { store: ContainerStore; monitor: MonitorClient; clock: Clock }) {
    this.#store = options.store;
    this.#monitor = options.monitor;
    this.#clock = options.clock;
  }

  /**
   * Resolves when the container has ended. Each call waits its own time, so a second one with a shorter timeout kills
   * earlier. Rejects with the signal's reason; the container then goes on ending.
   */
  async stop(container: Container, timeoutS: number, signal?: AbortSignal): Promise<void> {
    if (container.state === 'created' || hasEnded(container)) return;
    try {
      if (timeoutS > 0 && (await this.#ask(container, timeoutS, signal))) return;
      await this.#kill(container.id, constants.signals.SIGKILL);
      await this.#store.ended(container.id, signal);
    } finally {
      if (!this.#isRunning(container.id)) this.#asked.delete(container.id);
    }
  }

  /** Sends the stop signal and waits; answers whether the container ended in time. */
  async #ask(container: Container, timeoutS: number, signal?: AbortSignal): Promise<boolean> {
    const { id } = container;
    await this.#askOnce(id, container.stopSignal);
    const timeoutMs = Math.min(timeoutS * msPerSecond, timerMsMax);
    using patience = deadline({ clock: this.#clock, timeoutMs, signal });
    try {
      await this.#store.ended(id, patience.signal);
      return true;
    } catch (error) {
      if (signal?.aborted || !patience.signal.aborted) throw error;
      return false;
    }
  }

  #askOnce(id: string, signal: number): Promise<void> {
    const asked = this.#asked.get(id) ?? this.#kill(id, signal);
    this.#asked.set(id, asked);
    asked.catch(() => this.#asked.delete(id));
    return asked;
  }

  /** A container that has ended meanwhile is fine. */
  async #kill(id: string, signal: number): Promise<void> {
    try {
      await this.#monitor.call('container.kill', { id, signal });
    } catch (error) {
      const isGone =
        error instanceof MonitorError && ['NOT_FOUND', 'FAILED_PRECONDITION'].includes(error.code);
      if (!isGone) throw error;
    }
  }

  #isRunning(id: string): boolean {
    return this.#store.get(id)?.state === 'running';
  }
}

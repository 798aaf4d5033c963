import { type Clock, sleep } from '@wherry/clock';
import { ContainerEventType, type CriClient } from '@wherry/cri';
import type { Logger } from '@wherry/telemetry';
import {
  eventStreamProvenMs,
  eventStreamRetryMs,
  relistMs,
  relistUnhealthyMs,
  relistWithEventsMs,
} from '../limits.ts';
import { containerLabels } from '../pod/labels.ts';
import { millisecondsOf } from './pod-record.ts';
import { changedPods, isLivePod, type RuntimeSnapshot, runtimeSnapshot } from './runtime-snapshot.ts';

/** What the generator is made of. */
export interface LifecycleEventsOptions {
  runtime: CriClient['runtime'];
  clock: Clock;
  logger: Logger;
  /** Something about this pod's containers or sandboxes changed, at the given wall-clock time if that is known. */
  onPodChanged(uid: string, changedAtMs?: number): void;
  /** How long a full list took, and how long after the one before it began. */
  onMeasured?(durationMs: number, intervalMs: number | undefined): void;
  /** What happens to the stream of events. */
  stream?: EventStreamFigures;
  /** A list of the whole runtime is done. */
  onRelisted(snapshot: RuntimeSnapshot): void;
}

/** What is counted of the stream of events. */
export interface EventStreamFigures {
  /** The runtime was asked for events. */
  opened(): void;
  /** The stream broke, or there is none. */
  failed(): void;
  /** An event came so long after what it tells of. */
  told(lateMs: number): void;
}

/**
 * Tells which pods changed in the runtime: at once by the CRI event stream where the runtime has one, and by comparing
 * full lists beside it, every second while the stream is down.
 */
export class LifecycleEvents {
  readonly #options: LifecycleEventsOptions;
  readonly #abort = new AbortController();
  #snapshot: RuntimeSnapshot = new Map();
  #isStreaming = false;
  #listedMs: number | undefined;
  #beganMs: number | undefined;

  constructor(options: LifecycleEventsOptions) {
    this.#options = options;
  }

  /** Begins to follow the runtime; resolves when it was listed once. */
  async start(): Promise<void> {
    void this.#streamForever();
    await this.relist().catch(() => {});
    void this.#listForever();
  }

  close(): void {
    this.#abort.abort(new Error('the kubelet is stopping'));
  }

  /** Why pods can't be followed at present; undefined when all is well. */
  get problem(): string | undefined {
    if (this.#listedMs === undefined) return 'PLEG is not healthy: pleg has yet to be successful';
    const silentMs = this.#options.clock.monotonicMs() - this.#listedMs;
    if (silentMs < relistUnhealthyMs) return undefined;
    const seconds = Math.round(silentMs / 1_000);
    return `PLEG is not healthy: pleg was last seen active ${seconds}s ago; threshold is ${relistUnhealthyMs / 60_000}m0s`;
  }

  /** Whether the runtime was listed at least once. */
  get hasListed(): boolean {
    return this.#listedMs !== undefined;
  }

  /** What the runtime held at the last list. */
  get snapshot(): RuntimeSnapshot {
    return this.#snapshot;
  }

  /** Whether the last list shows something of the pod that is not over; true before there was one. */
  isLive(uid: string): boolean {
    return !this.hasListed || isLivePod(this.#snapshot.get(uid));
  }

  /** Lists the runtime now. Throws CriError. */
  async relist(): Promise<void> {
    const { runtime, clock, onPodChanged, onRelisted, onMeasured } = this.#options;
    const { signal } = this.#abort;
    const beganMs = clock.monotonicMs();
    const intervalMs = this.#beganMs === undefined ? undefined : beganMs - this.#beganMs;
    this.#beganMs = beganMs;
    const [{ items }, { containers }] = await Promise.all([
      runtime.listPodSandbox({}, { signal }),
      runtime.listContainers({}, { signal }),
    ]);
    const before = this.#snapshot;
    this.#snapshot = runtimeSnapshot(items, containers);
    this.#listedMs = clock.monotonicMs();
    onMeasured?.(this.#listedMs - beganMs, intervalMs);
    for (const uid of changedPods(before, this.#snapshot)) onPodChanged(uid);
    onRelisted(this.#snapshot);
  }

  async #listForever(): Promise<void> {
    const { clock, logger } = this.#options;
    const { signal } = this.#abort;
    while (!signal.aborted) {
      const delayMs = this.#isStreaming ? relistWithEventsMs : relistMs;
      await sleep({ clock, delayMs, signal }).catch(() => {});
      await this.relist().catch((error: unknown) => {
        if (!signal.aborted) logger.warn('listing the container runtime failed', { error });
      });
    }
  }

  async #streamForever(): Promise<void> {
    const { clock, logger } = this.#options;
    const { signal } = this.#abort;
    while (!signal.aborted) {
      try {
        await this.#stream();
      } catch (error) {
        if (!signal.aborted) {
          logger.debug('the runtime sends no events; relying on lists', { error });
          this.#options.stream?.failed();
        }
      }
      this.#isStreaming = false;
      await sleep({ clock, delayMs: eventStreamRetryMs, signal }).catch(() => {});
    }
  }

  async #stream(): Promise<void> {
    const { runtime, clock, onPodChanged, stream } = this.#options;
    const proven = clock.after(eventStreamProvenMs, () => {
      this.#isStreaming = true;
    });
    try {
      const events = runtime.getContainerEvents({}, { signal: this.#abort.signal });
      stream?.opened();
      for await (const event of events) {
        stream?.told(clock.nowMs() - millisecondsOf(event.createdAt));
        if (event.containerEventType === ContainerEventType.CONTAINER_CREATED_EVENT) continue;
        const uid =
          event.podSandboxStatus?.metadata?.uid ??
          event.containersStatuses[0]?.labels[containerLabels.podUid];
        if (uid) onPodChanged(uid, millisecondsOf(event.createdAt));
        else await this.relist();
      }
    } finally {
      proven.cancel();
    }
  }
}

import { orAborted } from '@wherry/bytes';
import { type ContainerConfig, ContainerEventType, encodeMessage, NamespaceMode } from '@wherry/cri';
import { type ContainerStatus, type MonitorClient, MonitorError } from '@wherry/monitor-api';
import {
  type CheckpointSource,
  type CheckpointSources,
  restoreFolders,
} from '../checkpoint/checkpoint-source.ts';
import { messageOf, RuntimeError } from '../errors.ts';
import { podUsers } from '../sandbox/pod-users.ts';
import type { SandboxStore } from '../sandbox/sandbox-store.ts';
import { type OciRuntimes, ociRuntimeOf } from '../spec/runtime-handler.ts';
import { newId } from '../state/id.ts';
import type { NanosecondClock } from '../state/nanosecond-clock.ts';
import { SingleFlight } from '../state/single-flight.ts';
import type { ContainerFactory, Ground } from './container-factory.ts';
import type { ContainerLifecycle, MadeContainer } from './container-lifecycle.ts';
import type { Container } from './container-record.ts';
import { containerNamespaces } from './container-spec.ts';
import { type ContainerStore, containerName } from './container-store.ts';
import type { ContainerTracker } from './container-tracker.ts';
import type { ScopeBounds } from './scope-bounds.ts';
import { Stopper } from './stopper.ts';

/** What a container service works with. */
export interface ContainerServiceOptions {
  store: ContainerStore;
  sandboxes: SandboxStore;
  factory: ContainerFactory;
  checkpoints: CheckpointSources;
  tracker: ContainerTracker;
  monitor: MonitorClient;
  clock: NanosecondClock;
  lifecycle: ContainerLifecycle;
  ociRuntimes: OciRuntimes;
  scopeBounds: ScopeBounds;
  /** Told what happened, after it is in the store. */
  onEvent(container: Container, type: ContainerEventType): void;
  /** Told that nothing of a container is left. */
  onRemoved(id: string): void;
  /** Told that nobody said whether a container was started. */
  onStartUnanswered(id: string): void;
}

/** Codes of a start that failed for good: nothing of it is left. Any other leaves open whether the monitor acted. */
const refusals: ReadonlySet<string> = new Set(['UNKNOWN', 'INTERNAL']);

/** The life of containers. Nothing here holds a lock: state is in the store, and each change is one step. */
export class ContainerService {
  readonly #options: ContainerServiceOptions;
  readonly #stopper: Stopper;
  /** Starts under way; each settles, and never rejects, when its outcome is in the store. */
  readonly #starting = new Map<string, Promise<void>>();
  readonly #removals = new SingleFlight<void>();

  constructor(options: ContainerServiceOptions) {
    this.#options = options;
    this.#stopper = new Stopper(options);
  }

  /**
   * Makes a container; a failure leaves nothing. The same request again answers the same container until that is
   * started: a caller whose deadline passed never learned its id.
   */
  async create(sandboxId: string, config: ContainerConfig): Promise<string> {
    const { store, factory, checkpoints } = this.#options;
    const place = factory.checkPlace(sandboxId, config);
    const source = await checkpoints.find(config.image?.image ?? '');
    if (source && podUsers(place.config))
      throw new RuntimeError(
        'UNIMPLEMENTED',
        `checkpoint "${source.name}": pod sandbox ${place.id} has users of its own (hostUsers: false), where none can be restored`,
      );
    const { sandbox } = source ? { sandbox: place } : factory.check(sandboxId, config);
    const id = newId();
    const name = containerName({ config, sandboxId: sandbox.id });
    const repeated = this.#sameCreated(name, config, sandbox.id);
    if (repeated) return repeated.id;
    return store.names.create(name, id, () => this.#make(id, sandbox.id, { config, source }));
  }

  /** Starts a created container. Throws `RuntimeError` FAILED_PRECONDITION in any other state. */
  async start(id: string): Promise<void> {
    const { store, sandboxes, tracker, checkpoints, lifecycle, scopeBounds } = this.#options;
    const container = store.find(id);
    if (container.state !== 'created' || this.#starting.has(container.id)) {
      const why = `container ${container.id} is ${container.state}, so it cannot be started`;
      throw new RuntimeError('FAILED_PRECONDITION', why);
    }
    if (!sandboxes.find(container.sandboxId).ready) {
      throw new RuntimeError(
        'FAILED_PRECONDITION',
        `pod sandbox ${container.sandboxId} is not ready any more`,
      );
    }
    if (this.#removals.get(container.id))
      throw new RuntimeError('FAILED_PRECONDITION', `container ${container.id} is being removed`);
    const started = this.#startWhenAsked(container).then((status) => tracker.applyStatus(status));
    const settled = started
      .catch(() => {})
      .finally(() => {
        this.#starting.delete(container.id);
      });
    this.#starting.set(container.id, settled);
    await started;
    if (container.isRestored) await checkpoints.clear(store.folder.path(container.id));
    await scopeBounds.keep(container.cgroupsPath);
    if (!lifecycle.isIdle) await lifecycle.started(container);
  }

  /**
   * Ends a container: asks, waits up to `timeoutS`, kills. A start under way is waited for first, so that nothing comes
   * up afterwards. Ended, created and unknown ones are fine.
   */
  async stop(id: string, timeoutS: number, signal?: AbortSignal): Promise<void> {
    const container = await this.#settled(id, signal);
    if (container) await this.#stopper.stop(container, timeoutS, signal);
  }

  /** Removes a container, killing it first when it runs. Unknown ids are fine. The log stays. */
  async remove(id: string): Promise<void> {
    const container = this.#options.store.get(id);
    if (container) await this.#removals.run(container.id, () => this.#remove(container.id));
  }

  /** Kills all containers of a sandbox at once. */
  async stopAll(sandboxId: string): Promise<void> {
    await Promise.all(this.#options.store.ofSandbox(sandboxId).map(({ id }) => this.stop(id, 0)));
  }

  /** Removes all containers of a sandbox. */
  async removeAll(sandboxId: string): Promise<void> {
    await Promise.all(this.#options.store.ofSandbox(sandboxId).map(({ id }) => this.remove(id)));
  }

  /** Clears away what a crash left of a container that has no record. */
  async discard(id: string): Promise<void> {
    await this.#options.tracker.clear(id);
    await this.#options.store.folder.remove(id);
  }

  async #remove(id: string): Promise<void> {
    const { store, tracker, lifecycle, onEvent, onRemoved } = this.#options;
    await this.stop(id, 0);
    await tracker.clear(id);
    const found = store.get(id);
    if (found && !lifecycle.isIdle) await lifecycle.removed(found);
    const current = store.get(id);
    if (!current) return;
    const removed = store.remove(current);
    // Told once it is in no list any more, the event's own list of the pod's containers among them.
    onEvent(current, ContainerEventType.CONTAINER_DELETED_EVENT);
    await removed;
    onRemoved(id);
  }

  /**
   * A container as it is once no start of it is under way. Whether one that counts as created really has no process only
   * the monitor knows: the answer to its start may have been lost.
   */
  async #settled(id: string, signal?: AbortSignal): Promise<Container | undefined> {
    const { store, monitor, tracker } = this.#options;
    const found = store.get(id);
    if (!found) return undefined;
    await orAborted(this.#starting.get(found.id) ?? Promise.resolve(), signal);
    if (store.get(found.id)?.state !== 'created') return store.get(found.id);
    try {
      tracker.applyStatus(await monitor.call('container.status', { id: found.id }));
    } catch (error) {
      if (!(error instanceof MonitorError && error.code === 'NOT_FOUND')) throw error;
    }
    return store.get(found.id);
  }

  #sameCreated(name: string, config: ContainerConfig, sandboxId: string): Container | undefined {
    const bytes = Buffer.from(encodeMessage('ContainerConfig', config));
    return this.#options.store
      .ofSandbox(sandboxId)
      .find(
        (container) =>
          container.state === 'created' &&
          containerName(container) === name &&
          bytes.equals(encodeMessage('ContainerConfig', container.config)),
      );
  }

  async #make(
    id: string,
    sandboxId: string,
    { config, source }: { config: ContainerConfig; source: CheckpointSource | undefined },
  ): Promise<void> {
    const { store, factory, checkpoints, clock, lifecycle, onEvent } = this.#options;
    const isRestored = source !== undefined;
    let ground: Ground | undefined;
    let adjusted: MadeContainer | undefined;
    try {
      const restored = source && (await checkpoints.unpack(source, store.folder.make(id)));
      const { image, sandbox: host } = factory.check(sandboxId, config, restored);
      ground = await factory.prepare({ id, image, config, sandbox: host, isRestored });
      using _hold = await lifecycle.hold();
      // The sandbox may have been stopped meanwhile; from here on nothing comes between.
      const { sandbox } = factory.check(sandboxId, config, restored);
      const made = factory.make({ id, createdAtNs: clock.now(), sandbox, image, config, ground, isRestored });
      if (!lifecycle.isIdle) {
        adjusted = made;
        adjusted = await lifecycle.adjust(made, sandbox);
        // The more so after plug-ins were asked.
        factory.check(sandboxId, config, restored);
      }
      factory.write(adjusted ?? made);
      if (restored) {
        await checkpoints.placeLog(store.folder.path(id), made.container.logPath);
        factory.check(sandboxId, config, restored);
      }
      const { container } = adjusted ?? made;
      store.put(container);
      onEvent(container, ContainerEventType.CONTAINER_CREATED_EVENT);
      adjusted = undefined;
      if (!lifecycle.isIdle) await lifecycle.created(container);
    } catch (error) {
      const pod = this.#options.sandboxes.get(sandboxId);
      if (adjusted && pod) await lifecycle.undone(adjusted, pod);
      factory.abandon(id);
      await store.folder.remove(id);
      throw error;
    } finally {
      ground?.release();
    }
  }

  async #startWhenAsked(container: Container): Promise<ContainerStatus> {
    const { lifecycle, tracker } = this.#options;
    if (!lifecycle.isIdle) {
      try {
        await lifecycle.starting(container);
      } catch (error) {
        tracker.applyStartError(container, messageOf(error));
        throw error;
      }
    }
    return this.#startInMonitor(container);
  }

  async #startInMonitor(container: Container): Promise<ContainerStatus> {
    const { store, monitor, sandboxes, ociRuntimes } = this.#options;
    const { config, id, sandboxId } = container;
    const sandbox = sandboxes.find(sandboxId);
    const { pid } = containerNamespaces(config, sandbox);
    const ociRuntime = ociRuntimeOf(ociRuntimes, sandbox.runtimeHandler);
    try {
      return await monitor.call('container.create', {
        id,
        sandboxId,
        bundle: store.folder.path(id),
        terminal: config.tty,
        stdin: config.stdin,
        stdinOnce: config.stdinOnce,
        logPath: container.logPath === '' ? null : container.logPath,
        killLeftovers: pid !== NamespaceMode.CONTAINER,
        start: true,
        ...(ociRuntime !== undefined && { ociRuntime }),
        ...(container.isRestored && { checkpoint: restoreFolders(store.folder.path(id)) }),
      });
    } catch (error) {
      if (!(error instanceof MonitorError)) throw error;
      if (refusals.has(error.code)) await this.#notStarted(container, error.message);
      if (error.code !== 'UNAVAILABLE') throw error;
      return this.#startedMeanwhile(id, error);
    }
  }

  async #notStarted(container: Container, message: string): Promise<void> {
    const { store, tracker, checkpoints } = this.#options;
    tracker.applyStartError(container, message);
    if (container.isRestored) await checkpoints.clear(store.folder.path(container.id));
  }

  /** What became of a start whose answer was lost, as the next monitor says. Throws `lost` when it was none. */
  async #startedMeanwhile(id: string, lost: MonitorError): Promise<ContainerStatus> {
    const { monitor, onStartUnanswered } = this.#options;
    onStartUnanswered(id);
    try {
      return await monitor.call('container.status', { id });
    } catch (error) {
      throw error instanceof MonitorError ? lost : error;
    }
  }
}

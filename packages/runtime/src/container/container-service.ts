import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type ContainerConfig,
  ContainerEventType,
  encodeMessage,
  type LinuxContainerResources,
  NamespaceMode,
} from '@wherry/cri';
import type { ContainerStatus, MonitorClient } from '@wherry/monitor-api';
import type { Logger } from '@wherry/telemetry';
import { hasErrno, messageOf, RuntimeError } from '../errors.ts';
import type { SandboxStore } from '../sandbox/sandbox-store.ts';
import { containerNamespaces } from '../spec/container-spec.ts';
import type { MachineAbilities } from '../spec/machine.ts';
import type { OciSpec } from '../spec/oci-spec.ts';
import { mergeResources, ociResources } from '../spec/resources.ts';
import { newId } from '../state/id.ts';
import { SingleFlight } from '../state/single-flight.ts';
import type { NanosecondClock } from '../state/wall-clock.ts';
import { bundleFile, type ContainerFactory } from './container-factory.ts';
import type { Container } from './container-record.ts';
import { type ContainerStore, containerName, hasEnded } from './container-store.ts';
import { fromMonitor } from './monitor-errors.ts';
import { unmountOverlay } from './overlay.ts';
import { Stopper } from './stopper.ts';

/** What a container service works with. */
export interface ContainerServiceOptions {
  store: ContainerStore;
  sandboxes: SandboxStore;
  factory: ContainerFactory;
  monitor: MonitorClient;
  machine: MachineAbilities;
  clock: NanosecondClock;
  logger: Logger;
  /** Told what happened, after it is in the store. */
  onEvent(container: Container, type: ContainerEventType): void;
  /** Told that nothing of a container is left. */
  onRemoved(id: string): void;
}

/** What containerd answers for a container that could not be started; clients know it. */
const startError = { exitCode: 128, reason: 'StartError' } as const;

/** The life of containers. Nothing here holds a lock: state is in the store, and each change is one step. */
export class ContainerService {
  readonly #options: ContainerServiceOptions;
  readonly #stopper: Stopper;
  readonly #starting = new Set<string>();
  readonly #clears = new SingleFlight<void>();

  constructor(options: ContainerServiceOptions) {
    this.#options = options;
    this.#stopper = new Stopper(options);
  }

  /**
   * Makes a container; a failure leaves nothing. The same request again answers the same container until that is
   * started: a caller whose deadline passed never learned its id.
   */
  async create(sandboxId: string, config: ContainerConfig): Promise<string> {
    const { store, factory } = this.#options;
    const { sandbox } = factory.check(sandboxId, config);
    const id = newId();
    const name = containerName({ config, sandboxId: sandbox.id });
    const repeated = this.#sameCreated(name, config, sandbox.id);
    if (repeated) return repeated.id;
    return store.names.create(name, id, () => this.#make(id, sandbox.id, config));
  }

  /** Starts a created container. Throws `RuntimeError` wrongState in any other state. */
  async start(id: string): Promise<void> {
    const container = this.#options.store.find(id);
    if (container.state !== 'created' || this.#starting.has(container.id)) {
      throw new RuntimeError(
        'wrongState',
        `container ${container.id} is ${container.state}, so it cannot be started`,
      );
    }
    if (!this.#options.sandboxes.find(container.sandboxId).ready) {
      throw new RuntimeError('wrongState', `pod sandbox ${container.sandboxId} is not ready any more`);
    }
    this.#starting.add(container.id);
    try {
      this.applyStatus(await this.#startInMonitor(container));
    } finally {
      this.#starting.delete(container.id);
    }
  }

  /** Ends a container: asks, waits up to `timeoutS`, kills. Ended, created and unknown ones are fine. */
  async stop(id: string, timeoutS: number, signal?: AbortSignal): Promise<void> {
    const container = this.#options.store.get(id);
    if (container) await this.#stopper.stop(container, timeoutS, signal);
  }

  /** Removes a container, killing it first when it runs. Unknown ids are fine. The log stays. */
  async remove(id: string): Promise<void> {
    const { store, onEvent } = this.#options;
    const container = store.get(id);
    if (!container) return;
    await this.#stopper.stop(container, 0);
    await this.#clear(container.id);
    const current = store.get(container.id);
    if (!current) return;
    onEvent(current, ContainerEventType.CONTAINER_DELETED_EVENT);
    await store.remove(current);
    this.#options.onRemoved(current.id);
  }

  /** Kills all containers of a sandbox at once. */
  async stopAll(sandboxId: string): Promise<void> {
    await Promise.all(this.#options.store.ofSandbox(sandboxId).map(({ id }) => this.stop(id, 0)));
  }

  /** Removes all containers of a sandbox. */
  async removeAll(sandboxId: string): Promise<void> {
    await Promise.all(this.#options.store.ofSandbox(sandboxId).map(({ id }) => this.remove(id)));
  }

  /** Changes limits: live when it runs, in its configuration when it has not started. All or nothing. */
  async update(id: string, change: LinuxContainerResources): Promise<void> {
    const { store, monitor, machine } = this.#options;
    const container = store.find(id);
    if (hasEnded(container)) throw new RuntimeError('wrongState', `container ${container.id} has ended`);
    const resources = ociResources(change, machine.cgroups);
    if (container.state === 'running') {
      await monitor.call('container.update', { id: container.id, resources }).catch((error) => {
        throw fromMonitor(error);
      });
    } else await this.#rewriteBundle(container, resources);
    store.update(container.id, { resources: mergeResources(container.resources, change) });
  }

  /** Takes over what the monitor says of a container: it started, it ended. Repeats change nothing. */
  applyStatus(status: ContainerStatus): void {
    const { store, onEvent } = this.#options;
    const container = store.get(status.id);
    if (!container || hasEnded(container)) return;
    if (container.state === 'created' && status.startedAtNs > 0n) {
      const started = store.update(status.id, {
        state: 'running',
        startedAtNs: status.startedAtNs,
        pid: status.pid,
      });
      if (started) onEvent(started, ContainerEventType.CONTAINER_STARTED_EVENT);
    }
    if (status.state === 'exited' || status.state === 'unknown') this.#end(status);
  }

  /** What only the monitor could know is lost: the container ended, nobody saw how. */
  applyLoss(container: Container, message: string): void {
    const ended = this.#options.store.update(container.id, {
      state: 'exited',
      finishedAtNs: this.#options.clock.now(),
      exitCode: 255,
      reason: 'Unknown',
      message,
    });
    if (ended) this.#afterEnd(ended);
  }

  /** Clears away what a crash left of a container that has no record. */
  async discard(id: string): Promise<void> {
    const { store, monitor } = this.#options;
    await monitor.call('container.delete', { id, force: true }).catch(() => {});
    unmountOverlay(store.folder.path(id));
    await store.folder.remove(id);
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

  async #make(id: string, sandboxId: string, config: ContainerConfig): Promise<void> {
    const { store, factory, clock, onEvent } = this.#options;
    try {
      const { sandbox, image } = factory.check(sandboxId, config);
      const container = factory.make({ id, createdAtNs: clock.now(), sandbox, image, config });
      store.put(container);
      onEvent(container, ContainerEventType.CONTAINER_CREATED_EVENT);
    } catch (error) {
      unmountOverlay(store.folder.path(id));
      await store.folder.remove(id);
      throw error;
    }
  }

  async #startInMonitor(container: Container): Promise<ContainerStatus> {
    const { store, monitor, sandboxes } = this.#options;
    const { config, id, sandboxId } = container;
    const { pid } = containerNamespaces(config, sandboxes.find(sandboxId));
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
      });
    } catch (error) {
      const failure = fromMonitor(error) as RuntimeError;
      if (failure.code === 'failed') this.#failStart(container, failure.message);
      throw failure;
    }
  }

  #failStart(container: Container, message: string): void {
    const now = this.#options.clock.now();
    const ended = this.#options.store.update(container.id, {
      ...startError,
      state: 'exited',
      startedAtNs: now,
      finishedAtNs: now,
      message,
    });
    if (ended) this.#afterEnd(ended);
  }

  #end(status: ContainerStatus): void {
    const ended = this.#options.store.update(status.id, {
      state: 'exited',
      startedAtNs: status.startedAtNs,
      finishedAtNs: status.finishedAtNs,
      exitCode: status.exitCode,
      reason: status.reason,
      message: status.message,
    });
    if (ended) this.#afterEnd(ended);
  }

  /** What an ended container no longer needs goes at once; the writable layer stays until removal. */
  #afterEnd(container: Container): void {
    const { logger, onEvent } = this.#options;
    onEvent(container, ContainerEventType.CONTAINER_STOPPED_EVENT);
    this.#clear(container.id).catch((error) => {
      const facts = { container: container.id, error: messageOf(error) };
      logger.warn('an ended container was not cleared yet; its removal will', facts);
    });
  }

  /** Removes the OCI runtime's remainders and the mount, one attempt at a time. */
  #clear(id: string): Promise<void> {
    return this.#clears.run(id, async () => {
      const { store, monitor } = this.#options;
      const neverStarted = store.get(id)?.state === 'created' && !this.#starting.has(id);
      if (!neverStarted) {
        await monitor.call('container.delete', { id, force: true }).catch((error) => {
          throw fromMonitor(error);
        });
      }
      unmountOverlay(store.folder.path(id));
    });
  }

  async #rewriteBundle(container: Container, resources: OciSpec['linux']['resources']): Promise<void> {
    const path = join(this.#options.store.folder.path(container.id), bundleFile);
    try {
      const spec = JSON.parse(await readFile(path, 'utf8')) as OciSpec;
      const { devices, ...before } = spec.linux.resources;
      spec.linux.resources = {
        devices,
        ...before,
        ...resources,
        cpu: { ...before.cpu, ...resources.cpu },
        memory: { ...before.memory, ...resources.memory },
      };
      await writeFile(path, JSON.stringify(spec));
    } catch (error) {
      if (!hasErrno(error, 'ENOENT')) throw error;
      throw new RuntimeError('notFound', `container ${container.id} was removed meanwhile`, { cause: error });
    }
  }
}

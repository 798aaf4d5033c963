import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, isAbsolute, join } from 'node:path';
import { DeadlineError, deadline } from '@wherry/clock';
import type { ImageStore } from '@wherry/images';
import { type MonitorClient, MonitorError } from '@wherry/monitor-api';
import { toContainerStatus } from '../../answers/messages.ts';
import { checkpointFiles } from '../../checkpoint/checkpoint-files.ts';
import { copyLog } from '../../checkpoint/log-copy.ts';
import type { Container } from '../../container/container-record.ts';
import type { ContainerStore } from '../../container/container-store.ts';
import { RuntimeError } from '../../errors.ts';
import { podUsers } from '../../sandbox/pod-users.ts';
import type { SandboxStore } from '../../sandbox/sandbox-store.ts';
import { type OciRuntimes, ociRuntimeOf } from '../../spec/runtime-handler.ts';
import type { NanosecondClock } from '../../state/nanosecond-clock.ts';
import { overlayParts } from '../../volumes/overlay.ts';
import { checkpointDocuments } from './documents.ts';
import { packIntoFile, packRootDiff } from './write-archive.ts';

/** What checkpoints are made with. */
export interface CheckpointServiceOptions {
  containers: ContainerStore;
  sandboxes: SandboxStore;
  images: ImageStore;
  monitor: MonitorClient;
  ociRuntimes: OciRuntimes;
  clock: NanosecondClock;
}

/** What is asked for. */
export interface CheckpointRequest {
  containerId: string;
  /** Absolute path of the archive; its folder must exist. */
  location: string;
  /** 0: as long as it takes. */
  timeoutS: number;
}

/** In the container's folder, while it is made. */
const folderName = 'checkpoint';

/** Writes containers' state to archives: their processes as CRIU sees them, what they wrote, and what they are. */
export class CheckpointService {
  readonly #options: CheckpointServiceOptions;
  readonly #underway = new Set<string>();

  constructor(options: CheckpointServiceOptions) {
    this.#options = options;
  }

  /**
   * Makes a checkpoint; the container stands still meanwhile, and goes on. A failure leaves no archive. Throws `RuntimeError`
   * FAILED_PRECONDITION for a container that does not run, or is being checkpointed.
   */
  async checkpoint(
    { containerId, location, timeoutS }: CheckpointRequest,
    signal: AbortSignal,
  ): Promise<void> {
    const container = this.#checkpointable(containerId);
    if (!isAbsolute(location))
      throw new RuntimeError(
        'INVALID_ARGUMENT',
        `location "${location}" of a checkpoint: want an absolute path`,
      );
    const { containers, clock } = this.#options;
    const folder = containers.folder.path(container.id, folderName);
    this.#underway.add(container.id);
    const timeoutMs = timeoutS > 0 ? timeoutS * 1_000 : Number.POSITIVE_INFINITY;
    using limit = timeoutS > 0 ? deadline({ clock, timeoutMs, signal }) : undefined;
    const until = limit?.signal ?? signal;
    try {
      await rm(folder, { recursive: true, force: true });
      const content = await this.#collect(container, folder, until);
      await packIntoFile(content, location, until);
    } catch (error) {
      throw explained(until.aborted ? until.reason : error, container.id, timeoutS);
    } finally {
      await rm(folder, { recursive: true, force: true });
      this.#underway.delete(container.id);
    }
  }

  #checkpointable(id: string): Container {
    const { containers, sandboxes } = this.#options;
    const container = containers.find(id);
    if (container.state !== 'running')
      throw new RuntimeError(
        'FAILED_PRECONDITION',
        `container "${container.id}" is in CONTAINER_${container.state.toUpperCase()} state. only CONTAINER_RUNNING containers can be checkpointed`,
      );
    if (podUsers(sandboxes.find(container.sandboxId).config))
      throw new RuntimeError(
        'UNIMPLEMENTED',
        `container "${container.id}" has users of its own (hostUsers: false): such ones can't be checkpointed`,
      );
    if (this.#underway.has(container.id))
      throw new RuntimeError(
        'FAILED_PRECONDITION',
        `container "${container.id}" is being checkpointed already`,
      );
    return container;
  }

  /** Answers the folder that becomes the archive. */
  async #collect(container: Container, folder: string, signal: AbortSignal): Promise<string> {
    const content = join(folder, 'content');
    const workPath = join(folder, 'work');
    const imagePath = join(content, checkpointFiles.images);
    for (const path of [imagePath, workPath]) await mkdir(path, { recursive: true, mode: 0o700 });
    await this.#standingStill(container.id, { imagePath, workPath }, signal, async () => {
      const upper = this.#options.containers.folder.path(container.id, overlayParts.upper);
      await packRootDiff(upper, join(content, checkpointFiles.rootDiff), signal);
      if (container.logPath !== '')
        await copyLog(container.logPath, join(content, checkpointFiles.log), signal);
    });
    for (const name of [checkpointFiles.dumpLog, checkpointFiles.statistics])
      await rename(join(workPath, name), join(content, name));
    for (const [name, text] of await this.#documents(container))
      await writeFile(join(content, name), text, { mode: 0o600 });
    return content;
  }

  /** Has the monitor write the processes' state; `meanwhile` runs before they go on. */
  async #standingStill(
    id: string,
    folders: { imagePath: string; workPath: string },
    signal: AbortSignal,
    meanwhile: () => Promise<void>,
  ): Promise<void> {
    const { monitor } = this.#options;
    const { promise: written, resolve } = Promise.withResolvers<void>();
    const leaving = new AbortController();
    const call = monitor.call(
      'container.checkpoint',
      { id, ...folders },
      { signal: AbortSignal.any([signal, leaving.signal]), notice: () => resolve() },
    );
    try {
      await Promise.race([written, call]);
      await meanwhile();
      await monitor.call('container.resume', { id }, { signal });
      await call;
    } catch (error) {
      leaving.abort(error);
      await call.catch(() => {});
      // What is being written is, until it stands still no more.
      await monitor.call('container.resume', { id }).catch(() => {});
      throw error;
    }
  }

  async #documents(container: Container): Promise<Map<string, string>> {
    const { containers, sandboxes, images, monitor, ociRuntimes, clock } = this.#options;
    const sandbox = sandboxes.find(container.sandboxId);
    const program = ociRuntimeOf(ociRuntimes, sandbox.runtimeHandler);
    return checkpointDocuments({
      ...{ container, sandbox },
      status: toContainerStatus(container, images.catalog.get(container.imageId)),
      spec: await containers.specOf(container),
      ociRuntime: basename(program ?? (await monitor.call('version', {})).ociRuntime),
      checkpointedAtMs: clock.nowMs(),
    });
  }
}

function explained(error: unknown, id: string, timeoutS: number): unknown {
  if (error instanceof DeadlineError)
    return new RuntimeError(
      'DEADLINE_EXCEEDED',
      `container "${id}" was not checkpointed within ${timeoutS} s`,
    );
  if (error instanceof MonitorError && error.code === 'UNKNOWN' && !error.message.startsWith('CRIU binary'))
    return new RuntimeError('UNKNOWN', `checkpointing container "${id}" failed: ${error.message}`);
  return error;
}

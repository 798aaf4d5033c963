import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { sleep } from '@wherry/clock';
import { ContainerState } from '@wherry/cri';
import type { Ground } from '../ground/ground.ts';
import { logMonitorMsMin } from '../limits.ts';
import { LogFolder } from './log-folder.ts';
import { stampOf } from './log-segments.ts';

/** Keeps the logs of running containers within their size: renames, asks the runtime for a new file, compresses, deletes. */
export class LogRotator {
  readonly #ground: Ground;
  readonly #abort = new AbortController();
  /** Where each running container's log is: that never changes, and to ask for it costs more than the look at the file. */
  #paths: ReadonlyMap<string, string> = new Map();

  constructor({ ground }: { ground: Ground }) {
    this.#ground = ground;
  }

  start(): void {
    void this.#run();
  }

  close(): void {
    this.#abort.abort(new Error('the kubelet is stopping'));
  }

  async #run(): Promise<void> {
    const { clock, logger, configuration } = this.#ground;
    const { signal } = this.#abort;
    const delayMs = Math.max(logMonitorMsMin, configuration.containerLogMonitorInterval);
    if (configuration.containerLogMaxSize < 0) return;
    while (!signal.aborted) {
      await sleep({ clock, delayMs, signal }).catch(() => {});
      if (signal.aborted) return;
      await this.rotateAll().catch((error: unknown) =>
        logger.warn('container logs could not be rotated', { error }),
      );
    }
  }

  /** Looks at every running container's log once, at as many at once as the configuration allows. */
  async rotateAll(): Promise<void> {
    const { cri, logger, configuration } = this.#ground;
    const filter = { state: { state: ContainerState.CONTAINER_RUNNING } };
    const { containers } = await cri.runtime.listContainers({ filter });
    // One list for all workers: whoever is done takes the next.
    const left = containers.values();
    const paths = new Map<string, string>();
    const work = async () => {
      for (const { id } of left)
        try {
          const path = this.#paths.get(id) ?? (await this.#pathOf(id));
          if (path === '') continue;
          paths.set(id, path);
          await this.#rotate(id, path);
        } catch (error) {
          logger.debug('a log could not be rotated', { container: id, error });
        }
    };
    await Promise.all(Array.from({ length: configuration.containerLogMaxWorkers }, work));
    this.#paths = paths;
  }

  /** Where the container's log is; empty when it has none. */
  async #pathOf(containerId: string): Promise<string> {
    const { status } = await this.#ground.cri.runtime.containerStatus({ containerId });
    return status?.logPath ?? '';
  }

  async #rotate(containerId: string, path: string): Promise<void> {
    const { runtime } = this.#ground.cri;
    using folder = LogFolder.of(path);
    const name = basename(path);
    const stats = folder.stat(name);
    if (!stats?.isFile()) {
      await runtime.reopenContainerLog({ containerId });
      return;
    }
    if (stats.size < this.#ground.configuration.containerLogMaxSize) return;
    await cleanRotated(folder, name, this.#ground.configuration.containerLogMaxFiles);
    const rotated = `${name}.${stampOf(this.#ground.clock.nowMs())}`;
    folder.rename(name, rotated);
    await runtime.reopenContainerLog({ containerId }).catch(async (error: unknown) => {
      folder.rename(rotated, name);
      throw error;
    });
  }
}

/** Leaves room for the file about to be rotated: deletes leftovers and the oldest, compresses the rest. */
async function cleanRotated(folder: LogFolder, name: string, filesMax: number): Promise<void> {
  const prefix = `${name}.`;
  const names = folder
    .names()
    .filter((name) => name.startsWith(prefix))
    .sort();
  const leftovers = names.filter((name) => name.endsWith('.tmp') || names.includes(`${name}.gz`));
  const rotated = names.filter((name) => !leftovers.includes(name));
  const surplus = rotated.slice(0, Math.max(0, rotated.length - (filesMax - 2)));
  for (const name of [...leftovers, ...surplus]) folder.remove(name);
  for (const name of rotated.filter((name) => !surplus.includes(name) && !name.endsWith('.gz'))) {
    await compress(folder, name);
  }
}

async function compress(folder: LogFolder, name: string): Promise<void> {
  const work = `${name}.tmp`;
  await using source = await folder.open(name);
  const { mode } = await source.stat();
  await using target = await folder.create(work, mode & 0o7777);
  await pipeline(source.createReadStream(), createGzip(), target.createWriteStream());
  folder.rename(work, `${name}.gz`);
  folder.remove(name);
}

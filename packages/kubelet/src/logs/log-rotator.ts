import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { sleep } from '@wherry/clock';
import { ContainerState } from '@wherry/cri';
import type { Ground } from '../ground.ts';
import { logMonitorMsMin } from '../limits.ts';
import { stampOf } from './log-segments.ts';

/** Keeps the logs of running containers within their size: renames, asks the runtime for a new file, compresses, deletes. */
export class LogRotator {
  readonly #ground: Ground;
  readonly #abort = new AbortController();

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

  /** Looks at every running container's log once. */
  async rotateAll(): Promise<void> {
    const { cri, logger } = this.#ground;
    const filter = { state: { state: ContainerState.CONTAINER_RUNNING } };
    const { containers } = await cri.runtime.listContainers({ filter });
    for (const { id } of containers) {
      await this.#rotate(id).catch((error: unknown) =>
        logger.debug('a log could not be rotated', { container: id, error }),
      );
    }
  }

  async #rotate(containerId: string): Promise<void> {
    const { runtime } = this.#ground.cri;
    const { status } = await runtime.containerStatus({ containerId });
    const path = status?.logPath;
    if (!path || status.state !== ContainerState.CONTAINER_RUNNING) return;
    const stats = await stat(path).catch(() => undefined);
    if (!stats) {
      await runtime.reopenContainerLog({ containerId });
      return;
    }
    if (stats.size < this.#ground.configuration.containerLogMaxSize) return;
    await cleanRotated(path, this.#ground.configuration.containerLogMaxFiles);
    const rotated = `${path}.${stampOf(this.#ground.clock.nowMs())}`;
    await rename(path, rotated);
    await runtime.reopenContainerLog({ containerId }).catch(async (error: unknown) => {
      await rename(rotated, path);
      throw error;
    });
  }
}

/** Leaves room for the file about to be rotated: deletes leftovers and the oldest, compresses the rest. */
async function cleanRotated(path: string, filesMax: number): Promise<void> {
  const folder = dirname(path);
  const prefix = `${basename(path)}.`;
  const names = (await readdir(folder)).filter((name) => name.startsWith(prefix)).sort();
  const leftovers = names.filter((name) => name.endsWith('.tmp') || names.includes(`${name}.gz`));
  const rotated = names.filter((name) => !leftovers.includes(name));
  const surplus = rotated.slice(0, Math.max(0, rotated.length - (filesMax - 2)));
  for (const name of [...leftovers, ...surplus]) await rm(join(folder, name), { force: true });
  for (const name of rotated.filter((name) => !surplus.includes(name) && !name.endsWith('.gz'))) {
    await compress(join(folder, name));
  }
}

async function compress(path: string): Promise<void> {
  const work = `${path}.tmp`;
  const { mode } = await stat(path);
  await pipeline(createReadStream(path), createGzip(), createWriteStream(work, { mode }));
  await rename(work, `${path}.gz`);
  await rm(path);
}

import { basename } from 'node:path';
import type { Clock } from '@wherry/clock';
import {
  type Container,
  ContainerState,
  type CriClient,
  isCriError,
  type PodSandbox,
  PodSandboxState,
} from '@wherry/cri';
import { hasCode, OpenFolder } from '@wherry/linux';
import type { Logger } from '@wherry/telemetry';
import { createdDeadMs } from '../../limits.ts';
import { LogFolder } from '../../logs/log-folder.ts';
import { millisecondsOf } from '../../observation/pod-record.ts';
import { containerLabels } from '../../pod/labels.ts';
import type { LogLinks } from '../container/log-links.ts';

/** What the collector is made of. */
export interface GarbageCollectorOptions {
  runtime: CriClient['runtime'];
  podLogsDir: string;
  links: LogLinks;
  clock: Clock;
  logger: Logger;
}

/**
 * Whether a pod is wanted or still stopping. Asked at the moment of each removal: a pod that came while the clean-up
 * was under way must not lose what was just made for it.
 */
export type IsKept = (uid: string) => boolean;

const newestFirst = (a: { createdAt: bigint }, b: { createdAt: bigint }) =>
  a.createdAt < b.createdAt ? 1 : -1;

/**
 * Removes what ended containers and sandboxes leave behind. Of a pod that is kept, the newest dead container of each
 * name stays (for `logs --previous`), and the newest sandbox; of every other pod nothing does.
 */
export class GarbageCollector {
  readonly #options: GarbageCollectorOptions;

  constructor(options: GarbageCollectorOptions) {
    this.#options = options;
  }

  /** Logs of pods in `logsOf` stay, also of those that are not kept. Throws CriError. */
  async collect(isKept: IsKept, logsOf: IsKept = isKept): Promise<void> {
    const { runtime } = this.#options;
    const [{ items }, { containers }] = await Promise.all([
      runtime.listPodSandbox({}),
      runtime.listContainers({}),
    ]);
    const deadContainers = surplusContainers(containers, isKept, this.#options.clock.nowMs());
    for (const container of deadContainers) await this.#removeContainer(container);
    const gone = new Set(deadContainers.map(({ id }) => id));
    const left = containers.filter(({ id }) => !gone.has(id));
    for (const { id } of surplusSandboxes(items, left, isKept)) {
      await runtime.removePodSandbox({ podSandboxId: id }).catch(ignoreNotFound);
    }
    await this.#removeLogs(logsOf);
    const mayWrite = new Set(
      left.filter(({ state }) => state !== ContainerState.CONTAINER_EXITED).map(({ id }) => id),
    );
    this.#options.links.removeStale((id) => mayWrite.has(id));
  }

  async #removeContainer({ id }: Container): Promise<void> {
    const { runtime } = this.#options;
    const { status } = await runtime
      .containerStatus({ containerId: id })
      .catch(() => ({ status: undefined }));
    await runtime.removeContainer({ containerId: id }).catch(ignoreNotFound);
    if (!status?.logPath) return;
    try {
      using folder = LogFolder.of(status.logPath);
      const stem = basename(status.logPath);
      for (const file of folder.names()) if (file.startsWith(stem)) folder.remove(file);
    } catch (error) {
      if (!hasCode(error, 'ENOENT'))
        this.#options.logger.warn('the log of a removed container stays', { container: id, error });
    }
  }

  /** Log folders are named `<namespace>_<name>_<uid>`. */
  async #removeLogs(isKept: IsKept): Promise<void> {
    const { podLogsDir, logger } = this.#options;
    using logs = OpenFolder.at(podLogsDir);
    for (const folder of logs.names()) {
      const [, , uid] = folder.split('_');
      if (!uid || isKept(uid)) continue;
      await logs
        .removeInTurns(folder)
        .catch((error: unknown) => logger.warn('the logs of a pod that is gone stay', { folder, error }));
    }
  }
}

function isDead({ state, createdAt }: Container, nowMs: number): boolean {
  if (state !== ContainerState.CONTAINER_CREATED) return state === ContainerState.CONTAINER_EXITED;
  return nowMs - millisecondsOf(createdAt) > createdDeadMs;
}

function surplusContainers(containers: readonly Container[], isKept: IsKept, nowMs: number): Container[] {
  const seen = new Set<string>();
  return containers
    .filter((container) => isDead(container, nowMs))
    .sort(newestFirst)
    .filter(({ labels }) => {
      const uid = labels[containerLabels.podUid] ?? '';
      if (!isKept(uid)) return true;
      const key = `${uid}/${labels[containerLabels.containerName]}`;
      const isSurplus = seen.has(key);
      seen.add(key);
      return isSurplus;
    });
}

function surplusSandboxes(
  sandboxes: readonly PodSandbox[],
  containers: readonly Container[],
  isKept: IsKept,
): PodSandbox[] {
  const used = new Set(containers.map(({ podSandboxId }) => podSandboxId));
  const seen = new Set<string>();
  return [...sandboxes].sort(newestFirst).filter(({ id, state, metadata }) => {
    const uid = metadata?.uid ?? '';
    const isNewest = !seen.has(uid);
    seen.add(uid);
    if (state === PodSandboxState.SANDBOX_READY || used.has(id)) return false;
    return !isKept(uid) || !isNewest;
  });
}

function ignoreNotFound(error: unknown): void {
  if (!isCriError(error, 'NOT_FOUND')) throw error;
}

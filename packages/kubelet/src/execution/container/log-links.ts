import { mkdirSync, readdirSync, readlinkSync, statSync, symlinkSync, unlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { hasCode } from '@wherry/linux';
import type { Logger } from '@wherry/telemetry';
import type { NodePaths } from '../../ground/node-paths.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';

/** Longest name of a file. */
const nameBytesMax = 255;
const suffix = '.log';

/**
 * The folder in which log collectors look: `<pod>_<namespace>_<container>-<id>.log`, each a link to the log of one container,
 * as upstream's `/var/log/containers`. What can't be linked is said and harms nothing.
 */
export class LogLinks {
  readonly #paths: NodePaths;
  readonly #logger: Logger;

  constructor(options: { paths: NodePaths; logger: Logger }) {
    this.#paths = options.paths;
    this.#logger = options.logger;
  }

  /** Links the log of a container that was started; `logPath` is below the pod's folder. */
  add(pod: AssignedPod, container: string, { id, logPath }: { id: string; logPath: string }): void {
    const folder = this.#paths.containerLogsDir;
    const { name, namespace } = pod.metadata;
    const link = linkName(`${name}_${namespace}_${container}-${id}`);
    try {
      if (link.includes('/')) throw new Error('a name in it holds a slash');
      mkdirSync(folder, { recursive: true, mode: 0o755 });
      symlinkSync(join(this.#paths.podLogDir(pod), logPath), join(folder, link));
    } catch (error) {
      if (!hasCode(error, 'EEXIST'))
        this.#logger.warn('the log of a container is not linked', { folder, link, error });
    }
  }

  /** Removes this node's links that lead nowhere, but not those of containers that may write again. */
  removeStale(mayWrite: (containerId: string) => boolean): void {
    const folder = this.#paths.containerLogsDir;
    for (const link of namesIn(folder)) {
      const path = join(folder, link);
      try {
        const isOurs = !relative(this.#paths.podLogsDir, readlinkSync(path)).startsWith('..');
        const id = link.slice(link.lastIndexOf('-') + 1, -suffix.length);
        if (isOurs && !leadsSomewhere(path) && !mayWrite(id)) unlinkSync(path);
      } catch (error) {
        // EINVAL: somebody put a file there that is no link.
        if (!hasCode(error, 'ENOENT', 'EINVAL'))
          this.#logger.warn('a link to a log that is gone stays', { path, error });
      }
    }
  }
}

/** The whole of it, cut where it would be too long for a file. */
function linkName(text: string): string {
  return `${Buffer.from(text)
    .subarray(0, nameBytesMax - suffix.length)
    .toString()}${suffix}`;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(suffix));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

const leadsSomewhere = (path: string) => statSync(path, { throwIfNoEntry: false }) !== undefined;

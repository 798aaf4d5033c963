import type { Dirent } from 'node:fs';
import { lstat, mkdir, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, sleep } from '@wherry/clock';
import type { Logger } from '@wherry/telemetry';
import { FailureBackoff } from '../../ground/failure-backoff.ts';
import { plugInBackoff, plugInDepthMax, plugInEntriesMax, plugInPollMs, plugInsMax } from '../../limits.ts';
import { type PlugIn, type PlugInHandler, registerPlugIn } from './registration.ts';

/** What plug-ins are looked for with. */
export interface PlugInWatcherOptions {
  /** Folder of their sockets. */
  folder: string;
  handlers: readonly PlugInHandler[];
  clock: Clock;
  logger: Logger;
}

interface Known {
  /** Another one at the same path is another plug-in. */
  identity: string;
  /** Undefined while it is not registered. */
  registered?: { plugIn: PlugIn; handler: PlugInHandler };
  work: Promise<void> | undefined;
}

/**
 * Follows the sockets of a folder: behind each is a plug-in that wants to be registered, and that is gone with its socket
 * (upstream: pkg/kubelet/pluginmanager).
 */
export class PlugInWatcher {
  readonly #options: PlugInWatcherOptions;
  readonly #abort = new AbortController();
  readonly #backoff: FailureBackoff;
  readonly #known = new Map<string, Known>();

  constructor(options: PlugInWatcherOptions) {
    this.#options = options;
    this.#backoff = new FailureBackoff(options.clock, { ...plugInBackoff, resetMs: 2 * plugInBackoff.maxMs });
  }

  /** The sockets that are there, and whether what is behind each is registered. */
  get sockets(): { path: string; isRegistered: boolean }[] {
    return [...this.#known].map(([path, { registered }]) => ({
      path,
      isRegistered: registered !== undefined,
    }));
  }

  start(): void {
    const { handlers, logger } = this.#options;
    const { signal } = this.#abort;
    for (const { begin, type } of handlers)
      begin?.(signal).catch((error: unknown) => {
        if (!signal.aborted) logger.warn('the cluster could not be told of plug-ins', { type, error });
      });
    void this.#run();
  }

  close(): void {
    this.#abort.abort(new Error('the kubelet is stopping'));
  }

  async #run(): Promise<void> {
    const { clock, logger, folder } = this.#options;
    const { signal } = this.#abort;
    await mkdir(folder, { recursive: true, mode: 0o750 }).catch((error: unknown) =>
      logger.warn('the folder of plug-ins could not be made', { folder, error }),
    );
    while (!signal.aborted) {
      this.#compare(await socketsBelow(folder, this.#known.keys()));
      await sleep({ clock, delayMs: plugInPollMs, signal }).catch(() => {});
    }
  }

  #compare(sockets: ReadonlyMap<string, string>): void {
    for (const [path, known] of this.#known)
      if (!known.work && sockets.get(path) !== known.identity) known.work = this.#deregister(path, known);
    for (const [path, identity] of sockets) {
      const known = this.#known.get(path) ?? { identity, work: undefined };
      if (known.work || known.registered || this.#mustWait(path)) continue;
      this.#known.set(path, known);
      known.work = this.#register(path, known);
    }
  }

  #mustWait(path: string): boolean {
    const failedMs = this.#backoff.updatedMs(path);
    return failedMs !== undefined && this.#backoff.remainingMs(path, failedMs) > 0;
  }

  async #register(path: string, known: Known): Promise<void> {
    const { handlers, logger, clock } = this.#options;
    const { signal } = this.#abort;
    try {
      known.registered = await registerPlugIn(path, handlers, signal);
      this.#backoff.forget(path);
      logger.info('a plug-in registered', { ...known.registered.plugIn, socket: path });
    } catch (error) {
      if (signal.aborted) return;
      this.#backoff.raise(path, clock.nowMs());
      logger.warn('a plug-in could not be registered', { socket: path, error });
    } finally {
      known.work = undefined;
    }
  }

  async #deregister(path: string, { registered }: Known): Promise<void> {
    const { logger } = this.#options;
    try {
      if (registered) {
        await registered.handler.deregister(registered.plugIn, this.#abort.signal);
        logger.info('a plug-in is gone', { name: registered.plugIn.name, socket: path });
      }
    } catch (error) {
      logger.warn('what is told of a plug-in that is gone could not be taken back', { socket: path, error });
    } finally {
      this.#known.delete(path);
      this.#backoff.forget(path);
    }
  }
}

/**
 * Which socket is behind each path below a folder; names that begin with a dot are passed over, and all beyond the bounds, but
 * for those that are known: heaps of files take no plug-in off its node.
 */
async function socketsBelow(top: string, known: Iterable<string>): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const look = async (path: string) => {
    const stats = await lstat(path).catch(() => undefined);
    if (stats?.isSocket()) found.set(path, `${stats.ino} ${stats.ctimeMs}`);
  };
  for (const path of [...known]) await look(path);
  const folders = [{ folder: top, depth: 0 }];
  let seen = 0;
  for (const { folder, depth } of folders)
    for await (const entry of entriesOf(folder)) {
      seen += 1;
      if (seen > plugInEntriesMax || found.size >= plugInsMax) return found;
      const path = join(folder, entry.name);
      if (entry.name.startsWith('.')) continue;
      if (entry.isDirectory() && depth < plugInDepthMax) folders.push({ folder: path, depth: depth + 1 });
      if (entry.isSocket() && !found.has(path)) await look(path);
    }
  return found;
}

/** A folder that can't be read any more has no further entries. */
async function* entriesOf(folder: string): AsyncIterable<Dirent> {
  try {
    yield* await opendir(folder);
  } catch {
    // Whoever made it takes it away.
  }
}

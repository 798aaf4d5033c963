import { type Clock, sleep } from '@wherry/clock';
import type { Logger } from '@wherry/telemetry';
import { kernelLogMs, kernelRecordsMax } from '../../limits.ts';
import { type EventRecorder, nodeEvents } from '../events/recorder.ts';
import type { KernelLog } from './kernel-log.ts';
import { KillFinder } from './kill-finder.ts';

/** What the watcher is made of. */
export interface MemoryKillWatcherOptions {
  /** Throws where the kernel's log may not be read. */
  open(): Pick<KernelLog, 'next'> & Disposable;
  clock: Clock;
  logger: Logger;
  recorder: EventRecorder;
  nodeName: string;
}

/**
 * Tells by an event on the node when the kernel ends processes because the machine has no memory left. What a container's own
 * limit costs is told in that container's status (upstream: pkg/kubelet/oom).
 */
export class MemoryKillWatcher {
  readonly #options: MemoryKillWatcherOptions;
  readonly #abort = new AbortController();

  constructor(options: MemoryKillWatcherOptions) {
    this.#options = options;
  }

  start(): void {
    const { logger } = this.#options;
    const { signal } = this.#abort;
    this.#run(signal).catch((error: unknown) => {
      const message = "the kernel's log can not be read: no events tell of a machine without memory";
      if (!signal.aborted) logger.warn(message, { error });
    });
  }

  close(): void {
    this.#abort.abort(new Error('the kubelet is stopping'));
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { open, clock } = this.#options;
    using log = open();
    const finder = new KillFinder();
    while (!signal.aborted) {
      for (let count = 0; count < kernelRecordsMax; count++) {
        const record = log.next();
        if (record === undefined) break;
        this.#tell(finder, record);
      }
      await sleep({ clock, delayMs: kernelLogMs, signal });
    }
  }

  #tell(finder: KillFinder, record: string): void {
    const { recorder, nodeName } = this.#options;
    const kill = finder.read(record);
    if (!kill?.isOfSystem) return;
    const message = `System OOM encountered, victim process: ${kill.process}, pid: ${kill.pid}`;
    nodeEvents(recorder, nodeName).warn('SystemOOM', message);
  }
}

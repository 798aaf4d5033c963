import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { onAbort } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import { logPollMs } from '../limits.ts';

/** Tells when a file is written, renamed or made anew: by inotify on its folder, and by the clock where that fails. */
export class FileChanges {
  readonly #clock: Clock;
  readonly #watcher: FSWatcher | undefined;
  #count = 0;
  #wake: (() => void) | undefined;

  constructor(path: string, clock: Clock) {
    this.#clock = clock;
    const name = basename(path);
    this.#watcher = openWatcher(dirname(path), (changed) => {
      if (changed !== null && changed !== name) return;
      this.#count += 1;
      this.#wake?.();
    });
  }

  /** Changes seen so far; take it before reading, so that none is missed. */
  get count(): number {
    return this.#count;
  }

  /** Resolves when a change after the `seen`-th has come, or after a second. Rejects with `signal.reason`. */
  after(seen: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#count !== seen) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const settle = () => {
        timer.cancel();
        leave();
        this.#wake = undefined;
      };
      const timer = this.#clock.after(logPollMs, () => this.#wake?.());
      this.#wake = () => {
        settle();
        resolve();
      };
      const leave = onAbort(signal, (reason) => {
        settle();
        reject(reason);
      });
    });
  }

  close(): void {
    this.#watcher?.close();
  }
}

function openWatcher(folder: string, onChange: (name: string | null) => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, { persistent: false }, (_type, name) => onChange(name));
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}

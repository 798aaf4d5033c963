import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
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
        signal.removeEventListener('abort', leave);
        this.#wake = undefined;
      };
      const leave = () => {
        settle();
        reject(signal.reason);
      };
      const timer = this.#clock.after(logPollMs, () => this.#wake?.());
      this.#wake = () => {
        settle();
        resolve();
      };
      signal.addEventListener('abort', leave, { once: true });
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

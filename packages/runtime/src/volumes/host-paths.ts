import { Worker } from 'node:worker_threads';
import { orAborted, SharedWork } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import { cachedRealPath, readMountInfo } from '@wherry/linux';
import { RuntimeError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { HostPathAnswer } from './host-path-thread.ts';

const threadFile = new URL('./host-path-thread.ts', import.meta.url);

/** One thread for the paths of one mount of the machine: when its server is gone, nothing else waits. */
class Lane {
  readonly thread = new Worker(threadFile);
  /** Settles when everything asked so far has been answered. */
  last: Promise<unknown> = Promise.resolve();
  waiting = 0;

  /** `isWanted` is asked once those before have been answered. */
  ask(path: string, isWanted: () => boolean): Promise<string> {
    this.waiting++;
    this.thread.ref();
    const answer = this.last.then(() => {
      if (isWanted()) return this.#ask(path);
      throw new RuntimeError('CANCELLED', `the look-up of "${path}" was given up before it began`);
    });
    this.last = answer.then(
      () => this.#answered(),
      () => this.#answered(),
    );
    return answer;
  }

  #answered(): void {
    if (--this.waiting === 0) this.thread.unref();
  }

  #ask(path: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const ended = () => reject(new RuntimeError('CANCELLED', `the look-up of "${path}" was stopped`));
      this.thread.once('exit', ended);
      this.thread.once('message', (answer: HostPathAnswer) => {
        this.thread.off('exit', ended);
        if ('path' in answer) resolve(answer.path);
        else reject(new RuntimeError('UNKNOWN', `host path "${path}": ${answer.failure}`));
      });
      this.thread.postMessage(path);
    });
  }
}

/**
 * Real paths of the machine's files that containers mount. What the kernel knows is answered at once; anything else is
 * asked for on a thread for its mount, because a file server that is gone lets no look-up return, and this process
 * has others to serve.
 */
export class HostPaths {
  readonly #clock: Clock;
  readonly #patienceMs: number;
  readonly #lanes = new Map<string, Lane>();
  readonly #shared = new SharedWork<string>();
  /** How many wait for each path. */
  readonly #wanted = new Map<string, number>();

  constructor(options: { clock: Clock; patienceMs?: number }) {
    this.#clock = options.clock;
    this.#patienceMs = options.patienceMs ?? limits.hostPathPatienceMs;
  }

  /** How many mounts are being asked and have not answered. */
  get busy(): number {
    return [...this.#lanes.values()].filter((lane) => lane.waiting > 0).length;
  }

  /**
   * The path with its links resolved; what is absent is made as a folder, as container engines do. Rejects with
   * `RuntimeError` UNAVAILABLE when the machine does not answer in time.
   */
  async resolve(path: string): Promise<string> {
    const known = cachedRealPath(path);
    if (known !== undefined) return known;
    const timeout = new AbortController();
    const timer = this.#clock.after(this.#patienceMs, () => {
      const why = `host path "${path}": the machine has not looked it up within ${this.#patienceMs} ms`;
      timeout.abort(new RuntimeError('UNAVAILABLE', `${why}; does a file server not answer?`));
    });
    this.#wanted.set(path, (this.#wanted.get(path) ?? 0) + 1);
    try {
      // Nobody can stop a look-up that hangs: it goes on without a signal, and is joined by who asks again.
      return await orAborted(
        this.#shared.run(path, undefined, () => this.#ask(path)),
        timeout.signal,
      );
    } finally {
      timer.cancel();
      const others = (this.#wanted.get(path) ?? 1) - 1;
      if (others > 0) this.#wanted.set(path, others);
      else this.#wanted.delete(path);
    }
  }

  /** Ends the threads; one that hangs ends with the process. */
  async close(): Promise<void> {
    const idle = [...this.#lanes.values()].filter((lane) => lane.waiting === 0);
    this.#lanes.clear();
    await Promise.all(idle.map((lane) => lane.thread.terminate()));
  }

  async #ask(path: string): Promise<string> {
    const mountPoint = mountPointOf(path);
    // What lies on the root file system may be a link to anywhere: nothing else there waits for it.
    const key = mountPoint === '/' ? path : mountPoint;
    const lane = this.#lanes.get(key) ?? this.#open(key, path);
    try {
      // What was given up meanwhile is left alone: a mount that is gone by then would leave a folder made in its place.
      return await lane.ask(path, () => this.#wanted.has(path));
    } finally {
      this.#clock.after(limits.hostPathThreadIdleMs, () => this.#close(key, lane));
    }
  }

  #open(key: string, path: string): Lane {
    if (this.#lanes.size >= limits.hostPathThreadsMax)
      throw new RuntimeError(
        'UNAVAILABLE',
        `host path "${path}": too many mounts of this machine do not answer`,
      );
    const lane = new Lane();
    this.#lanes.set(key, lane);
    return lane;
  }

  #close(key: string, lane: Lane): void {
    if (lane.waiting > 0 || this.#lanes.get(key) !== lane) return;
    this.#lanes.delete(key);
    void lane.thread.terminate();
  }
}

/** The mount that an absolute path lies on, as far as its text tells. */
function mountPointOf(path: string): string {
  const holds = (mountPoint: string) => path === mountPoint || path.startsWith(`${mountPoint}/`);
  return readMountInfo()
    .map(({ mountPoint }) => mountPoint)
    .filter(holds)
    .reduce((best, mountPoint) => (mountPoint.length > best.length ? mountPoint : best), '/');
}

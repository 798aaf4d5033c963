import { Worker } from 'node:worker_threads';
import { onAbort } from '@wherry/bytes';
import type { Clock, Timer } from '@wherry/clock';
import { ImageError } from '../errors.ts';
import { limits } from '../limits.ts';
import { ParentNeededError } from './layer-writer.ts';
import type { UnpackRequest, UnpackResult } from './unpack.ts';
import type { UnpackAnswer, UnpackJob, UnpackTask } from './unpack-thread.ts';

interface Job extends UnpackJob {
  resolve(result: UnpackResult | undefined): void;
  reject(error: Error): void;
}

const threadFile = new URL('./unpack-thread.ts', import.meta.url);

/** Threads that unpack layers, so that the gRPC server's own thread never waits for a disk. They end when idle. */
export class UnpackPool {
  readonly #clock: Clock;
  readonly #queue: Job[] = [];
  /** Threads with nothing to do, and what ends them. */
  readonly #idle = new Map<Worker, Timer>();
  readonly #threads = new Set<Worker>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Unpacks one layer. Rejects with {@link ParentNeededError}, `ImageError`, or the signal's reason; the folder is
   * nobody's any more by then.
   */
  async unpack(request: UnpackRequest, signal?: AbortSignal): Promise<UnpackResult> {
    return (await this.#perform({ kind: 'unpack', request }, signal)) as UnpackResult;
  }

  /** Removes what has `name` in the folder `parent`, however deep it is. Nothing there is fine. */
  async removeTree(parent: string, name: string): Promise<void> {
    await this.#perform({ kind: 'remove', parent, name });
  }

  /** Copies the folder at `path` below `root` into the new folder `target`, see copy-volume.ts. */
  async copyFolder(root: string, path: string, target: string): Promise<void> {
    await this.#perform({ kind: 'copy', root, path, target });
  }

  /** Ends all threads; what they worked on fails. */
  async close(): Promise<void> {
    for (const job of this.#queue.splice(0))
      job.reject(new ImageError('CANCELLED', 'the image store is closed'));
    await Promise.all([...this.#threads].map((thread) => thread.terminate()));
  }

  async #perform(task: UnpackTask, signal?: AbortSignal): Promise<UnpackResult | undefined> {
    signal?.throwIfAborted();
    const cancelled = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const leave = onAbort(signal, () => Atomics.store(cancelled, 0, 1));
    try {
      return await new Promise((resolve, reject) => {
        this.#queue.push({ task, cancelled, resolve, reject });
        this.#next();
      });
    } catch (error) {
      throw signal?.aborted ? signal.reason : error;
    } finally {
      leave();
    }
  }

  #next(): void {
    if (this.#queue.length === 0) return;
    const thread = this.#takeIdle() ?? this.#start();
    const job = thread && this.#queue.shift();
    if (thread && job) this.#run(thread, job);
  }

  /** The one that worked last, so that the others may end. */
  #takeIdle(): Worker | undefined {
    const thread = [...this.#idle.keys()].at(-1);
    if (thread) this.#leaveIdle(thread);
    return thread;
  }

  #leaveIdle(thread: Worker): void {
    this.#idle.get(thread)?.cancel();
    this.#idle.delete(thread);
  }

  #start(): Worker | undefined {
    if (this.#threads.size >= limits.unpackThreadsMax) return undefined;
    // It closes what it opens; Node's own count would warn of descriptors that openat2(2) gave.
    const thread = new Worker(threadFile, { trackUnmanagedFds: false });
    this.#threads.add(thread);
    thread.once('exit', () => {
      this.#threads.delete(thread);
      this.#leaveIdle(thread);
      // What came while it was ending found no place.
      this.#next();
    });
    return thread;
  }

  #run(thread: Worker, job: Job): void {
    thread.ref();
    const settle = (outcome: () => void, reusable: boolean) => {
      thread.removeAllListeners('message');
      thread.removeAllListeners('error');
      thread.off('exit', onExit);
      outcome();
      if (reusable) this.#rest(thread);
      this.#next();
    };
    const onExit = () =>
      settle(() => job.reject(new ImageError('CANCELLED', 'unpacking was stopped')), false);
    thread.once('exit', onExit);
    thread.once('message', (answer: UnpackAnswer) => settle(() => deliver(job, answer), true));
    thread.once('error', (error) => settle(() => job.reject(asError(error)), false));
    thread.postMessage({ task: job.task, cancelled: job.cancelled } satisfies UnpackJob);
  }

  #rest(thread: Worker): void {
    thread.unref();
    const end = () => {
      this.#leaveIdle(thread);
      void thread.terminate();
    };
    this.#idle.set(thread, this.#clock.after(limits.unpackThreadIdleMs, end));
  }
}

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));

function deliver(job: Job, answer: UnpackAnswer): void {
  if ('result' in answer) {
    job.resolve(answer.result);
    return;
  }
  const { kind, message } = answer.failure;
  job.reject(kind === 'parentNeeded' ? new ParentNeededError(message) : new ImageError(kind, message));
}

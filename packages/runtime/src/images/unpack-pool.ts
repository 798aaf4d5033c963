import { Worker } from 'node:worker_threads';
import { RuntimeError } from '../errors.ts';
import { limits } from '../limits.ts';
import { ParentNeededError } from './layer-writer.ts';
import type { UnpackRequest, UnpackResult } from './unpack.ts';
import type { UnpackAnswer } from './unpack-thread.ts';

interface Job {
  request: UnpackRequest;
  resolve(result: UnpackResult): void;
  reject(error: Error): void;
}

const threadFile = new URL('./unpack-thread.ts', import.meta.url);

/** Threads that unpack layers, so that the gRPC server's own thread never waits for a disk. They end when idle. */
export class UnpackPool {
  readonly #queue: Job[] = [];
  readonly #idle: Worker[] = [];
  readonly #threads = new Set<Worker>();

  /** Unpacks one layer. Rejects with {@link ParentNeededError} or `RuntimeError`. */
  unpack(request: UnpackRequest): Promise<UnpackResult> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ request, resolve, reject });
      this.#next();
    });
  }

  /** Ends all threads; what they worked on fails. */
  async close(): Promise<void> {
    for (const job of this.#queue.splice(0))
      job.reject(new RuntimeError('CANCELLED', 'the image store is closed'));
    await Promise.all([...this.#threads].map((thread) => thread.terminate()));
  }

  #next(): void {
    if (this.#queue.length === 0) return;
    const thread = this.#idle.pop() ?? this.#start();
    const job = thread && this.#queue.shift();
    if (thread && job) this.#run(thread, job);
  }

  #start(): Worker | undefined {
    if (this.#threads.size >= limits.unpackThreadsMax) return undefined;
    const thread = new Worker(threadFile);
    this.#threads.add(thread);
    thread.once('exit', () => this.#threads.delete(thread));
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
      settle(() => job.reject(new RuntimeError('CANCELLED', 'unpacking was stopped')), false);
    thread.once('exit', onExit);
    thread.once('message', (answer: UnpackAnswer) => settle(() => deliver(job, answer), true));
    thread.once('error', (error) => settle(() => job.reject(asError(error)), false));
    thread.postMessage(job.request);
  }

  #rest(thread: Worker): void {
    thread.unref();
    this.#idle.push(thread);
    const timer = setTimeout(() => {
      const index = this.#idle.indexOf(thread);
      if (index < 0) return;
      this.#idle.splice(index, 1);
      void thread.terminate();
    }, limits.unpackThreadIdleMs);
    timer.unref();
  }
}

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));

function deliver(job: Job, answer: UnpackAnswer): void {
  if ('result' in answer) {
    job.resolve(answer.result);
    return;
  }
  const { kind, message } = answer.failure;
  job.reject(kind === 'parentNeeded' ? new ParentNeededError(message) : new RuntimeError(kind, message));
}

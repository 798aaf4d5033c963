import { setTimeout as wait } from 'node:timers/promises';
import { orAborted, type WaitOptions } from '@wherry/bytes';
import { CriError } from '@wherry/cri';
import type {
  PodProvider,
  ProcessIo,
  ProvidedContainer,
  ProvidedProcess,
  ProvidedUsage,
} from '../src/index.ts';

/** A process of a test, which ends when the test says so, or as its signals have it. */
export class MemoryProcess implements ProvidedProcess {
  readonly signals: number[] = [];
  readonly io: ProcessIo;
  readonly #exit = Promise.withResolvers<number>();
  readonly #heeds: readonly number[];

  constructor(io: ProcessIo, heeds: readonly number[]) {
    this.io = io;
    this.#heeds = heeds;
  }

  get exited(): Promise<number> {
    return this.#exit.promise;
  }

  exit(code: number): void {
    this.#exit.resolve(code);
  }

  fail(error: Error): void {
    this.#exit.reject(error);
  }

  signal(number: number): void {
    this.signals.push(number);
    if (this.#heeds.includes(number)) this.exit(128 + number);
  }

  /** What it says of what it takes. */
  answer: () => ProvidedUsage | Promise<ProvidedUsage> = () => ({ cpuNs: 5_000n, memoryBytes: 1_024 });

  usage() {
    return this.answer();
  }
}

/** Pods of a test: images are those whose name begins with `demo`. */
export class MemoryProvider implements PodProvider {
  readonly name = 'memory';
  readonly version = '1';
  readonly processes: MemoryProcess[] = [];
  readonly stopped: string[] = [];
  readonly containers: ProvidedContainer[] = [];
  /** Signals that its processes heed. */
  heeds: readonly number[] = [9, 15];
  startFailure: Error | undefined;
  /** What starts wait for. */
  startsAfter: Promise<void> = Promise.resolve();
  /** What commands wait for. */
  commandsAfter: Promise<void> = Promise.resolve();
  /** Whether a start that is no longer wanted ends. */
  heedsSignals = false;

  async image(name: string) {
    if (!name.startsWith('demo')) throw new CriError('NOT_FOUND', `there is no image "${name}"`);
    return { id: `sha256:${name}`, sizeBytes: 7 };
  }

  async startPod() {
    return { addresses: ['10.0.0.1', 'fd00::1'] };
  }

  async stopPod({ name }: { name: string }) {
    this.stopped.push(name);
  }

  async start(container: ProvidedContainer, io: ProcessIo, { signal }: WaitOptions) {
    await (this.heedsSignals ? orAborted(this.startsAfter, signal) : this.startsAfter);
    if (this.startFailure) throw this.startFailure;
    this.containers.push(container);
    return this.#begin(io);
  }

  async exec(_container: ProvidedContainer, _command: object, io: ProcessIo) {
    await this.commandsAfter;
    return this.#begin(io);
  }

  /** The latest process, once there are so many. */
  async process(count: number): Promise<MemoryProcess> {
    for (;;) {
      const found = this.processes[count - 1];
      if (found) return found;
      await wait(1);
    }
  }

  #begin(io: ProcessIo): MemoryProcess {
    const process = new MemoryProcess(io, this.heeds);
    this.processes.push(process);
    return process;
  }
}

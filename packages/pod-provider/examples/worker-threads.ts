import { existsSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { basename, join } from 'node:path';
import { finished } from 'node:stream/promises';
import { Worker } from 'node:worker_threads';
import { type ByteChannel, fromDuplex, type WaitOptions } from '@wherry/bytes';
import { CriError } from '@wherry/cri';
import type {
  ExecCommand,
  PodProvider,
  ProcessIo,
  ProvidedContainer,
  ProvidedImage,
  ProvidedPod,
  ProvidedProcess,
} from '@wherry/pod-provider';

const signalBase = 128;

/**
 * Pods as threads of this process: an image is the name of a module in a folder, `clock` or `registry.example/clock:1` for
 * `clock.js`, and so is the first word of a command. Pods share the process's network, its files and its fate.
 */
export class WorkerThreads implements PodProvider {
  readonly name = 'worker-threads';
  readonly version = '1.0.0';
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async image(name: string): Promise<ProvidedImage> {
    const id = this.#moduleOf(basename(name).replace(/[:@].*$/, ''));
    return { id, sizeBytes: statSync(id).size };
  }

  async start(container: ProvidedContainer, io: ProcessIo): Promise<ProvidedProcess> {
    const [program, ...more] = container.command;
    const module = program === undefined ? container.image.id : this.#moduleOf(program);
    return startThread(module, [...more, ...container.args], container.environment, io);
  }

  async exec(
    container: ProvidedContainer,
    { command }: ExecCommand,
    io: ProcessIo,
  ): Promise<ProvidedProcess> {
    const [program = '', ...more] = command;
    return startThread(this.#moduleOf(program), more, container.environment, io);
  }

  connect(_pod: ProvidedPod, port: number, { signal }: WaitOptions): Promise<ByteChannel> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', ...(signal && { signal }) });
      socket.once('error', reject).once('connect', () => resolve(fromDuplex(socket)));
    });
  }

  #moduleOf(program: string): string {
    const path = join(this.#folder, `${program}.js`);
    if (/^[a-z][a-z0-9-]*$/.test(program) && existsSync(path)) return path;
    throw new CriError('NOT_FOUND', `there is no module "${program}.js"`);
  }
}

/** Resolves when it runs, from when on it can say what it takes, or has ended. */
async function startThread(
  module: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  { stdin, stdout, stderr }: ProcessIo,
): Promise<ProvidedProcess> {
  const worker = new Worker(module, {
    ...{ argv: [...words], env: { ...environment } },
    ...{ stdin: stdin !== null, stdout: true, stderr: true },
  });
  let signalled: number | undefined;
  worker.stdout.pipe(stdout);
  worker.stderr.pipe(stderr, { end: false });
  if (stdin && worker.stdin) stdin.pipe(worker.stdin);
  worker.on('error', (error) => stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`));
  const exited = new Promise<number>((resolve) => worker.once('exit', resolve)).then(async (code) => {
    await Promise.all([worker.stdout, worker.stderr].map((output) => finished(output).catch(() => {})));
    return signalled === undefined ? code : signalBase + signalled;
  });
  await Promise.race([new Promise((resolve) => worker.once('online', resolve)), exited]);
  return {
    exited,
    // A thread hears no signals: each ends it.
    signal(number) {
      signalled ??= number;
      void worker.terminate();
    },
    async usage() {
      const [{ user, system }, heap] = await Promise.all([worker.cpuUsage(), worker.getHeapStatistics()]);
      // Buffers are outside of the heap.
      const memoryBytes = heap.total_heap_size + heap.malloced_memory + heap.external_memory;
      return { cpuNs: BigInt(user + system) * 1_000n, memoryBytes };
    },
  };
}

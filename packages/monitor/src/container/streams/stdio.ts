import { constants, openSync } from 'node:fs';
import { join } from 'node:path';
import type { ByteSink } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import type { LogStream } from '@wherry/cri/log';
import {
  closeDescriptor,
  makeFifo,
  type Poller,
  setNonBlocking,
  setPipeCapacity,
  setTerminalSize,
  type TerminalSize,
} from '@wherry/linux';
import { type CreateContainerRequest, MonitorError } from '@wherry/monitor-api';
import { DescriptorSink } from '../../io/descriptor-sink.ts';
import { limits } from '../../limits.ts';
import { LogJournal } from '../../log/journal.ts';
import { LogFile } from '../../log/log-file.ts';
import { OutputPump } from '../../log/output-pump.ts';
import type { ScratchPipe } from '../../log/scratch-pipe.ts';
import { Staging } from '../../log/staging.ts';
import { Attachments } from './attachments.ts';

/** What a container's streams are made of. */
export interface StdioOptions {
  /** The container's own folder. */
  folder: string;
  request: CreateContainerRequest;
  poller: Poller;
  clock: Clock;
  scratch: ScratchPipe;
  /** See {@link Attachments}. */
  attachPatienceMs: number;
  onLogError: (error: unknown) => void;
}

/** Any user inside may open its own /dev/stdout again; outside, the folder keeps others away. */
const outputMode = 0o666;

function streamsOf({ terminal }: CreateContainerRequest): LogStream[] {
  return terminal ? ['stdout'] : ['stdout', 'stderr'];
}

/**
 * Opens what a container's keeper holds: reading ends of its outputs (without a reader it would get SIGPIPE, and what it
 * wrote last would go with it), and what is between its outputs and its log. The caller's to close.
 */
export function openHeld(folder: string, request: CreateContainerRequest): number[] {
  return streamsOf(request).flatMap((stream) => {
    const staging = openSync(join(folder, `${stream}.staging`), constants.O_RDWR | constants.O_NONBLOCK);
    if (request.terminal) return [staging];
    return [staging, openSync(join(folder, stream), constants.O_RDONLY | constants.O_NONBLOCK)];
  });
}

/** Paths of the FIFOs that are the container's stdin, stdout and stderr; null for a stream that is none. */
export function fifosOf(folder: string, { terminal, stdin }: CreateContainerRequest): (string | null)[] {
  if (terminal) return [];
  return [stdin ? join(folder, 'stdin') : null, join(folder, 'stdout'), join(folder, 'stderr')];
}

/** Makes a new container's FIFOs in its folder. */
export function makeFifos(folder: string, request: CreateContainerRequest): void {
  for (const stream of streamsOf(request)) {
    makeFifo(join(folder, `${stream}.staging`));
    if (!request.terminal) makeFifo(join(folder, stream), outputMode);
  }
  if (request.stdin && !request.terminal) makeFifo(join(folder, 'stdin'), outputMode);
}

/** The streams of one container's first process: FIFOs or a terminal, its log, and the clients attached to it. */
export class ContainerStdio {
  readonly attachments: Attachments;
  readonly #options: StdioOptions;
  readonly #log: LogFile | null;
  readonly #journal: LogJournal;
  readonly #pumps: OutputPump[] = [];
  readonly #sources: number[] = [];
  readonly #waiting: [LogStream, number][] = [];
  readonly #stagings: Staging[] = [];
  #stdin: DescriptorSink | null = null;
  #stdinDescriptor: number | null = null;
  #terminal: number | null = null;

  constructor(options: StdioOptions) {
    const { folder, request, clock, onLogError } = options;
    this.#options = options;
    this.attachments = new Attachments(clock, options.attachPatienceMs);
    this.#log =
      request.logPath === null ? null : new LogFile(request.logPath, { clock, onError: onLogError });
    this.#journal = new LogJournal(join(folder, 'log.journal'));
  }

  /** Log writes that failed so far. */
  get logWriteErrors(): number {
    return this.#log?.writeErrors ?? 0;
  }

  /** Bytes of output that the log misses so far. */
  get lostLogBytes(): number {
    return this.#log?.lostBytes ?? 0;
  }

  /** Where clients' input goes; null when there is none, or no longer. */
  get stdin(): ByteSink | null {
    return this.#stdin;
  }

  /** What must stay open for the input to go on: the terminal, or a stdin that is to end once. Null for neither. */
  get heldInput(): number | null {
    return this.#terminal ?? (this.#options.request.stdinOnce ? this.#stdinDescriptor : null);
  }

  /**
   * Opens the FIFOs of a container without terminal. `stdin` false leaves input closed. Gives back
   * the process's ends, to be closed once it has them; pass `existing` for a process that has had them for long.
   */
  openPipes(options: { stdin: boolean; existing?: boolean }): (number | 'ignore')[] {
    const { folder } = this.#options;
    const theirs: (number | 'ignore')[] = [];
    if (options.stdin) theirs.push(...this.#openStdin(join(folder, 'stdin'), options.existing === true));
    else theirs.push('ignore');
    for (const stream of streamsOf(this.#options.request)) {
      const path = join(folder, stream);
      const source = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
      setPipeCapacity(source, limits.outputPipeBytes);
      this.#sources.push(source);
      // Open for both: with the monitor and the keeper dead, the process is its own reader, and no byte is lost.
      if (!options.existing) theirs.push(openSync(path, constants.O_RDWR));
      this.#waiting.push([stream, source]);
    }
    return theirs;
  }

  /** Takes the container's terminal. */
  openTerminal(descriptor: number): void {
    this.#terminal = descriptor;
    this.#stdin = new DescriptorSink(descriptor, this.#options.poller);
    this.#waiting.push(['stdout', descriptor]);
  }

  /** Begins to read what was opened: not before the process is there, as what its OCI runtime prints is no log. */
  begin(): void {
    for (const [stream, source] of this.#waiting.splice(0)) this.#pump(stream, source);
  }

  /** No input any more: the process reads the end of it. A terminal stays. */
  endStdin(): void {
    if (this.#terminal !== null) return;
    this.#stdin?.end();
    this.#stdin = null;
    this.#stdinDescriptor = null;
  }

  resize(size: TerminalSize): void {
    if (this.#terminal !== null) setTerminalSize(this.#terminal, size);
  }

  /** See `container.reopenLog`. */
  async reopenLog(): Promise<void> {
    if (!this.#log) throw new MonitorError('FAILED_PRECONDITION', 'the container has no log');
    await this.#log.reopen();
  }

  /** The process has ended: waits for the end of its output, at most `drainMs`, and closes everything. */
  async finish(drainMs: number): Promise<void> {
    const all = Promise.all(this.#pumps.map((pump) => pump.done));
    const timer = this.#options.clock.after(drainMs, () => void this.#stop());
    await all;
    timer.cancel();
    await this.close();
  }

  /** Lets everything go without waiting for the process. What was read is in the log. */
  async close(): Promise<void> {
    await this.#stop();
    const reason = new MonitorError('FAILED_PRECONDITION', 'the container has ended');
    this.#stdin?.abort(reason);
    this.#stdin = null;
    this.#terminal = null;
    for (const source of this.#sources.splice(0)) closeDescriptor(source);
    for (const staging of this.#stagings.splice(0)) staging.close();
    await this.#log?.close();
    this.#journal.close();
  }

  async #stop(): Promise<void> {
    await Promise.all(this.#pumps.map((pump) => pump.stop()));
  }

  #openStdin(path: string, existing: boolean): number[] {
    // A FIFO opens for writing only while somebody reads it: the process itself, or its end opened here.
    try {
      const theirs = existing ? [] : [this.#openTheirStdin(path)];
      const ours = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
      this.#stdin = new DescriptorSink(ours, this.#options.poller);
      this.#stdinDescriptor = ours;
      return theirs;
    } catch (error) {
      if (existing) return [];
      throw error;
    }
  }

  /** Stdin that is never to end stays open by the process's own writing side; one that is to end must not. */
  #openTheirStdin(path: string): number {
    if (!this.#options.request.stdinOnce) return openSync(path, constants.O_RDWR);
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    setNonBlocking(descriptor, false);
    return descriptor;
  }

  #pump(stream: LogStream, source: number): void {
    const { folder, poller, clock, scratch } = this.#options;
    const staging = new Staging(join(folder, `${stream}.staging`), scratch);
    this.#stagings.push(staging);
    this.#pumps.push(
      new OutputPump({
        stream,
        source,
        staging,
        log: this.#log,
        journal: this.#journal,
        poller,
        clock,
        onOutput: (name, chunk) => this.attachments.send(name, chunk),
        listenersReady: () => this.attachments.ready(),
      }),
    );
  }
}

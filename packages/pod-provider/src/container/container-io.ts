import { PassThrough, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { aborted, type ByteSink, iterate } from '@wherry/bytes';
import { type Clock, deadline } from '@wherry/clock';
import type { LogStream } from '@wherry/cri/log';
import type { LogFile } from '@wherry/monitor';
import type { RemoteCommandSession } from '@wherry/remotecommand';
import { limits } from '../limits.ts';
import type { ProcessIo } from '../provider.ts';
import { LatestSizes } from './latest-sizes.ts';
import { OutputLog } from './output-log.ts';

/** What the streams of a container are made of. */
export interface ContainerIoOptions {
  clock: Clock;
  log: LogFile | undefined;
  hasInput: boolean;
  /** Its input ends with that of the first who is attached. */
  isInputOnce: boolean;
}

/** The streams of a container: what it writes goes to its log and to all who are attached; what they write goes to it. */
export class ContainerIo {
  readonly ofProcess: ProcessIo;
  readonly #clock: Clock;
  readonly #isInputOnce: boolean;
  readonly #stdin: PassThrough | null;
  readonly #sizes = new LatestSizes();
  readonly #logs: readonly OutputLog[];
  readonly #outputs: readonly Writable[];
  readonly #attached = new Set<RemoteCommandSession>();

  constructor({ clock, log, hasInput, isInputOnce }: ContainerIoOptions) {
    this.#clock = clock;
    this.#isInputOnce = isInputOnce;
    this.#stdin = hasInput ? new PassThrough() : null;
    const streams = ['stdout', 'stderr'] as const;
    const logs = streams.map((stream) => log && new OutputLog(log, { stream, clock }));
    const [stdout, stderr] = streams.map((stream, index) => this.#output(stream, logs[index])) as [
      Writable,
      Writable,
    ];
    this.#logs = logs.filter((each) => each !== undefined);
    this.#outputs = [stdout, stderr];
    this.ofProcess = { stdin: this.#stdin, stdout, stderr, sizes: this.#sizes };
  }

  /** Resolves when the client has gone, or `ended` has. What the container wrote before is in its log alone. */
  async attach(session: RemoteCommandSession, ended: Promise<void>): Promise<void> {
    this.#attached.add(session);
    void this.#takeInput(session);
    void this.#takeSizes(session);
    await Promise.race([aborted(session.signal), ended]);
    this.#attached.delete(session);
  }

  /** The process has ended: waits until all that it wrote is where it goes. */
  async close(): Promise<void> {
    this.#stdin?.destroy();
    this.#sizes.end();
    for (const output of this.#outputs) if (!output.writableEnded) output.end();
    await Promise.all(this.#outputs.map((output) => finished(output).catch(() => {})));
    for (const log of this.#logs) await log.end();
  }

  #output(stream: LogStream, log: OutputLog | undefined): Writable {
    return new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        void this.#deliver(stream, log, chunk).then(() => done());
      },
    });
  }

  async #deliver(stream: LogStream, log: OutputLog | undefined, chunk: Buffer): Promise<void> {
    await log?.write(chunk);
    await Promise.all([...this.#attached].map((session) => this.#send(session, session[stream], chunk)));
  }

  /** A client that takes nothing for too long is let go. */
  async #send(session: RemoteCommandSession, sink: ByteSink | null, chunk: Uint8Array): Promise<void> {
    if (!sink) return;
    using limit = deadline({ clock: this.#clock, timeoutMs: limits.attachPatienceMs });
    try {
      if (!sink.write(chunk)) await sink.drained({ signal: limit.signal });
    } catch (error) {
      this.#attached.delete(session);
      sink.abort(error as Error);
    }
  }

  async #takeInput({ stdin }: RemoteCommandSession): Promise<void> {
    const input = this.#stdin;
    if (!stdin || !input) return;
    try {
      for await (const chunk of iterate(stdin)) {
        if (input.destroyed) return;
        if (!input.write(chunk))
          await new Promise((resolve) => input.once('drain', resolve).once('close', resolve));
      }
      if (this.#isInputOnce) input.end();
    } catch {
      // The client has gone.
    }
  }

  async #takeSizes({ sizes }: RemoteCommandSession): Promise<void> {
    for await (const size of sizes) this.#sizes.push(size);
  }
}

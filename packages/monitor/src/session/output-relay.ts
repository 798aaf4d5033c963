import type { ByteSink } from '@wherry/bytes';
import type { Clock, Timer } from '@wherry/clock';
import type { OutputSource } from '../io/output-source.ts';

/** What an output is handed to. */
export type OutputSink = Pick<ByteSink, 'write' | 'drained' | 'closed'>;

/** What a relay works on. */
export interface OutputRelayOptions {
  source: OutputSource;
  /** Null (not asked for) or gone later: output is read and dropped, so that the process does not stall. */
  sink: OutputSink | null;
  clock: Clock;
}

/**
 * Carries one output of an exec process to whoever wants it, at that one's pace. The end of the output, not the end of
 * the process, ends it; {@link finish} bounds how long a stranger may hold the other end open.
 */
export class OutputRelay {
  /** Settles when all that should be delivered was handed to the sink. */
  readonly done: Promise<void>;
  readonly #source: OutputSource;
  readonly #sink: OutputSink | null;
  readonly #clock: Clock;
  readonly #finish: () => void;
  #delivered = 0;
  #isDone = false;
  #drain: { target: number; waitMs: number; timer: Timer | null } | null = null;

  constructor({ source, sink, clock }: OutputRelayOptions) {
    this.#source = source;
    this.#sink = sink;
    this.#clock = clock;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.done = promise;
    this.#finish = resolve;
    sink?.closed.then(() => source.resume());
    source.start({ data: (chunk) => this.#deliver(chunk), end: () => this.#end() });
  }

  /**
   * The process has ended. What it wrote stands in the pipe or before: all of it is delivered, however slow the sink.
   * Then, if others still hold the pipe, `waitMs` more are granted to them.
   */
  finish(waitMs: number): Promise<void> {
    if (!this.#isDone && !this.#drain) {
      this.#drain = { target: this.#delivered + this.#source.unreadBytes(), waitMs, timer: null };
      this.#checkDrain();
    }
    return this.done;
  }

  #deliver(chunk: Uint8Array): void {
    this.#delivered += chunk.byteLength;
    if (!this.#write(chunk)) {
      this.#source.pause();
      this.#sink?.drained().then(
        () => this.#source.resume(),
        () => this.#source.resume(),
      );
    }
    this.#checkDrain();
  }

  /** A sink that is gone takes everything. */
  #write(chunk: Uint8Array): boolean {
    try {
      return this.#sink?.write(chunk) ?? true;
    } catch {
      return true;
    }
  }

  #checkDrain(): void {
    const drain = this.#drain;
    if (!drain || drain.timer || this.#delivered < drain.target) return;
    drain.timer = this.#clock.after(drain.waitMs, () => this.#end());
  }

  #end(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#drain?.timer?.cancel();
    this.#source.close();
    this.#finish();
  }
}

import type { Clock } from '@wherry/clock';
import { encodeEntries, type LogStream, logContentBytesMax, logTimestamp } from '@wherry/cri/log';
import { type Poller, pollEvents, readableBytes, type Watch } from '@wherry/linux';
import { limits } from '../limits.ts';
import type { LogJournal } from './journal.ts';
import type { LogFile } from './log-file.ts';
import type { Staging } from './staging.ts';

/** What a pump works on. */
export interface OutputPumpOptions {
  stream: LogStream;
  /** The container's output: the read end of a FIFO, or a terminal's master. Non-blocking; not closed here. */
  source: number;
  staging: Staging;
  /** Null: the container has no log. */
  log: LogFile | null;
  journal: LogJournal;
  poller: Poller;
  clock: Clock;
  /** Hears new output at once, also the lines that are not finished. The array is only its to read during the call. */
  onOutput: (stream: LogStream, chunk: Buffer) => void;
  /** What to wait for before more is read: listeners that are behind. Null for nothing. */
  listenersReady?: () => Promise<unknown> | null;
}

/**
 * Carries one output of a container into its log and to who listens. One step is: move bytes into the staging FIFO,
 * look at them, write entries, take the bytes away. While a write is under way the container's own pipe fills, and
 * only that container waits.
 */
export class OutputPump {
  /** Settles when the output has ended and everything is in the log. */
  readonly done: Promise<void>;
  readonly #options: OutputPumpOptions;
  readonly #watch: Watch;
  readonly #finish: () => void;
  #entries = Buffer.alloc(0);
  /** Bytes at the front of the staging FIFO that listeners have seen: the unfinished line. */
  #seenBytes = 0;
  /** Whether a killed monitor has left what it had moved and not logged. */
  #hasLeft = false;
  #running = false;
  #stopping = false;
  #endWait = () => {};
  #bytesAfterStop = 0;
  #ended = false;

  constructor(options: OutputPumpOptions) {
    this.#options = options;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.done = promise;
    this.#finish = resolve;
    this.#recover();
    this.#watch = options.poller.watch(options.source, pollEvents.readable, () => void this.#run());
    // A FIFO whose last writer left before it was opened here never polls readable; reading tells.
    void this.#run();
  }

  /** The last writer is gone or will not end: takes what is there now, within a bound, and finishes. */
  stop(): Promise<void> {
    if (!this.#ended && !this.#stopping) {
      this.#stopping = true;
      this.#endWait();
      if (!this.#running) void this.#run();
    }
    return this.done;
  }

  async #run(): Promise<void> {
    if (this.#running || this.#ended) return;
    this.#running = true;
    try {
      await this.#logLeft();
      while (await this.#step()) {
        await nothingIfLogged(this.#options.log);
        await this.#listenersReady();
      }
    } finally {
      this.#running = false;
    }
  }

  /** The container may write nothing more for long. */
  async #logLeft(): Promise<void> {
    if (!this.#hasLeft) return;
    this.#hasLeft = false;
    await this.#logStaged(false);
  }

  /** The end of the container waits for no listener, however slowly it reads. */
  async #listenersReady(): Promise<void> {
    const ready = this.#stopping ? null : this.#options.listenersReady?.();
    if (!ready) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#endWait = resolve;
    ready.then(() => resolve(), resolve);
    await promise;
  }

  /** One step; false when there is nothing to do before the source is readable again. */
  async #step(): Promise<boolean> {
    const { staging, source } = this.#options;
    const moved = staging.fill(source);
    if (this.#stopping) this.#bytesAfterStop += moved ?? 0;
    // Nothing was moved for lack of room, which can be made.
    const isFull = moved === null && readableBytes(source) > 0;
    const isOver =
      this.#stopping &&
      (moved === null
        ? !isFull || staging.bytes === 0
        : this.#bytesAfterStop > limits.outputAfterStopBytesMax);
    if (moved === 0 || isOver) {
      await this.#logStaged(true);
      this.#end();
      return false;
    }
    if (moved === null) {
      if (isFull) return this.#makeRoom();
      this.#watch.again();
      return false;
    }
    await this.#logStaged(false);
    return true;
  }

  /** Many tiny writes without a newline use up the FIFO's slots: the unfinished line becomes a P entry early. */
  async #makeRoom(): Promise<boolean> {
    const { staging, source } = this.#options;
    await this.#logStaged(staging.fill(source) === null);
    return true;
  }

  async #logStaged(flush: boolean): Promise<void> {
    while (await this.#logOnce(flush)) await nothingIfLogged(this.#options.log);
  }

  /** Formats and writes what one buffer of entries holds; true when more is left to format. */
  async #logOnce(flush: boolean): Promise<boolean> {
    const { staging, stream, log, journal, clock, onOutput } = this.#options;
    const stagedBytes = staging.look(content);
    if (stagedBytes > this.#seenBytes) onOutput(stream, content.subarray(this.#seenBytes, stagedBytes));
    this.#seenBytes = Math.max(this.#seenBytes, stagedBytes);
    if (!log) {
      this.#take(stagedBytes);
      return false;
    }
    const entries = this.#entryBuffer(stagedBytes);
    const options = { stream, timestamp: logTimestamp(clock.nowMs()), flush };
    const { entryBytes, consumedBytes, full } = encodeEntries(
      content.subarray(0, stagedBytes),
      entries,
      options,
    );
    if (consumedBytes === 0) return false;
    const chunk = { entries: entries.subarray(0, entryBytes), contentBytes: consumedBytes };
    await log.append(chunk, (position, bytes) =>
      journal.begin(stream, { ...position, entryBytes: bytes, stagedBytes, consumedBytes }),
    );
    this.#take(consumedBytes);
    journal.finish(stream);
    return full;
  }

  #take(bytes: number): void {
    this.#options.staging.discard(bytes);
    this.#seenBytes -= bytes;
  }

  #entryBuffer(contentBytes: number): Buffer {
    const bytes = Math.min(limits.logWriteBytesMax, 2 * logContentBytesMax + contentBytes * 4);
    if (this.#entries.byteLength < bytes) this.#entries = Buffer.allocUnsafeSlow(bytes);
    return this.#entries;
  }

  /** Takes up what a killed monitor left: a chunk is either in the log, or still to be logged. */
  #recover(): void {
    const { staging, stream, log, journal } = this.#options;
    const intent = journal.pending(stream);
    if (intent && log?.settle(intent, intent.entryBytes)) {
      const alreadyTaken = intent.stagedBytes - staging.bytes;
      if (alreadyTaken < intent.consumedBytes)
        staging.discard(intent.consumedBytes - Math.max(0, alreadyTaken));
    }
    if (intent) journal.finish(stream);
    this.#seenBytes = staging.bytes;
    this.#hasLeft = this.#seenBytes > 0;
  }

  #end(): void {
    this.#ended = true;
    this.#watch.stop();
    this.#finish();
  }
}

/** Content being looked at; used only between two awaits. */
const content = Buffer.allocUnsafeSlow(limits.outputPipeBytes);

/** Without a log no step waits for anything: lets others have their turn. */
function nothingIfLogged(log: LogFile | null): Promise<void> {
  return log ? Promise.resolve() : new Promise((resolve) => setImmediate(resolve));
}

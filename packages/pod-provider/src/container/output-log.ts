import type { Clock } from '@wherry/clock';
import {
  encodeEntries,
  type LogStream,
  logContentBytesMax,
  logOverheadBytes,
  logTimestamp,
} from '@wherry/cri/log';
import type { LogFile } from '@wherry/monitor';

const nothing = Buffer.alloc(0);
/** Entries that are written in one step. */
const blockBytes = 4 * (logContentBytesMax + logOverheadBytes);

/** One stream of a container on its way to the log: lines become entries, a line that is not whole yet waits. */
export class OutputLog {
  readonly #file: LogFile;
  readonly #stream: LogStream;
  readonly #clock: Clock;
  #rest: Buffer = nothing;

  constructor(file: LogFile, { stream, clock }: { stream: LogStream; clock: Clock }) {
    this.#file = file;
    this.#stream = stream;
    this.#clock = clock;
  }

  /** Never rejects: the log says where something is missing. */
  write(chunk: Uint8Array): Promise<void> {
    return this.#put(Buffer.concat([this.#rest, chunk]), false);
  }

  /** No more comes. */
  end(): Promise<void> {
    return this.#put(this.#rest, true);
  }

  async #put(content: Buffer, flush: boolean): Promise<void> {
    const options = { stream: this.#stream, timestamp: logTimestamp(this.#clock.nowMs()), flush };
    let from = 0;
    for (let isFull = true; isFull; ) {
      const block = Buffer.allocUnsafe(blockBytes);
      const { entryBytes, consumedBytes, full } = encodeEntries(content.subarray(from), block, options);
      from += consumedBytes;
      isFull = full;
      this.#rest = content.subarray(from);
      const entries = block.subarray(0, entryBytes);
      if (entryBytes > 0) await this.#file.append({ entries, contentBytes: consumedBytes }, () => {});
    }
  }
}

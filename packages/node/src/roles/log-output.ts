import { constants, copyFileSync, fstatSync, ftruncateSync, statSync, writeSync } from 'node:fs';
import { hasCode } from '@wherry/linux';
import { createLogger } from '@wherry/telemetry';
import { limits } from '../limits.ts';

const stderrDescriptor = 2;

/**
 * Where the lines of a part's log go. What cannot be written, on a full disk or because nobody reads any more, is dropped, and
 * counted in the first line that goes through again: Node's own stream would end the process, and be closed for good.
 *
 * A file of the node's own is kept within a bound: what it holds by then goes to `PATH.1`, in the place of what that held, and it begins
 * anew. Everybody who writes there appends, so that it is emptied under their hands.
 */
export class LogOutput {
  readonly #component: string;
  readonly #descriptor: number;
  /** Where the file is, when it is the node's own. */
  readonly #path: string | undefined;
  /** Written here since the file's size was looked at. */
  #unseenBytes: number = limits.logLookBytes;
  #lostLines = 0;
  #reason: unknown;
  /** What was written last is a piece of a line. */
  #isTorn = false;
  /** Node has lines, or pieces, that are still to go. */
  #isQueued = false;

  /** `component` says who lost the lines; `path` names the file that the descriptor writes to, if it is to be kept within a bound. */
  constructor(
    component: string,
    { descriptor = stderrDescriptor, path }: { descriptor?: number; path?: string | undefined } = {},
  ) {
    this.#component = component;
    this.#descriptor = descriptor;
    this.#path = path;
  }

  /** Takes one line, without its newline. Never throws. */
  write(line: string): void {
    if (this.#lostLines > 0) this.#tellLoss();
    if (this.#lostLines > 0 || !this.#put(line)) this.#lostLines++;
  }

  #tellLoss(): void {
    const [lines, error] = [this.#lostLines, this.#reason];
    const write = (notice: string) => {
      if (this.#put(notice)) this.#lostLines = 0;
    };
    createLogger(this.#component, { write }).warn('lines of this log could not be written', { lines, error });
  }

  #put(line: string): boolean {
    const bytes = Buffer.from(`${this.#isTorn ? '\n' : ''}${line}\n`);
    this.#unseenBytes += bytes.length;
    if (this.#unseenBytes >= limits.logLookBytes) this.#keepBound();
    this.#isQueued &&= process.stderr.writableLength > 0;
    if (this.#isQueued) return this.#queue(bytes);
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(this.#descriptor, bytes, written);
      this.#isTorn = false;
      return true;
    } catch (error) {
      // A pipe or terminal that is full and does not block.
      if (hasCode(error, 'EAGAIN')) return this.#queue(bytes.subarray(written));
      this.#isTorn ||= written > 0;
      this.#reason = error;
      return false;
    }
  }

  #keepBound(): void {
    this.#unseenBytes = 0;
    if (this.#path === undefined) return;
    try {
      const [open, named] = [fstatSync(this.#descriptor), statSync(this.#path)];
      if (open.size < limits.logBytesMax || open.dev !== named.dev || open.ino !== named.ino) return;
      copyFileSync(this.#path, `${this.#path}.1`, constants.COPYFILE_FICLONE);
      ftruncateSync(this.#descriptor);
    } catch {
      // It grows on, and is looked at again; a full disk takes no more lines anyway.
    }
  }

  #queue(bytes: Uint8Array): true {
    this.#isQueued = true;
    this.#isTorn = false;
    process.stderr.write(bytes);
    return true;
  }
}

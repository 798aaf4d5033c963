import { identifyProcess } from '@wherry/linux';

/**
 * The names of one monitor's exec calls, which its files and sockets have. Another's, also of a monitor that had the same
 * process id, begin otherwise.
 */
export class ExecNames {
  readonly #prefix = `${process.pid}.${identifyProcess(process.pid)?.startTicks}-`;
  #given = 0;

  /** A name that none had before. */
  next(): string {
    return `${this.#prefix}${++this.#given}`;
  }

  /** Whether a file in the folder for exec processes is this monitor's. The OCI runtime writes `.NAME` before it is `NAME`. */
  isOwn(file: string): boolean {
    return file.replace(/^\./, '').startsWith(this.#prefix);
  }
}

/** `node:fs/promises` over the simulated machine. What a dead process asked for never settles. */
import * as files from './files.ts';
import { DeadError, isDead } from './participant.ts';

function later<T>(work: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    queueMicrotask(() => {
      try {
        const result = work();
        if (!isDead()) resolve(result);
      } catch (error) {
        if (!(error instanceof DeadError)) reject(error);
      }
    });
  });
}

function promised<Arguments extends unknown[], Result>(call: (...args: Arguments) => Result) {
  return (...args: Arguments): Promise<Result> => later(() => call(...args));
}

/** An open file. */
class FileHandle {
  readonly fd: number;

  constructor(descriptor: number) {
    this.fd = descriptor;
  }

  read(buffer: Uint8Array, offset?: number, length?: number, position?: number | null) {
    return later(() => ({ buffer, bytesRead: files.readSync(this.fd, buffer, offset, length, position) }));
  }

  readFile(options?: unknown) {
    return later(() => files.readFileSync(this.fd, options));
  }

  write(data: string | Uint8Array) {
    return later(() => ({ bytesWritten: files.writeSync(this.fd, data) }));
  }

  writeFile(data: string | Uint8Array) {
    return later(() => files.writeFileSync(this.fd, data));
  }

  stat() {
    return later(() => files.fstatSync(this.fd));
  }

  chmod(mode: number) {
    return later(() => files.fchmodSync(this.fd, mode));
  }

  sync() {
    return later(() => {});
  }

  close() {
    return later(() => files.closeSync(this.fd));
  }

  [Symbol.asyncDispose]() {
    return this.close();
  }
}

export const open = (path: string, flags?: string | number, mode?: number) =>
  later(() => new FileHandle(files.openSync(path, flags, mode)));
export const access = promised(files.accessSync);
export const chmod = promised(files.chmodSync);
export const chown = promised(files.chownSync);
export const lstat = promised(files.lstatSync);
export const mkdir = promised(files.mkdirSync);
/** What is iterated is all of it. */
export const opendir = promised((path: string) => files.readdirSync(path, { withFileTypes: true }));
export const readFile = promised(files.readFileSync);
export const readdir = promised(files.readdirSync);
export const realpath = promised(files.realpathSync);
export const rename = promised(files.renameSync);
export const rm = promised(files.rmSync);
export const rmdir = promised(files.rmdirSync);
export const stat = promised(files.statSync);
export const statfs = promised(files.statfsSync);
export const symlink = promised(files.symlinkSync);
export const unlink = promised(files.unlinkSync);
export const writeFile = promised(files.writeFileSync);

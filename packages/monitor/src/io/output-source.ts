import { Socket } from 'node:net';
import {
  hasCode,
  type Poller,
  pollEvents,
  readableBytes,
  readNow,
  setNonBlocking,
  type Watch,
} from '@wherry/linux';
import { limits } from '../limits.ts';

/** Who takes a process's output. */
export interface OutputReceiver {
  data(chunk: Uint8Array): void;
  /** No process holds the other end any more, or reading failed. */
  end(): void;
}

/** One output of a process as the monitor reads it. */
export interface OutputSource {
  start(receiver: OutputReceiver): void;
  pause(): void;
  resume(): void;
  /** Bytes the process has written that were not given to the receiver yet. */
  unreadBytes(): number;
  /** Stops reading and closes. `end` is not called. */
  close(): void;
}

/** Output through a pipe, read by libuv. Owns the descriptor. */
export class PipeSource implements OutputSource {
  readonly #socket: Socket;
  readonly #descriptor: number;
  readonly #ended: Promise<void>;
  #closed = false;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
    this.#socket = new Socket({ fd: descriptor, readable: true, writable: false });
    this.#socket.on('error', () => {});
    // The end may come before anybody has started to read.
    this.#ended = new Promise((resolve) => this.#socket.once('close', () => resolve()));
    this.#socket.pause();
  }

  start(receiver: OutputReceiver): void {
    this.#socket.on('data', (chunk) => receiver.data(chunk));
    void this.#ended.then(() => {
      if (!this.#closed) receiver.end();
      this.#closed = true;
    });
    this.#socket.resume();
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  unreadBytes(): number {
    if (this.#closed || this.#socket.destroyed) return 0;
    return this.#socket.readableLength + readableBytes(this.#descriptor);
  }

  close(): void {
    this.#closed = true;
    this.#socket.destroy();
  }
}

/** Output through a terminal's master. Does not own the descriptor, which carries the input as well. */
export class TerminalSource implements OutputSource {
  readonly #descriptor: number;
  readonly #poller: Poller;
  #receiver: OutputReceiver | null = null;
  #watch: Watch | null = null;
  #paused = false;
  #closed = false;

  constructor(descriptor: number, poller: Poller) {
    setNonBlocking(descriptor, true);
    this.#descriptor = descriptor;
    this.#poller = poller;
  }

  start(receiver: OutputReceiver): void {
    this.#receiver = receiver;
    this.#watch = this.#poller.watch(this.#descriptor, pollEvents.readable, () => this.#read());
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    if (!this.#closed) this.#watch?.again();
  }

  unreadBytes(): number {
    return this.#closed ? 0 : readableBytes(this.#descriptor);
  }

  close(): void {
    this.#closed = true;
    this.#watch?.stop();
  }

  #read(): void {
    for (let turn = 0; turn < limits.readsPerTurn; turn++) {
      if (this.#paused || this.#closed) return;
      const buffer = Buffer.allocUnsafe(limits.readBytes);
      const bytes = readTerminal(this.#descriptor, buffer);
      if (bytes === null) break;
      if (bytes === 0) {
        this.#end();
        return;
      }
      this.#receiver?.data(Buffer.from(buffer.subarray(0, bytes)));
    }
    if (!this.#paused && !this.#closed) this.#watch?.again();
  }

  #end(): void {
    this.close();
    this.#receiver?.end();
  }
}

/** Reads a master; EIO means that no process has the terminal open any more (0, as at the end of a file). */
export function readTerminal(descriptor: number, buffer: Uint8Array): number | null {
  try {
    return readNow(descriptor, buffer);
  } catch (error) {
    if (hasCode(error, 'EIO')) return 0;
    throw error;
  }
}

import { writeSync } from 'node:fs';
import { hasCode } from '../errors.ts';
import { limits } from '../limits.ts';
import { check, declare, declareAsync } from '../native.ts';
import { closeDescriptor, openEventCounter, readNow } from './descriptor.ts';

const epollCreate = declare('int epoll_create1(int flags)');
const epollControl = declare('int epoll_ctl(int poll, int operation, int descriptor, void *event)');
const epollWait = declareAsync('int epoll_wait(int poll, _Out_ void *events, int count, int timeoutMs)');

const closeOnExec = 0o2000000;
const add = 1;
const remove = 2;
const modify = 3;
const oneShot = 1 << 30;
/** struct epoll_event is packed on x86-64 and padded elsewhere. */
const dataOffset = process.arch === 'x64' ? 4 : 8;
const eventBytes = dataOffset + 8;

/** What a descriptor can be watched for, and what {@link Watch} callbacks are told. */
export const pollEvents = { readable: 0x1, priority: 0x2, writable: 0x4, error: 0x8, hangUp: 0x10 } as const;

/** One watched descriptor. */
export interface Watch {
  /** Watches again: each notice comes once for each call. */
  again(): void;
  /** Ends the watch; the descriptor stays open and is the caller's to close, afterwards. */
  stop(): void;
}

interface Entry {
  descriptor: number;
  events: number;
  onReady: (events: number) => void;
}

/**
 * Readiness of any number of descriptors (pidfds, pipes, raw sockets) through one epoll on one pool thread, where one
 * blocking call for each would starve libuv's four. Keeps the process alive while it watches something.
 */
export class Poller {
  readonly #poll = check('epoll_create1', epollCreate(closeOnExec));
  readonly #wakeUp = openEventCounter();
  readonly #entries = new Map<number, Entry>();
  readonly #buffer = Buffer.alloc(eventBytes * limits.pollBatch);
  #nextToken = 1;
  #waiting = false;
  #closed = false;

  constructor() {
    this.#control(add, this.#wakeUp, pollEvents.readable, 0);
  }

  /** Calls `onReady` once when one of `events` (or an error, or a hang-up) is there. Throws EPERM for regular files. */
  watch(descriptor: number, events: number, onReady: (events: number) => void): Watch {
    const token = this.#nextToken++;
    this.#control(add, descriptor, events | oneShot, token);
    this.#entries.set(token, { descriptor, events, onReady });
    this.#wait();
    return {
      again: () => {
        if (this.#entries.has(token)) this.#control(modify, descriptor, events | oneShot, token);
      },
      stop: () => this.#stop(token, descriptor),
    };
  }

  /** Ends all watches and lets the thread go. Descriptors stay open. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#entries.clear();
    if (this.#waiting) this.#wake();
    else this.#release();
  }

  #stop(token: number, descriptor: number): void {
    if (!this.#entries.delete(token)) return;
    try {
      this.#control(remove, descriptor, 0, 0);
    } catch (error) {
      if (!hasCode(error, 'EBADF', 'ENOENT')) throw error;
    }
    if (this.#entries.size === 0) this.#wake();
  }

  #control(operation: number, descriptor: number, events: number, token: number): void {
    const event = Buffer.alloc(eventBytes);
    event.writeUInt32LE(events >>> 0, 0);
    event.writeUInt32LE(token, dataOffset);
    check('epoll_ctl', epollControl(this.#poll, operation, descriptor, event), `descriptor ${descriptor}`);
  }

  #wake(): void {
    writeSync(this.#wakeUp, new BigUint64Array([1n]));
  }

  #wait(): void {
    if (this.#waiting || this.#closed) return;
    this.#waiting = true;
    void epollWait(this.#poll, this.#buffer, limits.pollBatch, -1).then(({ result }) => {
      this.#waiting = false;
      this.#dispatch(Math.max(result, 0));
      if (this.#closed) this.#release();
      else if (this.#entries.size > 0) this.#wait();
    });
  }

  #dispatch(count: number): void {
    for (let index = 0; index < count; index++) {
      const at = index * eventBytes;
      const token = this.#buffer.readUInt32LE(at + dataOffset);
      if (token === 0) readNow(this.#wakeUp, new Uint8Array(8));
      this.#entries.get(token)?.onReady(this.#buffer.readUInt32LE(at));
    }
  }

  #release(): void {
    closeDescriptor(this.#poll);
    closeDescriptor(this.#wakeUp);
  }
}

import { rmSync } from 'node:fs';
import { constants } from 'node:os';
import { closeDescriptor } from './descriptor.ts';
import { SyscallError } from './errors.ts';
import { limits } from './limits.ts';
import { check, declare, defineStruct, lastErrno } from './native.ts';
import { type Poller, pollEvents, type Watch } from './poller.ts';
import { openStreamSocket } from './socket.ts';

defineStruct('wherry_iovec', { base: 'void *', length: 'ulong' });
defineStruct('wherry_msghdr', {
  name: 'void *',
  nameLength: 'uint',
  iov: 'wherry_iovec *',
  iovCount: 'ulong',
  control: 'void *',
  controlLength: 'ulong',
  flags: 'int',
});
const sendmsg = declare('long sendmsg(int socket, const wherry_msghdr *message, int flags)');
const recvmsg = declare('long recvmsg(int socket, _Inout_ wherry_msghdr *message, int flags)');
const bind = declare('int bind(int socket, const void *address, uint length)');
const listen = declare('int listen(int socket, int backlog)');
const accept = declare('int accept4(int socket, void *address, void *length, int flags)');

const socketLevel = 1;
const scmRights = 1;
/** A control message with one descriptor: header (length, level, type), the int, padding. */
const controlBytes = 24;
const controlLength = 20;
const receiveCloseOnExec = 0x40000000;
const noSignal = 0x4000;
const unixPathBytesMax = 107;

function header(data: Uint8Array, control: Uint8Array) {
  return {
    name: null,
    nameLength: 0,
    iov: [{ base: data, length: data.byteLength }],
    iovCount: 1,
    control,
    controlLength: control.byteLength,
    flags: 0,
  };
}

/** Hands an open descriptor to the process at the other end of a unix socket, with a name beside it (SCM_RIGHTS). */
export function sendDescriptor(socket: number, descriptor: number, name: string): void {
  const control = Buffer.alloc(controlBytes);
  control.writeBigUInt64LE(BigInt(controlLength), 0);
  control.writeInt32LE(socketLevel, 8);
  control.writeInt32LE(scmRights, 12);
  control.writeInt32LE(descriptor, 16);
  check('sendmsg', sendmsg(socket, header(Buffer.from(name), control), noSignal), name);
}

/** A descriptor that came over a unix socket, and the bytes beside it. */
export interface PassedDescriptor {
  descriptor: number;
  name: string;
}

/** Takes one passed descriptor (close-on-exec); null when nothing is there yet. Throws when none came with the bytes. */
export function receiveDescriptor(socket: number): PassedDescriptor | null {
  const data = Buffer.alloc(limits.passedNameBytesMax);
  const control = Buffer.alloc(controlBytes);
  const bytes = recvmsg(socket, header(data, control), receiveCloseOnExec);
  if (bytes < 0) {
    const errno = lastErrno();
    if (errno === constants.errno.EAGAIN) return null;
    throw new SyscallError('recvmsg', errno);
  }
  if (control.readInt32LE(12) !== scmRights || Number(control.readBigUInt64LE(0)) < controlLength) {
    throw new Error(`expected a descriptor beside "${data.toString('utf8', 0, bytes)}", got none`);
  }
  return { descriptor: control.readInt32LE(16), name: data.toString('utf8', 0, bytes) };
}

/** A unix socket that an OCI runtime sends a terminal's master to (`--console-socket`). */
export class ConsoleSocket {
  readonly path: string;
  /** The terminal's master. Rejects with the reason given to {@link close} when none comes. */
  readonly terminal: Promise<number>;
  readonly #poller: Poller;
  readonly #listener: number;
  readonly #watches: Watch[] = [];
  #connection: number | null = null;
  #resolve: (descriptor: number) => void = () => {};
  #reject: (error: unknown) => void = () => {};

  /** Listens at `path` (at most 107 bytes). */
  constructor(path: string, poller: Poller) {
    this.path = path;
    this.#poller = poller;
    this.terminal = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.terminal.catch(() => {});
    this.#listener = listenAt(path);
    this.#when(this.#listener, () => this.#accept());
  }

  /** Stops listening and removes the socket file. A terminal that came stays open. */
  close(reason: Error = new Error(`no terminal came over "${this.path}"`)): void {
    for (const watch of this.#watches.splice(0)) watch.stop();
    closeDescriptor(this.#listener);
    if (this.#connection !== null) closeDescriptor(this.#connection);
    this.#connection = null;
    rmSync(this.path, { force: true });
    this.#reject(reason);
  }

  #when(descriptor: number, action: () => void): void {
    const guarded = () => {
      try {
        action();
      } catch (error) {
        this.#reject(error);
      }
    };
    this.#watches.push(this.#poller.watch(descriptor, pollEvents.readable, guarded));
  }

  #accept(): void {
    const connection = check('accept4', accept(this.#listener, null, null, 0o2004000));
    this.#connection = connection;
    this.#when(connection, () => {
      const passed = receiveDescriptor(connection);
      if (passed) this.#resolve(passed.descriptor);
    });
  }
}

function listenAt(path: string): number {
  if (Buffer.byteLength(path) > unixPathBytesMax) {
    throw new RangeError(
      `unix socket path "${path}" is longer than ${unixPathBytesMax} bytes; use a shorter folder`,
    );
  }
  const address = Buffer.concat([Buffer.from([1, 0]), Buffer.from(path), Buffer.alloc(1)]);
  const listener = openStreamSocket('unix');
  try {
    check('bind', bind(listener, address, address.byteLength), `"${path}"`);
    check('listen', listen(listener, 1), `"${path}"`);
    return listener;
  } catch (error) {
    closeDescriptor(listener);
    throw error;
  }
}

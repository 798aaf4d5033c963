import { rmSync } from 'node:fs';
import { openStreamSocket } from '../namespace/socket.ts';
import { check, declare } from '../native.ts';
import { closeDescriptor } from './descriptor.ts';
import { receiveDescriptor } from './passed-descriptor.ts';
import { type Poller, pollEvents, type Watch } from './poller.ts';

const bind = declare('int bind(int socket, const void *address, uint length)');
const listen = declare('int listen(int socket, int backlog)');
const accept = declare('int accept4(int socket, void *address, void *length, int flags)');

/** Bytes of a unix socket's path: `sun_path` has room for 108 with the final NUL. */
export const unixPathBytesMax = 107;
const nonBlockingCloseOnExec = 0o2004000;

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
    const connection = check('accept4', accept(this.#listener, null, null, nonBlockingCloseOnExec));
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

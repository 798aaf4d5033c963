import { lstatSync, mkdirSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { hasCode } from '@wherry/linux';
import { messageOf, RuntimeError } from '../errors.ts';
import { limits } from '../limits.ts';
import { PlugIn, type PlugInOptions } from './plug-in.ts';

/** What plug-ins are received with. */
export interface PlugInsOptions extends PlugInOptions {
  /** Lets one in: tells it what there is, and then adds it. */
  receive(plugIn: PlugIn, add: () => void): Promise<void>;
}

/** The plug-ins that are connected, in the order of their indices. */
export class PlugIns {
  readonly #options: PlugInsOptions;
  readonly #sockets = new Set<Socket>();
  #server: Server | null = null;
  #list: readonly PlugIn[] = [];

  constructor(options: PlugInsOptions) {
    this.#options = options;
  }

  get list(): readonly PlugIn[] {
    return this.#list;
  }

  /** Listens, for root alone. Throws `RuntimeError` FAILED_PRECONDITION where another process does, or where there is a file. */
  async listen(path: string): Promise<void> {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    await clearSocket(path);
    const server = createServer((socket) => this.#connected(socket));
    const before = process.umask(0o177);
    // The socket is bound before `listen` returns: nothing else is made with this mask.
    const listening = new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, resolve);
    });
    process.umask(before);
    await listening;
    this.#server = server;
  }

  /** Lets all plug-ins go, and listens no more. */
  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    const server = this.#server;
    if (server) await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  #connected(socket: Socket): void {
    if (this.#sockets.size >= limits.nriPlugInsMax) {
      this.#options.logger.warn('an NRI plug-in is turned away', { connectedMax: limits.nriPlugInsMax });
      socket.destroy();
      return;
    }
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    this.#receive(socket).catch((error) =>
      this.#options.logger.warn('an NRI plug-in did not get in', { error: messageOf(error) }),
    );
  }

  async #receive(socket: Socket): Promise<void> {
    const plugIn = await PlugIn.register(socket, this.#options);
    const { name } = plugIn;
    try {
      await this.#options.receive(plugIn, () => {
        const list = [...this.#list, plugIn];
        this.#list = list.sort((a, b) => (a.index < b.index ? -1 : a.index > b.index ? 1 : 0));
      });
    } catch (error) {
      plugIn.close(messageOf(error));
      throw error;
    }
    this.#options.logger.info('an NRI plug-in is connected', { plugIn: name });
    await plugIn.closed;
    this.#list = this.#list.filter((other) => other !== plugIn);
    this.#options.logger.info('an NRI plug-in is gone', { plugIn: name });
  }
}

/** Takes away a socket that nobody serves any more. */
async function clearSocket(path: string): Promise<void> {
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (!there) return;
  if (!there.isSocket())
    throw new RuntimeError('FAILED_PRECONDITION', `NRI socket "${path}": there is a file that is no socket`);
  const isServed = await new Promise<boolean>((resolve, reject) => {
    const probe = connect(path, () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', (error) =>
      hasCode(error, 'ECONNREFUSED', 'ENOENT') ? resolve(false) : reject(error),
    );
  });
  if (isServed)
    throw new RuntimeError(
      'FAILED_PRECONDITION',
      `NRI socket "${path}": another process listens there; want a path of its own for each node`,
    );
  rmSync(path, { force: true });
}

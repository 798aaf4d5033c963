/** Unix sockets between simulated processes, as `node:net` offers them to who talks over them. */
import { EventEmitter } from 'node:events';
import { failure } from './failure.ts';
import { currentParticipant, type Participant } from './participant.ts';

/** One end of a connection. */
class SimSocket extends EventEmitter {
  readonly writableLength = 0;
  readonly #process: Participant;
  #peer: SimSocket | undefined;
  #isDestroyed = false;

  constructor(process: Participant) {
    super();
    this.#process = process;
    process.whenKilled(() => this.destroy());
  }

  get destroyed(): boolean {
    return this.#isDestroyed;
  }

  join(peer: SimSocket): void {
    this.#peer = peer;
  }

  write(data: Uint8Array): boolean {
    const bytes = Buffer.from(data);
    if (!this.#isDestroyed) this.#peer?.tell('data', bytes);
    return true;
  }

  destroy(): this {
    if (this.#isDestroyed) return this;
    this.#isDestroyed = true;
    this.tell('close');
    this.#peer?.destroy();
    return this;
  }

  /** Lets its own process hear of something, after what goes on now. */
  tell(event: string, ...facts: unknown[]): void {
    queueMicrotask(() => {
      const isHeard = this.#process.isAlive && (!this.#isDestroyed || event === 'close');
      if (isHeard) this.#process.hear(() => this.emit(event, ...facts));
    });
  }
}

/** Who listens at a path. */
class SimServer extends EventEmitter {
  readonly #process = currentParticipant();
  readonly #onConnection: (socket: SimSocket) => void;
  #path = '';

  constructor(onConnection: (socket: SimSocket) => void) {
    super();
    this.#onConnection = onConnection;
  }

  listen({ path }: { path: string }, done: () => void): this {
    this.#path = path;
    const { machine } = this.#process;
    machine.tree.write(path, '');
    machine.listeners.set(path, this);
    this.#process.whenKilled(() => this.#leave());
    queueMicrotask(done);
    return this;
  }

  close(done: () => void): this {
    this.#leave();
    queueMicrotask(done);
    return this;
  }

  /** A client's end; this one's is told to who listens. */
  accept(client: Participant): SimSocket {
    const [theirs, ours] = [new SimSocket(client), new SimSocket(this.#process)];
    theirs.join(ours);
    ours.join(theirs);
    this.#process.hear(() => this.#onConnection(ours));
    return theirs;
  }

  #leave(): void {
    const { listeners } = this.#process.machine;
    if (listeners.get(this.#path) === this) listeners.delete(this.#path);
  }
}

/** What a machine keeps of a server. */
export type Listener = SimServer;

export const createServer = (onConnection: (socket: SimSocket) => void): SimServer =>
  new SimServer(onConnection);

export function createConnection(path: string): EventEmitter {
  const process = currentParticipant();
  const listener = process.machine.listeners.get(path);
  const socket = listener?.accept(process) ?? new SimSocket(process);
  if (listener) socket.tell('connect');
  else socket.tell('error', failure('ECONNREFUSED', 'connect', path));
  return socket;
}

export type { SimSocket as Socket };

import { Readable } from 'node:stream';
import type { OpenFile } from './descriptors.ts';
import { failure } from './failure.ts';
import { descriptorOf } from './lookup.ts';
import { currentParticipant, type Participant } from './participant.ts';
import { Fifo } from './pipe.ts';

const readBytes = 65_536;

/** `node:net`'s Socket over the reading end of a pipe, as libuv reads it: it owns the descriptor. */
export class Socket extends Readable {
  readonly #process: Participant;
  readonly #descriptor: number;
  readonly #pipe: Fifo;
  readonly #leave: () => void;
  #isWanted = false;

  constructor({ fd, readable }: { fd: number; readable: boolean }) {
    super();
    if (!readable) throw new Error('a socket that is written to is not simulated');
    const { node, path }: OpenFile = descriptorOf(fd, 'read');
    if (!(node instanceof Fifo)) throw failure('EINVAL', 'read', path);
    this.#process = currentParticipant();
    this.#descriptor = fd;
    this.#pipe = node;
    this.#leave = node.watch(() => this.#later());
  }

  override _read(): void {
    this.#isWanted = true;
    this.#later();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#leave();
    this.#process.descriptors.close(this.#descriptor);
    done(error);
  }

  #later(): void {
    if (!this.#isWanted) return;
    this.#process.machine.clock.after(
      0,
      () => this.#process.isAlive && this.#process.hear(() => this.#take()),
    );
  }

  #take(): void {
    if (!this.#isWanted || this.destroyed) return;
    const buffer = Buffer.alloc(readBytes);
    let bytes: number;
    try {
      bytes = this.#pipe.read(buffer);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') this.destroy(error as Error);
      return;
    }
    this.#isWanted = false;
    this.push(bytes === 0 ? null : buffer.subarray(0, bytes));
  }
}

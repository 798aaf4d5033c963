import { failure } from './failure.ts';
import { type Opened, ready, Waitable } from './nodes.ts';

const pageBytes = 4_096;
const slotsDefault = 16;

/** A pipe, with a name or without: bytes in slots of a page at most, as the kernel keeps them. */
export class Fifo extends Waitable {
  #slots: Buffer[] = [];
  #slotsMax = slotsDefault;
  #readers = 0;
  #writers = 0;
  #writersEver = 0;
  /** How many writers there had been when a reader came that found none: it sees no hang-up before another came. */
  readonly #foundNone = new Map<Opened, number>();

  get hasReaders(): boolean {
    return this.#readers > 0;
  }

  get hasWriters(): boolean {
    return this.#writers > 0;
  }

  get byteLength(): number {
    return this.#slots.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** Asks for a size; gives back what it is. Throws EBUSY when more is inside. */
  resize(bytes: number): number {
    const slots = Math.max(1, Math.ceil(bytes / pageBytes));
    if (slots < this.#slots.length) throw failure('EBUSY', 'fcntl', 'a pipe');
    this.#slotsMax = slots;
    return slots * pageBytes;
  }

  override opened(open: Opened): void {
    if (open.canWrite) {
      this.#writers += 1;
      this.#writersEver += 1;
    }
    if (open.canRead) {
      this.#readers += 1;
      if (this.#writers === 0) this.#foundNone.set(open, this.#writersEver);
    }
    this.changed();
  }

  override closed(open: Opened): void {
    if (open.canWrite) this.#writers -= 1;
    if (open.canRead) this.#readers -= 1;
    this.#foundNone.delete(open);
    if (this.#readers + this.#writers === 0) this.#slots = [];
    this.changed();
  }

  override readiness(open: Opened): number {
    const hasHungUp = !this.hasWriters && this.#foundNone.get(open) !== this.#writersEver;
    const canTake = this.#slots.length > 0 ? ready.readable : 0;
    const canPut = this.#slots.length < this.#slotsMax ? ready.writable : 0;
    return (
      (open.canRead ? canTake | (hasHungUp ? ready.hangUp : 0) : 0) |
      (open.canWrite ? canPut | (this.hasReaders ? 0 : ready.hangUp) : 0)
    );
  }

  /** What a writer has: small writes share a page. Throws EAGAIN when there is no room, EPIPE when nobody reads. */
  write(bytes: Buffer): number {
    if (!this.hasReaders) throw failure('EPIPE', 'write', 'a pipe');
    const last = this.#slots.at(-1);
    if (last && last.byteLength + bytes.byteLength <= pageBytes) {
      this.#slots[this.#slots.length - 1] = Buffer.concat([last, bytes]);
      this.changed();
      return bytes.byteLength;
    }
    return this.#put(
      Array.from({ length: Math.ceil(bytes.byteLength / pageBytes) }, (_, page) =>
        Buffer.from(bytes.subarray(page * pageBytes, (page + 1) * pageBytes)),
      ),
    );
  }

  /** Takes bytes out: 0 at the end. Throws EAGAIN when it is empty. */
  read(buffer: Buffer): number {
    const taken = this.#take(buffer.byteLength);
    let at = 0;
    for (const slot of taken) at += slot.copy(buffer, at);
    return at;
  }

  /** splice(2) into another pipe, whose slots the pages take; or out of sight. */
  moveTo(target: Fifo | null, bytes: number): number {
    const room = target?.room ?? Number.POSITIVE_INFINITY;
    if (this.#slots.length > 0 && room === 0) throw failure('EAGAIN', 'splice', 'a pipe');
    const taken = this.#take(bytes, room);
    if (taken.length === 0) return 0;
    return target ? target.#put(taken) : taken.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** tee(2). */
  copyTo(target: Fifo, bytes: number): number {
    const [before, taken] = [this.#slots, this.#take(bytes, target.room)];
    this.#slots = before;
    return taken.length === 0 ? 0 : target.#put(taken);
  }

  /** Free slots. */
  get room(): number {
    return this.#slotsMax - this.#slots.length;
  }

  #take(bytes: number, slotsMax = Number.POSITIVE_INFINITY): Buffer[] {
    if (this.#slots.length === 0) {
      if (this.hasWriters) throw failure('EAGAIN', 'read', 'a pipe');
      return [];
    }
    const [left, taken] = [[...this.#slots], [] as Buffer[]];
    for (let wanted = bytes; wanted > 0 && left.length > 0 && taken.length < slotsMax; ) {
      const slot = left.shift() as Buffer;
      taken.push(slot.subarray(0, wanted));
      if (slot.byteLength > wanted) left.unshift(slot.subarray(wanted));
      wanted -= Math.min(wanted, slot.byteLength);
    }
    this.#slots = left;
    this.changed();
    return taken;
  }

  #put(pages: Buffer[]): number {
    const placed = pages.slice(0, this.room);
    if (placed.length === 0) throw failure('EAGAIN', 'write', 'a pipe');
    this.#slots.push(...placed);
    this.changed();
    return placed.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }
}

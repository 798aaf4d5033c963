import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import type { LogStream } from '@wherry/cri/log';

/** One chunk on its way from a stream's staging pipe into the log. */
export interface LogIntent {
  /** Inode of the log file. */
  inode: bigint;
  /** Its size before the chunk. */
  offset: number;
  /** Bytes of entries that the chunk adds. */
  entryBytes: number;
  /** Bytes in the staging pipe when the chunk was formatted. */
  stagedBytes: number;
  /** How many of them the entries stand for. */
  consumedBytes: number;
}

const slotBytes = 48;
const slots: Record<LogStream, number> = { stdout: 0, stderr: slotBytes };
const journalBytes = 2 * slotBytes;
const active = 1n;

/**
 * Says for each stream which chunk is being logged, so that a new monitor neither logs it twice nor loses it when this
 * one is killed between two steps. Page cache is enough: a machine that goes down takes the container with it. It has its
 * place on the disk from the start. Where a write fails all the same, log and container go on, and a chunk that is under way
 * when this monitor is killed may be logged twice.
 */
export class LogJournal {
  readonly #descriptor: number;
  readonly #slot = Buffer.alloc(slotBytes);

  constructor(path: string) {
    this.#descriptor = openSync(path, 'a+', 0o600);
    closeSync(this.#descriptor);
    this.#descriptor = openSync(path, 'r+');
    if (fstatSync(this.#descriptor).size < journalBytes) this.#put(Buffer.alloc(journalBytes), 0);
  }

  begin(stream: LogStream, intent: LogIntent): void {
    const { inode, offset, entryBytes, stagedBytes, consumedBytes } = intent;
    const fields = [
      active,
      inode,
      BigInt(offset),
      BigInt(entryBytes),
      BigInt(stagedBytes),
      BigInt(consumedBytes),
    ];
    for (const [index, field] of fields.entries()) this.#slot.writeBigUInt64LE(field, index * 8);
    this.#put(this.#slot, slots[stream]);
  }

  /** The chunk is logged and gone from the staging pipe. */
  finish(stream: LogStream): void {
    this.#put(idle, slots[stream]);
  }

  /** The chunk that was on its way when the last monitor ended, or null. */
  pending(stream: LogStream): LogIntent | null {
    const slot = Buffer.alloc(slotBytes);
    readSync(this.#descriptor, slot, 0, slotBytes, slots[stream]);
    const field = (index: number) => slot.readBigUInt64LE(index * 8);
    if (field(0) !== active) return null;
    return {
      inode: field(1),
      offset: Number(field(2)),
      entryBytes: Number(field(3)),
      stagedBytes: Number(field(4)),
      consumedBytes: Number(field(5)),
    };
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #put(bytes: Uint8Array, position: number): void {
    try {
      writeSync(this.#descriptor, bytes, 0, bytes.byteLength, position);
    } catch {
      // A full disk: see above.
    }
  }
}

const idle = Buffer.alloc(8);

import type { DiskOperation } from './disk-recording.ts';

/** A disk writes sectors whole, and in any order. */
const sectorBytes = 512;

/** What becomes of a sector that was written and not flushed when the power is cut. */
export type Fate = (versions: number) => number;

/** Nothing that was not flushed reached the disk. */
export const allLost: Fate = () => 0;
/** All of it did. */
export const allThere: Fate = (versions) => versions - 1;
/** Each sector for itself, as `random` (in [0, 1)) has it. */
export const torn =
  (random: () => number): Fate =>
  (versions) =>
    Math.floor(random() * versions);

type Change = Exclude<DiskOperation, { kind: 'flush' }>;

/** One file as a disk has it: what is flushed, and what might be there. */
export class DiskImage {
  #flushed: Buffer = Buffer.alloc(0);
  #changes: { change: Change; index: number }[] = [];

  /** `index`: of the operation in its recording. */
  apply(operation: DiskOperation, index: number): void {
    if (operation.kind !== 'flush') {
      this.#changes.push({ change: operation, index });
      return;
    }
    const isFlushed = (entry: { index: number }) => entry.index < operation.began;
    const flushed = this.#changes.filter(isFlushed).map(({ change }) => change);
    this.#flushed = imageOf(this.#flushed, flushed, allThere);
    this.#changes = this.#changes.filter((entry) => !isFlushed(entry));
  }

  /** The file after a power cut now. */
  afterCut(fate: Fate): Buffer {
    return imageOf(
      this.#flushed,
      this.#changes.map(({ change }) => change),
      fate,
    );
  }
}

function imageOf(base: Buffer, changes: readonly Change[], fate: Fate): Buffer {
  /** The states that each sector went through, the flushed one first. */
  const sectors = new Map<number, Buffer[]>();
  let lengths = [base.length];
  const statesOf = (sector: number) => {
    let states = sectors.get(sector);
    if (!states) {
      const state = Buffer.alloc(sectorBytes);
      base.subarray(sector * sectorBytes, (sector + 1) * sectorBytes).copy(state);
      states = [state];
      sectors.set(sector, states);
    }
    return states;
  };
  let length = base.length;
  for (const change of changes) {
    if (change.kind === 'truncate') {
      for (let sector = Math.floor(change.length / sectorBytes); sector * sectorBytes < length; sector++) {
        const next = Buffer.from(statesOf(sector).at(-1)!);
        next.fill(0, Math.max(0, change.length - sector * sectorBytes));
        statesOf(sector).push(next);
      }
      length = change.length;
    } else {
      writeSectors(change, statesOf);
      length = Math.max(length, change.offset + change.data.length);
    }
    lengths = [...lengths, length];
  }
  const result = Buffer.alloc(lengths[fate(lengths.length)]!);
  base.copy(result);
  for (const [sector, states] of sectors) states[fate(states.length)]!.copy(result, sector * sectorBytes);
  return result;
}

function writeSectors(
  { offset, data }: Extract<Change, { kind: 'write' }>,
  statesOf: (sector: number) => Buffer[],
): void {
  const end = offset + data.length;
  for (let sector = Math.floor(offset / sectorBytes); sector * sectorBytes < end; sector++) {
    const states = statesOf(sector);
    const next = Buffer.from(states.at(-1)!);
    const begin = sector * sectorBytes;
    const from = Math.max(offset, begin);
    data.copy(next, from - begin, from - offset, Math.min(end, begin + sectorBytes) - offset);
    states.push(next);
  }
}

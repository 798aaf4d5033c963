import { readdirSync, readFileSync } from 'node:fs';

/** A process of a node, by the part that it runs. */
export interface PartProcess {
  role: string;
  pid: number;
}

/** Memory of each part in MiB of PSS: pages shared with other processes count by their share. */
export type Footprint = Map<string, number>;

/** Proportional set size of a process in MiB. Throws when it has ended. */
export function pssMebibytes(pid: number): number {
  return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) / 1024;
}

export function footprintOf(processes: readonly PartProcess[]): Footprint {
  return new Map(processes.map(({ role, pid }) => [role, pssMebibytes(pid)]));
}

export const totalOf = (footprint: Footprint): number => [...footprint.values()].reduce((a, b) => a + b, 0);

/** How many files each part holds open, so that a leak of them is seen too. */
export function openFilesOf(processes: readonly PartProcess[]): Map<string, number> {
  return new Map(processes.map(({ role, pid }) => [role, readdirSync(`/proc/${pid}/fd`).length]));
}

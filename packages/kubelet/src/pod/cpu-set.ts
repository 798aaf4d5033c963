/** Processors, by the kernel's numbers. */
export type CpuSet = ReadonlySet<number>;

/** The highest number that a list may name. */
const cpuMax = 65_535;

/** Reads the kernel's notation, such as `0-3,8`; '' is the empty set. Throws for anything else. */
export function parseCpuSet(text: string): CpuSet {
  const cpus = new Set<number>();
  if (text === '') return cpus;
  for (const part of text.split(',')) {
    const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(part) ?? [];
    const [from, to] = [Number(first), Number(last)];
    if (first === undefined || from > to || to > cpuMax)
      throw new Error(
        `${JSON.stringify(text)} is not a list of processors such as "0-3,8": see ${JSON.stringify(part)}`,
      );
    for (let cpu = from; cpu <= to; cpu += 1) cpus.add(cpu);
  }
  return cpus;
}

/** The kernel's notation, in order and as short as can be. */
export function formatCpuSet(cpus: CpuSet): string {
  const ranges: [number, number][] = [];
  for (const cpu of sorted(cpus)) {
    const range = ranges.at(-1);
    if (range && cpu === range[1] + 1) range[1] = cpu;
    else ranges.push([cpu, cpu]);
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(',');
}

/** In the order of their numbers. */
export const sorted = (numbers: Iterable<number>): number[] => [...numbers].sort((a, b) => a - b);

export const isSameSet = (one: CpuSet, other: CpuSet): boolean =>
  one.size === other.size && one.isSubsetOf(other);

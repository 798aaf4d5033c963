const units: [string, number][] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
];

/** A time span for people, in its largest whole unit. */
export function formatAge(milliseconds: number): string {
  const [unit, size] = units.find(([, size]) => milliseconds >= size) ?? ['s', 1_000];
  return `${Math.max(0, Math.floor(milliseconds / size))}${unit}`;
}

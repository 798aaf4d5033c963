const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
const step = 1024;

/** A size for people: three digits at least, binary units. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= step && unit < units.length - 1) {
    value /= step;
    unit += 1;
  }
  return unit === 0 ? `${bytes} B` : `${value.toFixed(value < 10 ? 2 : 1)} ${units[unit]}`;
}

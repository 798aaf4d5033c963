import { paint, type Tone } from './colours.ts';

const gap = 3;

/**
 * Columns as wide as their widest cell, three spaces apart, as kubectl prints them. No trailing spaces. On a terminal the header
 * is bold, and `toneOf` colours cells.
 */
export function formatTable(
  header: string[],
  rows: string[][],
  toneOf: (title: string, cell: string) => Tone | undefined = () => undefined,
): string {
  const widths = header.map(
    (title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)) + gap,
  );
  const write = (line: string[], tone: (title: string, cell: string) => Tone | undefined) => {
    const last = line.findLastIndex((cell) => cell !== '');
    return line
      .slice(0, last + 1)
      .map((cell, column) => {
        const painted = paint(cell, tone(header[column] ?? '', cell), process.stdout);
        return column === last ? painted : painted + ' '.repeat((widths[column] ?? 0) - cell.length);
      })
      .join('');
  };
  const isShown = header.some((title) => title !== '');
  return [...(isShown ? [write(header, () => 'title')] : []), ...rows.map((row) => write(row, toneOf))].join(
    '\n',
  );
}

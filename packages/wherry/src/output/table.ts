import { harmless } from '../words/harmless.ts';
import { paint, type Tone } from './colours.ts';

const gap = 3;
/** Narrower columns are made so wide, gap included, as kubectl has it. */
const columnMin = 6;

/** How a table looks. */
export interface TableOptions {
  /** Default true. */
  hasHeader?: boolean;
  /** Rows printed before, which the columns stay in line with. */
  alignedWith?: readonly string[][];
  /** The colour of a cell by its column's title. */
  toneOf?: (title: string, cell: string) => Tone | undefined;
}

/**
 * Columns as wide as their widest cell, three spaces apart, as kubectl prints them. No trailing spaces. At a terminal the
 * header is bold, and cells have their tones. What a terminal would obey is shown.
 */
export function formatTable(titles: string[], cells: string[][], options: TableOptions = {}): string {
  const { hasHeader = true, toneOf = () => undefined } = options;
  const [header = [], ...rows] = [titles, ...cells].map((row) => row.map(harmless));
  const alignedWith = (options.alignedWith ?? []).map((row) => row.map(harmless));
  const measured = [...(hasHeader ? [header] : []), ...rows, ...alignedWith];
  const widths = header.map((_, column) =>
    Math.max(columnMin, ...measured.map((row) => (row[column]?.length ?? 0) + gap)),
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
  const lines = rows.map((row) => write(row, toneOf));
  return (hasHeader ? [write(header, () => 'title'), ...lines] : lines).join('\n');
}

import { harmless } from '../../words/harmless.ts';
import type { Lines } from './lines.ts';

const paddingLength = 2;

/**
 * Lines as text: each cell that a tab ends is as wide as the widest of those right above and below it, two spaces apart, as
 * Go's text/tabwriter has it. What would move a terminal's cursor is shown instead.
 */
export function aligned(lines: Lines): string {
  const rows = lines.flatMap((line) => harmless(line).split('\n')).map((line) => line.split(/[\t\v]/));
  const widths = rows.map((): number[] => []);
  const columnsMax = Math.max(0, ...rows.map(({ length }) => length - 1));
  for (let column = 0; column < columnsMax; column++) measure(rows, widths, column);
  return rows
    .map((cells, row) => cells.map((cell, column) => padded(cell, widths[row]?.[column])).join(''))
    .map((line) => `${line}\n`)
    .join('');
}

/** Finds each run of rows that have this column, and how wide it is there. */
function measure(rows: readonly string[][], widths: readonly number[][], column: number): void {
  const hasColumn = (row: number) => (rows[row]?.length ?? 0) > column + 1;
  for (let start = 0; start < rows.length; start++) {
    if (!hasColumn(start)) continue;
    let end = start;
    while (hasColumn(end)) end++;
    const block = rows.slice(start, end).map((cells) => lengthOf(cells[column] ?? ''));
    const width = Math.max(...block) + paddingLength;
    for (let row = start; row < end; row++) widths[row]?.push(width);
    start = end;
  }
}

const padded = (cell: string, width: number | undefined): string =>
  width === undefined ? cell : cell + ' '.repeat(width - lengthOf(cell));

/** In code points. */
const lengthOf = (text: string): number => [...text].length;

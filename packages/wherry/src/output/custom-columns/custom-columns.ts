import { CommandError } from '../../errors.ts';
import { findValues } from '../jsonpath/evaluate.ts';
import { parsePath, type Step } from '../jsonpath/parse.ts';
import { goText } from './go-text.ts';

interface CustomColumn {
  title: string;
  path: Step[];
}

const absent = '<none>';

/** Reads `TITLE:.path,TITLE:.path`. Throws `CommandError` for what is no such list. */
export function parseCustomColumns(text: string): CustomColumn[] {
  return text.split(/,(?![^[(]*[\])])/).map((column) => {
    const [, title, path] = /^([^:]+):(.+)$/s.exec(column.trim()) ?? [];
    if (title === undefined || path === undefined) {
      throw new CommandError(`the column "${column}" is no TITLE:.path, such as NAME:.metadata.name`);
    }
    return { title, path: parsePath(path) };
  });
}

/** The header and one row for each item. */
export function customTable(
  columns: readonly CustomColumn[],
  items: readonly unknown[],
): { header: string[]; rows: string[][] } {
  const cell = (path: Step[], item: unknown) => {
    const values = findValues(path, item);
    return values.length === 0 ? absent : values.map(goText).join(',');
  };
  return {
    header: columns.map(({ title }) => title),
    rows: items.map((item) => columns.map(({ path }) => cell(path, item))),
  };
}

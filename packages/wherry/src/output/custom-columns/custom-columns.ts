import { CommandError } from '../../errors.ts';
import type { Template } from '../jsonpath/parse.ts';
import { relaxedPath, valuesAt } from '../jsonpath/relaxed-path.ts';
import { goText } from './go-text.ts';

interface CustomColumn {
  title: string;
  path: Template;
}

const absent = '<none>';

/** Reads `TITLE:.path,TITLE:.path`. Throws `CommandError` for what is no such list. */
export function parseCustomColumns(text: string): CustomColumn[] {
  if (text === '') throw new CommandError('custom-columns format specified but no custom columns given');
  return text.split(/,(?![^[(]*[\])])/).map((column) => {
    const [, title, path] = /^([^:]*):(.*)$/s.exec(column) ?? [];
    if (title === undefined || path === undefined)
      throw new CommandError(`unexpected custom-columns spec: ${column}, expected <header>:<json-path-expr>`);
    return { title, path: relaxedPath(path) };
  });
}

/** The header and one row for each item. */
export function customTable(
  columns: readonly CustomColumn[],
  items: readonly unknown[],
): { header: string[]; rows: string[][] } {
  const cell = (path: Template, item: unknown) => {
    const values = valuesAt(path, item);
    return values.length === 0 ? absent : values.map(goText).join(',');
  };
  return {
    header: columns.map(({ title }) => title),
    rows: items.map((item) => columns.map(({ path }) => cell(path, item))),
  };
}

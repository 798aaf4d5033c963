import { CommandError } from '../../errors.ts';
import type { Template } from '../jsonpath/parse.ts';
import { relaxedPath, valuesAt } from '../jsonpath/relaxed-path.ts';
import { goText } from './go-text.ts';

interface CustomColumn {
  title: string;
  path: Template;
}

const absent = '<none>';

/** Reads `TITLE:.path,TITLE:.path`, or what a file says, behind a newline. Throws `CommandError` for what is no such list. */
export function parseCustomColumns(text: string): CustomColumn[] {
  if (text === '') throw new CommandError('custom-columns format specified but no custom columns given');
  if (text.startsWith('\n')) return columnsOfFile(text.slice(1));
  return text.split(/,(?![^[(]*[\])])/).map((column) => {
    const [, title, path] = /^([^:]*):(.*)$/s.exec(column) ?? [];
    if (title === undefined || path === undefined)
      throw new CommandError(`unexpected custom-columns spec: ${column}, expected <header>:<json-path-expr>`);
    return { title, path: relaxedPath(path) };
  });
}

/** A line of titles and a line of paths, apart by spaces. */
function columnsOfFile(text: string): CustomColumn[] {
  const [titleLine, pathLine] = text.replace(/\n$/, '').split('\n');
  const lacking = (what: string) =>
    new CommandError(
      `invalid template, missing ${what} line. Expected format is one line of space separated headers, one line of space separated column specs.`,
    );
  if (!titleLine && pathLine === undefined && text === '') throw lacking('header');
  if (pathLine === undefined) throw lacking('spec');
  const [titles, paths] = [titleLine ?? '', pathLine].map((line) =>
    line.split(/\s+/).filter((word) => word !== ''),
  ) as [string[], string[]];
  if (titles.length !== paths.length)
    throw new CommandError(
      `number of headers (${titles.length}) and field specifications (${paths.length}) don't match`,
    );
  return titles.map((title, index) => ({ title, path: relaxedPath(paths[index] ?? '') }));
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

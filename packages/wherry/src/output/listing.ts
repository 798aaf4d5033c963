import { stringify } from 'yaml';
import { toJson } from './json.ts';
import type { OutputFormat } from './output-format.ts';
import { formatTable } from './table.ts';

/** One column of a table; `wide` ones are shown with `-o wide` only. */
export interface Column<T> {
  title: string;
  wide?: boolean;
  cell(item: T): string;
}

/** Things of one kind, and how people see them. */
export interface Listing<T> {
  items: readonly T[];
  columns: readonly Column<T>[];
  /** What `-o name` prints of one: the word that other commands take. */
  nameOf(item: T): string;
}

/** A listing in the form asked for. */
export function formatListing<T>({ items, columns, nameOf }: Listing<T>, format?: OutputFormat): string {
  if (format === 'json' || format === 'yaml') return formatValue(items, format);
  if (format === 'name') return items.map(nameOf).join('\n');
  const shown = columns.filter(({ wide }) => !wide || format === 'wide');
  return formatTable(
    shown.map(({ title }) => title),
    items.map((item) => shown.map(({ cell }) => cell(item))),
  );
}

/** A value as JSON or YAML, with what JSON has no form for as protobuf's JSON mapping has it. */
export function formatValue(value: unknown, format: 'json' | 'yaml'): string {
  const json = toJson(value);
  return format === 'json' ? json : stringify(JSON.parse(json)).trimEnd();
}

/** Prints a text; nothing for an empty one. */
export function print(text: string): void {
  if (text !== '') console.log(text);
}

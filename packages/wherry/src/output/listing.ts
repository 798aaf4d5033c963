import { exactJson, parseExactJson, writeYaml, type YamlValue } from '@wherry/kubeapi';
import type { Tone } from './colours.ts';
import { customTable, parseCustomColumns } from './custom-columns/custom-columns.ts';
import { goLines } from './json.ts';
import { formatKyaml } from './kyaml/kyaml.ts';
import { isValueFormat, type OutputFormat, type TemplateFormat, type ValueFormat } from './output-format.ts';
import { formatTable } from './table.ts';

/** One column of a table; `wide` ones are shown with `-o wide` only. */
export interface Column<T> {
  title: string;
  wide?: boolean;
  cell(item: T): string;
  tone?(cell: string): Tone | undefined;
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
  if (isValueFormat(format)) return formatValue(items, format);
  if (format === 'name') return items.map(nameOf).join('\n');
  const shown = columns.filter(({ wide }) => !wide || format === 'wide');
  return formatTable(
    shown.map(({ title }) => title),
    items.map((item) => shown.map(({ cell }) => cell(item))),
    { toneOf: (title, cell) => shown.find((column) => column.title === title)?.tone?.(cell) },
  );
}

/** A value in a form that needs nothing else. Takes what JSON has a form for. */
export function formatValue(value: unknown, format: ValueFormat): string {
  const plain = plainOf(value);
  if (format === 'json') return goLines(plain);
  if (typeof format === 'object') return Buffer.from(written(plain, format)).toString();
  if (format === 'yaml') return writeYaml(plain as YamlValue).replace(/\n$/, '');
  if (format === 'kyaml') return formatKyaml(plain);
  const template = format.slice(format.indexOf('=') + 1);
  const { header, rows } = customTable(parseCustomColumns(template), itemsOf(plain));
  return formatTable(header, rows);
}

/** Without what JSON leaves out. */
const plainOf = (value: unknown): unknown => parseExactJson(exactJson(value));

/** The items of a list, of either kind; else the value alone. */
function itemsOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  const isList =
    typeof value === 'object' && value !== null && 'items' in value && Array.isArray(value.items);
  return isList ? (value.items as unknown[]) : [value];
}

/** Prints a text as a line or lines; nothing for an empty one. */
export function print(text: string): void {
  if (text !== '') console.log(text);
}

/** Prints a value. What a template makes is printed to the letter, without a line's end of ours. */
export function printValue(value: unknown, format: ValueFormat): void {
  if (typeof format === 'object') printTemplate(plainOf(value), format);
  else if (isToTheLetter(format)) process.stdout.write(formatValue(value, format));
  else print(formatValue(value, format));
}

/** As in kubectl, what was written up to a mistake is printed too. */
function printTemplate(value: unknown, format: TemplateFormat): void {
  const { bytes, error } = format.write(value);
  process.stdout.write(bytes);
  if (error) throw error;
}

function written(value: unknown, format: TemplateFormat): Uint8Array {
  const { bytes, error } = format.write(value);
  if (error) throw error;
  return bytes;
}

/** True for forms that end where what they say ends, without a line's end of ours. */
export const isToTheLetter = (format: ValueFormat): boolean => typeof format === 'object';

/** Prints a listing, as {@link printValue} does. */
export function printListing<T>(listing: Listing<T>, format?: OutputFormat): void {
  if (isValueFormat(format)) printValue(listing.items, format);
  else print(formatListing(listing, format));
}

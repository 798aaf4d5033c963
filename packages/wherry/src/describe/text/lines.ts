/** What is told of an object, line by line; a tab ends a cell, and cells below each other are made as wide as the widest. */
export type Lines = readonly string[];

/** What may stand in a cell. */
export type Told = string | number | boolean;

/** `Title:`, and what there is to say. */
export const field = (title: string, value: Told = ''): string => `${title}:\t${value}`;

/** As {@link field}; no line where there is nothing. */
export const given = (title: string, value: Told | undefined): Lines =>
  (value ?? '') === '' ? [] : [field(title, value)];

/** Lines further to the right, by two spaces for each level. */
export const indented = (lines: Lines, levels = 1): Lines =>
  lines.map((line) => `${'  '.repeat(levels)}${line}`);

/** Lines below a title. */
export const section = (title: string, lines: Lines): Lines => [`${title}:`, ...indented(lines)];

/** Values below each other, the first beside the title. */
export function stacked(title: string, values: Lines): Lines {
  const [first = '<none>', ...more] = values;
  return [field(title, first), ...more.map((value) => `\t${value}`)];
}

/** A column's title; with how long the line below it is, where that differs. */
export type ColumnTitle = string | readonly [title: string, ruleLength: number];

/** Rows below titles that are underlined. */
export function columns(
  titles: readonly ColumnTitle[],
  rows: readonly (readonly (Told | undefined)[])[],
): Lines {
  const named = titles.map((one) => (typeof one === 'string' ? ([one, one.length] as const) : one));
  const head = named.map(([title]) => title);
  const rules = named.map(([, length]) => '-'.repeat(length));
  return [head, rules, ...rows].map((cells) => cells.join('\t'));
}

/** `True`, `False`. */
export const yesNo = (value: boolean | undefined): string => (value ? 'True' : 'False');

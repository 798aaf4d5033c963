/** What a printer is: the columns of a kind, and the cells of one object. */
import type {
  Container,
  LabelSelector,
  TableColumnDefinition,
  TableRowCondition,
} from '../generated/types.ts';
import { matcherFrom } from '../selector/label-selector.ts';
import { validateSelector } from '../validation/metadata.ts';

/** A cell: text, or a number or boolean that sorts as such; null where there is nothing to show. */
export type Cell = string | number | bigint | boolean | null;

/** Prints the objects of one kind; a pure function of the object and the time. */
export interface Printer<T> {
  columns: TableColumnDefinition[];
  cells(object: T, nowMs: number): Cell[];
  /** Marks rows of objects that came to an end. */
  conditions?(object: T): TableRowCondition[];
}

/** A column; `wide` ones show with `-o wide`. */
export function column(
  name: string,
  type: 'string' | 'integer' | 'boolean' = 'string',
): TableColumnDefinition {
  return { name, type, format: '', description: '', priority: 0 };
}

/** A column that shows with `-o wide`. */
export function wide(name: string): TableColumnDefinition {
  return { ...column(name), priority: 1 };
}

/** The column of the object's name. */
export const nameColumn: TableColumnDefinition = { ...column('Name'), format: 'name' };

/** The column of the time since creation. */
export const ageColumn: TableColumnDefinition = column('Age');

/** `<none>` in place of an empty text. */
export const orNone = (text: string | undefined): string => text || '<none>';

/** Labels or a node selector as `a=1,b=2`. */
export function labelText(labels: Record<string, string> | undefined): string {
  const pairs = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return orNone(pairs.sort().join(','));
}

/** A selector as text. */
export function selectorText(selector: LabelSelector | undefined): string {
  if (validateSelector(selector, '').length > 0) return '<error>';
  return orNone(selector && matcherFrom(selector).toString());
}

/** Names and images of containers, each joined by commas. */
export function containerCells(
  containers: readonly Container[] | undefined,
): [names: string, images: string] {
  const list = containers ?? [];
  return [list.map(({ name }) => name).join(','), list.map(({ image }) => image ?? '').join(',')];
}

/** The first three of a list, and how many more there are. `count`: of items of which no more than the first three need be given. */
export function firstThree(items: string[], count = items.length): string {
  const shown = items.slice(0, 3).join(',');
  return count > 3 ? `${shown} + ${count - 3} more...` : orNone(shown);
}

/** Columns of the containers of a template, shown with `-o wide`. */
export const templateColumns = [wide('Containers'), wide('Images'), wide('Selector')];

/** The first columns of what keeps a number of pods. */
export const replicaColumns = [
  nameColumn,
  column('Desired', 'integer'),
  column('Current', 'integer'),
  column('Ready', 'integer'),
];

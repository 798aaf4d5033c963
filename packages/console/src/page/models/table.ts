import type { KubeObject } from '@wherry/client';
import { limits } from '../limits.ts';
import { cellText, type ListDefinition, objectHref, type Tone } from './lists.ts';

/** One object as a row. */
export interface Row {
  /** Names it among the rows, for as long as it lives. */
  key: string;
  cells: string[];
  /** Where the name leads; undefined for nowhere. */
  href: string | undefined;
  tone: Tone;
  note: string | undefined;
}

/** What a list shows. */
export interface Table {
  columns: string[];
  /** Which column has the object's name; below 0 for none. */
  nameColumn: number;
  rows: Row[];
  /** How many objects there are, those left out by the filter too. */
  total: number;
  /** How many fit the filter. */
  found: number;
}

/** How a table is to be made. */
export interface TableOptions {
  objects: Iterable<KubeObject>;
  nowMs: number;
  showsNamespace: boolean;
  /** Words that a row must have, all of them, in any case. */
  filter: string;
}

/** The table of some objects: kubectl's columns, at most `limits.rowsMax` rows. A pure function. */
export function tableOf(list: ListDefinition, options: TableOptions): Table {
  const { printer, wide, toneOf, noteOf } = list;
  const hrefOf = list.hrefOf ?? ((object: KubeObject) => objectHref(list.type, object));
  const shown = printer.columns.flatMap(({ name, priority }, index) =>
    priority === 0 || wide.includes(name) ? [{ name, index }] : [],
  );
  const { showsNamespace, nowMs } = options;
  const lead = showsNamespace ? 1 : 0;
  const objects = [...options.objects].sort(list.order ?? byName);
  const rows = objects.map((object): Row => {
    const all = printer.cells(object as never, nowMs).map(cellText);
    const cell = (column: string) => all[printer.columns.findIndex(({ name }) => name === column)] ?? '';
    const { namespace = '', name = '', uid } = object.metadata ?? {};
    const cells = shown.map(({ index }) => all[index] ?? '');
    return {
      key: uid ?? `${namespace}/${name}`,
      cells: showsNamespace ? [namespace, ...cells] : cells,
      href: hrefOf(object),
      tone: toneOf(object, cell),
      note: noteOf?.(object),
    };
  });
  const found = rows.filter((row) => fits(row, options.filter));
  return {
    columns: [...(showsNamespace ? ['Namespace'] : []), ...shown.map(({ name }) => name)],
    nameColumn: shown.findIndex(({ name }) => name === 'Name') + lead,
    rows: found.slice(0, limits.rowsMax),
    total: rows.length,
    found: found.length,
  };
}

/** Whether a row has all words of a filter, in any case. */
export function fits({ cells, note = '' }: Pick<Row, 'cells' | 'note'>, filter: string): boolean {
  const text = [...cells, note].join(' ').toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function byName(one: KubeObject, other: KubeObject): number {
  const key = ({ metadata: { namespace = '', name = '' } = {} }: KubeObject) => `${namespace}/${name}`;
  return key(one) < key(other) ? -1 : 1;
}

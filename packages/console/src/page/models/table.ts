import type { DiscoveredResource, KubeObject } from '@wherry/client';
import { limits } from '../limits.ts';
import { objectHref } from './links.ts';
import { cellText, type ListDefinition } from './lists.ts';
import { countTones, type Tone, toneFilter } from './tones.ts';

/** One object as a row. */
export interface Row {
  /** Names it among the rows, for as long as it lives. */
  key: string;
  cells: string[];
  /** Where the name leads; undefined for nowhere. */
  href: string | undefined;
  /** Where another of its cells leads. */
  link?: { column: string; href: string | undefined } | undefined;
  tone: Tone;
  note: string | undefined;
}

/** What a list shows. */
export interface Table {
  columns: string[];
  /** Which column has the object's name; below 0 for none. */
  nameColumn: number;
  /** Those of the page that is shown. */
  rows: Row[];
  /** Which page of them that is, and of how many: from 1. */
  pageNumber: number;
  pageCount: number;
  /** How many objects there are, those left out by the filter too. */
  total: number;
  /** How many of them have not been read, and are neither shown nor found. */
  unread: number;
  /** How many fit the filter. */
  found: number;
  /** How many rows look how, those left out by the filter too. */
  tones: ReadonlyMap<Tone, number>;
}

/** How a table is to be made. */
export interface TableOptions {
  objects: Iterable<KubeObject>;
  nowMs: number;
  showsNamespace: boolean;
  /** Words that a row must have, all of them, in any case. */
  filter: string;
  /** The words of the rows' tones. Default: those of objects. */
  words?: ReadonlyMap<Tone, string> | undefined;
  /** Which page of the rows; the last one where there are fewer. Default 1. */
  pageNumber?: number | undefined;
  /** What the server has, as far as it is known: for links to what a row names. */
  resources?: readonly DiscoveredResource[] | undefined;
}

/** The table of some objects: kubectl's columns, and one page of rows. A pure function. */
export function tableOf(list: ListDefinition, options: TableOptions): Table {
  const { printer, wide, toneOf, noteOf, linkOf } = list;
  const hrefOf = list.hrefOf ?? ((object: KubeObject) => objectHref(list.type, object));
  const shown = printer.columns.flatMap(({ name, priority }, index) =>
    priority === 0 || wide.includes(name) ? [{ name, index }] : [],
  );
  const { nowMs, resources = [] } = options;
  const objects = [...options.objects].sort(list.order ?? byName);
  const rows = objects.map((object): Row => {
    const all = printer.cells(object as never, nowMs).map(cellText);
    const cell = (column: string) => all[printer.columns.findIndex(({ name }) => name === column)] ?? '';
    return {
      ...keyedCells(
        object,
        shown.map(({ index }) => all[index] ?? ''),
        options,
      ),
      href: hrefOf(object),
      tone: toneOf(object, cell),
      link: linkOf?.(object, resources),
      note: noteOf?.(object, nowMs),
    };
  });
  return shownTable(
    shown.map(({ name }) => name),
    rows,
    { ...options, words: list.words },
  );
}

/** How rows are shown, wherever they are from. */
type Showing = Pick<TableOptions, 'showsNamespace' | 'filter' | 'pageNumber' | 'words'>;

/** What names a row, and its cells, with the namespace in front where that is shown. */
export function keyedCells(
  { metadata: { namespace = '', name = '', uid } = {} }: KubeObject,
  cells: string[],
  { showsNamespace }: Showing,
): Pick<Row, 'key' | 'cells'> {
  return { key: uid ?? `${namespace}/${name}`, cells: showsNamespace ? [namespace, ...cells] : cells };
}

/** A page of the rows that fit the filter. `unread`: how many objects there are beside them. */
export function shownTable(
  names: readonly string[],
  rows: readonly Row[],
  { showsNamespace, filter, pageNumber: asked = 1, words: toneNames }: Showing,
  unread = 0,
): Table {
  const columns = [...(showsNamespace ? ['Namespace'] : []), ...names];
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const found = words.length === 0 ? rows : rows.filter((row) => fits(row, words, toneNames));
  const pageCount = Math.max(1, Math.ceil(found.length / limits.pageRows));
  const pageNumber = Math.min(asked, pageCount);
  const end = pageNumber * limits.pageRows;
  return {
    columns,
    nameColumn: columns.indexOf('Name'),
    ...{ rows: found.slice(end - limits.pageRows, end), pageNumber, pageCount },
    ...{ total: rows.length + unread, unread },
    found: found.length,
    tones: countTones(rows),
  };
}

/** How many rows there are: `12 in all`, `3 that fit the filter, of 12`. A pure function. */
export function countText({ found, total, unread }: Pick<Table, 'found' | 'total' | 'unread'>): string {
  const all = unread > 0 ? `the first ${total - unread} of ${total}` : `${total}`;
  return found === total - unread ? `${all} in all` : `${found} that fit the filter, of ${all}`;
}

function fits(
  { cells, note = '', tone }: Row,
  words: readonly string[],
  toneNames?: ReadonlyMap<Tone, string>,
): boolean {
  const text = [...cells, note, toneFilter(tone, toneNames)].join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
}

function byName(one: KubeObject, other: KubeObject): number {
  const key = ({ metadata: { namespace = '', name = '' } = {} }: KubeObject) => `${namespace}/${name}`;
  return key(one) < key(other) ? -1 : 1;
}

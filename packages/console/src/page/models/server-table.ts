import type { KubeObject } from '@wherry/client';
import { age } from '@wherry/kubeapi/printers';
import { limits } from '../limits.ts';
import { fits, type Row, type Table } from './table.ts';

/** A table as `meta.k8s.io/v1` has it; each row's object has its metadata alone. */
export interface ServerTable {
  kind: 'Table';
  metadata?: { continue?: string; remainingItemCount?: number };
  columnDefinitions: { name: string; priority?: number }[];
  rows: { cells: unknown[]; object?: KubeObject }[] | null;
}

/** How a server's table is shown. */
export interface ServerTableOptions {
  nowMs: number;
  showsNamespace: boolean;
  /** Words that a row must have, all of them, in any case. */
  filter: string;
  hrefOf(object: KubeObject): string;
}

/** What a server says of objects, as a list of the page: the columns that kubectl shows, ages as of now. A pure function. */
export function tableOfServer(answer: ServerTable, options: ServerTableOptions): Table {
  const { nowMs, showsNamespace, filter, hrefOf } = options;
  const shown = answer.columnDefinitions.flatMap(({ name, priority = 0 }, index) =>
    priority === 0 ? [{ name, index }] : [],
  );
  const given = answer.rows ?? [];
  const rows = given.map(({ cells, object }): Row => {
    const { namespace = '', name = '', uid, creationTimestamp, deletionTimestamp } = object?.metadata ?? {};
    const words = shown.map((column) =>
      column.name === 'Age' ? age(creationTimestamp, nowMs) : cellText(cells[column.index]),
    );
    return {
      key: uid ?? `${namespace}/${name}`,
      cells: showsNamespace ? [namespace, ...words] : words,
      href: object && hrefOf(object),
      tone: deletionTimestamp ? 'over' : 'plain',
      note: undefined,
    };
  });
  const found = rows.filter((row) => fits(row, filter));
  return {
    columns: [...(showsNamespace ? ['Namespace'] : []), ...shown.map(({ name }) => name)],
    nameColumn: shown.findIndex(({ name }) => name === 'Name') + (showsNamespace ? 1 : 0),
    rows: found.slice(0, limits.rowsMax),
    total: rows.length + (answer.metadata?.remainingItemCount ?? 0),
    found: found.length,
  };
}

/** A cell as text: lists and objects as JSON, as kubectl shows them. */
function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  return typeof cell === 'string' ? cell : JSON.stringify(cell);
}

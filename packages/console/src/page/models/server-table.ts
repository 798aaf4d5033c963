import { shownJson } from '@wherry/bytes';
import type { KubeObject } from '@wherry/client';
import { age } from '@wherry/kubeapi/printers';
import { keyedCells, type Row, shownTable, type Table } from './table.ts';

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
  /** Default 1. */
  pageNumber?: number | undefined;
  hrefOf(object: KubeObject): string;
}

/** What a server says of objects, as a list of the page: the columns that kubectl shows, ages as of now. A pure function. */
export function tableOfServer(answer: ServerTable, options: ServerTableOptions): Table {
  const { nowMs, hrefOf } = options;
  const shown = answer.columnDefinitions.flatMap(({ name, priority = 0 }, index) =>
    priority === 0 ? [{ name, index }] : [],
  );
  const rows = (answer.rows ?? []).map(({ cells, object }): Row => {
    const { creationTimestamp, deletionTimestamp } = object?.metadata ?? {};
    const words = shown.map(({ name, index }) =>
      name === 'Age' ? age(creationTimestamp, nowMs) : cellText(cells[index]),
    );
    const tone = deletionTimestamp ? 'over' : 'plain';
    const href = object && hrefOf(object);
    return { ...keyedCells(object ?? {}, words, options), href, tone, note: undefined };
  });
  const names = shown.map(({ name }) => name);
  return shownTable(names, rows, options, answer.metadata?.remainingItemCount);
}

/** Lists and objects are JSON, as kubectl shows them. */
const cellText = (cell: unknown): string => (cell === null || cell === undefined ? '' : shownJson(cell));

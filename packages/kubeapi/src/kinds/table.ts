/** Tables: lists as kubectl prints them, made on the server. */
import type { GroupVersionKind, ListMeta, ObjectMeta, Table, TableRow } from '../generated/types.ts';
import type { JsonObject } from '../json/json-value.ts';
import { column, nameColumn, type Printer } from '../table/printer.ts';
import { kindDefinition } from './index.ts';
import { inHub, kindVersions } from './versions.ts';

/** What goes into the rows beside the cells (`?includeObject=`). */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

/** Options of {@link tableFor}. */
export interface TableOptions {
  /** Kind of the objects, not of the list. */
  gvk: GroupVersionKind;
  /** Default: the kind's. */
  printer?: Printer<never>;
  objects: readonly object[];
  /** Ages are counted up to here, in milliseconds since 1970. */
  nowMs: number;
  /** Default Metadata. */
  includeObject?: IncludeObject;
  /** Metadata of the list: resourceVersion, continue, remainingItemCount. */
  listMetadata?: ListMeta;
  /** False for the later events of a watch, which repeat no columns. Default true. */
  withColumns?: boolean;
  /** What the client asked for by `as=Table;v=…`. Default v1. */
  version?: 'v1' | 'v1beta1';
}

/** What kinds without a printer of their own show. */
const plainPrinter: Printer<{ metadata?: ObjectMeta }> = {
  columns: [nameColumn, { ...column('Created At'), type: 'date' }],
  cells: ({ metadata }) => [metadata?.name ?? '', metadata?.creationTimestamp ?? ''],
};

/** What prints the objects of a kind. */
export function printerOf(gvk: GroupVersionKind): Printer<never> {
  const printer: Printer<never> = kindDefinition(gvk)?.printer ?? plainPrinter;
  const hub = kindVersions(gvk)?.hub ?? gvk.version;
  if (hub === gvk.version) return printer;
  const { columns, cells, conditions } = printer;
  return {
    columns,
    cells: (object, nowMs) => cells(inHub(gvk, object), nowMs),
    ...(conditions ? { conditions: (object: never) => conditions(inHub(gvk, object)) } : {}),
  };
}

/** The table of some objects, which must be in the schema's form. */
export function tableFor(options: TableOptions): Table {
  const { gvk, listMetadata = {}, version = 'v1', withColumns = true } = options;
  const { printer = printerOf(gvk) } = options;
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: listMetadata,
    columnDefinitions: withColumns ? printer.columns : [],
    rows: options.objects.map((object) => rowFor(object as never, printer, options)),
  };
}

function rowFor(object: never, printer: Printer<never>, options: TableOptions): TableRow {
  const conditions = printer.conditions?.(object) ?? [];
  const shown = shownObject(object, options);
  return {
    cells: printer.cells(object, options.nowMs),
    ...(conditions.length > 0 ? { conditions } : {}),
    ...(shown ? { object: shown } : {}),
  };
}

function shownObject(object: JsonObject, options: TableOptions): JsonObject | undefined {
  const { includeObject = 'Metadata', version = 'v1' } = options;
  if (includeObject === 'None') return undefined;
  if (includeObject === 'Object') return object;
  return {
    kind: 'PartialObjectMetadata',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: object['metadata'] ?? {},
  };
}

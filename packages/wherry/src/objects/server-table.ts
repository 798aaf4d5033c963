import { shownJson } from '@wherry/bytes';
import {
  type DiscoveredResource,
  type KubeClient,
  type KubeObject,
  type Query,
  resourcePath,
} from '@wherry/client';
import { systemClock } from '@wherry/clock';
import { ownValue } from '@wherry/kubeapi';
import { formatAge } from '../output/age.ts';
import type { Tone } from '../output/colours.ts';
import { goText } from '../output/custom-columns/go-text.ts';
import { formatTable } from '../output/table.ts';

/** A table as meta.k8s.io/v1 has it: what servers make of objects for people. */
export interface ServerTable {
  kind: 'Table';
  metadata?: { resourceVersion?: string; continue?: string };
  columnDefinitions?: { name: string; priority?: number }[];
  rows?: TableRow[];
}

/** One object of a table; `object` has its metadata, or all of it where that was asked for. */
export interface TableRow {
  cells: unknown[];
  object?: KubeObject;
}

/** Asks for a table; servers that make none answer with the objects. */
export const tableAccept =
  'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json';

/** Asks for objects as they are. */
export const objectAccept = 'application/json';

/** Which objects are asked for. */
export interface TableRequest {
  resource: DiscoveredResource;
  namespace: string | undefined;
  name?: string | undefined;
  subresource?: string | undefined;
  query?: Query | undefined;
  /** False for names and ages alone, made here. Default true. */
  isServers?: boolean;
  signal?: AbortSignal | undefined;
}

/** Asks the server for its table of these objects. */
export async function fetchTable(client: KubeClient, request: TableRequest): Promise<ServerTable> {
  const { resource, namespace, name, subresource, query, isServers = true, signal } = request;
  const path = resourcePath(resource, { namespace, name, subresource, query });
  const headers = { accept: isServers ? tableAccept : objectAccept };
  const answer = await client.request<ServerTable>({ method: 'GET', path, headers, signal });
  return answer.kind === 'Table' ? answer : plainTable(answer);
}

/** Names and ages, where a server has no table of a kind or is not asked for one. */
export function plainTable(answer: object): ServerTable {
  const { metadata, items } = answer as KubeObject & { items?: KubeObject[] | null };
  const objects = items === undefined ? [answer as KubeObject] : (items ?? []);
  const rows = objects.map((object) => {
    const { name = '', creationTimestamp } = object.metadata ?? {};
    const ageMs = systemClock.nowMs() - Date.parse(creationTimestamp ?? '');
    return { cells: [name, Number.isNaN(ageMs) ? '<unknown>' : formatAge(ageMs)], object };
  });
  const columnDefinitions = [{ name: 'Name' }, { name: 'Age' }];
  return { kind: 'Table', ...(metadata ? { metadata } : {}), columnDefinitions, rows };
}

/** How a table is shown. */
export interface TableStyle {
  isWide: boolean;
  /** A column with the namespace in front. */
  withNamespace: boolean;
  withLabels: boolean;
  /** Labels that have a column each. */
  labelColumns: readonly string[];
  hasHeader: boolean;
  /** Put in front of each name: `pod/`. */
  prefix: string;
  /** What happened to the objects, in a column in front. */
  event?: string | undefined;
  /** A table printed before, which the columns stay in line with. */
  alignedWith?: ServerTable;
}

/** A server's table as kubectl shows it. */
export function showTable({ columnDefinitions = [], rows = [] }: ServerTable, style: TableStyle): string {
  const shown = columnDefinitions.flatMap(({ priority = 0 }, index) =>
    priority === 0 || style.isWide ? [index] : [],
  );
  const titles = shown.map((index) => (columnDefinitions[index]?.name ?? '').toUpperCase());
  const header = [
    ...(style.event === undefined ? [] : ['EVENT']),
    ...(style.withNamespace ? ['NAMESPACE'] : []),
    ...titles,
    ...style.labelColumns.map((label) => label.slice(label.lastIndexOf('/') + 1).toUpperCase()),
    ...(style.withLabels ? ['LABELS'] : []),
  ];
  const line = ({ cells, object }: TableRow) => [
    ...(style.event === undefined ? [] : [style.event.padEnd(eventWidth)]),
    ...(style.withNamespace ? [object?.metadata?.namespace ?? ''] : []),
    ...shown.map(
      (index) => `${titles[shown.indexOf(index)] === 'NAME' ? style.prefix : ''}${cellText(cells[index])}`,
    ),
    ...style.labelColumns.map((label) => ownValue(object?.metadata?.labels ?? {}, label) ?? ''),
    ...(style.withLabels ? [labelText(object)] : []),
  ];
  const earlier = style.alignedWith?.rows?.map(line) ?? [];
  const alignedWith = style.alignedWith ? [header, ...earlier] : [];
  return formatTable(header, rows.map(line), { hasHeader: style.hasHeader, alignedWith, toneOf });
}

/** Of the longest of them, which most are. */
const eventWidth = 'MODIFIED'.length;

/** Of a text of several lines the first, as kubectl shows it. */
function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return '<none>';
  // Numbers that are no int64 are a double's, which Go writes otherwise.
  const text = typeof cell === 'number' ? goText(cell) : shownJson(cell);
  return text.replace(/[\f\n\r].*/s, '...');
}

function labelText(object: KubeObject | undefined): string {
  const pairs = Object.entries(object?.metadata?.labels ?? {}).map(([name, value]) => `${name}=${value}`);
  return pairs.length === 0 ? '<none>' : pairs.join(',');
}

const good = new Set(['Running', 'Ready', 'Completed', 'Bound', 'Active', 'Succeeded', 'Available']);
const waiting =
  /^(Pending|ContainerCreating|PodInitializing|Terminating|Init:\d|NotReady|Ready,SchedulingDisabled)/;

function toneOf(title: string, cell: string): Tone | undefined {
  if (title === 'TYPE') return cell === 'Warning' ? 'warning' : undefined;
  if (title !== 'STATUS') return undefined;
  if (good.has(cell)) return 'good';
  return waiting.test(cell)
    ? 'warning'
    : /Err|BackOff|Fail|Evicted|OOM|Unknown|Lost/.test(cell)
      ? 'bad'
      : undefined;
}

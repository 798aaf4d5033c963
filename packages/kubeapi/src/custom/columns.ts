/** Tables of custom resources, by the columns that their definition names (upstream: customresource/tableconvertor). */

import type { CustomResourceColumnDefinition } from '../generated/types.ts';
import { goMapJson } from '../json/go-json.ts';
import { isNumber, type JsonObject, type JsonValue } from '../json/json-value.ts';
import { age } from '../table/human-duration.ts';
import { type Cell, column, nameColumn, type Printer } from '../table/printer.ts';
import { type JsonPath, parseJsonPath } from './json-path.ts';

const ageAlone: CustomResourceColumnDefinition[] = [
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
];

/** Name and age where no columns are named. As upstream, what is named from the first text on that is no path is left out. */
export function customPrinter(named: readonly CustomResourceColumnDefinition[] = []): Printer<JsonObject> {
  const all = named.length > 0 ? named : ageAlone;
  const paths = all.map(({ jsonPath }) => parseJsonPath(jsonPath));
  const unread = paths.indexOf(undefined);
  const shown = unread < 0 ? all : all.slice(0, unread);
  const cells = shown.map(({ type }, index) => cellReader(type, paths[index]!));
  return {
    columns: [
      nameColumn,
      ...shown.map(({ name, type, format = '', description = '', jsonPath, priority = 0 }) => ({
        ...{ ...column(name), type, format, priority },
        description: description || `Custom resource definition column (in JSONPath format): ${jsonPath}`,
      })),
    ],
    cells: (object, nowMs) => [nameOf(object), ...cells.map((read) => read(object, nowMs))],
  };
}

function nameOf({ metadata }: JsonObject): string {
  return (metadata as { name?: string } | undefined)?.name ?? '';
}

function cellReader(type: string, path: JsonPath): (object: JsonObject, nowMs: number) => Cell {
  return (object, nowMs) => {
    const [value] = path.find(object);
    if (value === undefined) return null;
    return type === 'string' ? textOf(value) : cellOf(value, type, nowMs);
  };
}

function textOf(value: JsonValue): string {
  return value === null ? '<no value>' : typeof value === 'object' ? goMapJson(value) : String(value);
}

function cellOf(value: JsonValue, type: string, nowMs: number): Cell {
  if (type === 'integer')
    return typeof value === 'number' ? Math.trunc(value) : isNumber(value) ? value : null;
  if (type === 'number') return isNumber(value) ? Number(value) : null;
  if (type === 'boolean') return typeof value === 'boolean' ? value : null;
  if (type !== 'date' || typeof value !== 'string') return null;
  return Number.isNaN(Date.parse(value)) ? '<invalid>' : age(value, nowMs);
}

/** Tables of custom resources, by the columns that their definition names (upstream: customresource/tableconvertor). */

import type { CustomResourceColumnDefinition } from '../generated/types.ts';
import { exactJson } from '../json/exact-json.ts';
import { isNumber, type JsonObject, type JsonValue } from '../json/json-value.ts';
import { age } from '../table/human-duration.ts';
import { type Cell, column, nameColumn, type Printer } from '../table/printer.ts';
import { parseJsonPath } from './json-path.ts';

const ageAlone: CustomResourceColumnDefinition[] = [
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
];

/** Name and age where no columns are named. */
export function customPrinter(named: readonly CustomResourceColumnDefinition[] = []): Printer<JsonObject> {
  const shown = named.length > 0 ? named : ageAlone;
  const cells = shown.map(cellReader);
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

function cellReader({
  type,
  jsonPath,
}: CustomResourceColumnDefinition): (object: JsonObject, nowMs: number) => Cell {
  const path = parseJsonPath(jsonPath);
  return (object, nowMs) => {
    const values = path?.find(object) ?? [];
    const [value] = values;
    if (value === undefined) return null;
    return type === 'string' ? values.map(textOf).join(' ') : cellOf(value, type, nowMs);
  };
}

function textOf(value: JsonValue): string {
  return value === null ? '<nil>' : typeof value === 'object' ? exactJson(value) : String(value);
}

function cellOf(value: JsonValue, type: string, nowMs: number): Cell {
  if (type === 'integer')
    return typeof value === 'number' ? Math.trunc(value) : isNumber(value) ? value : null;
  if (type === 'number') return isNumber(value) ? Number(value) : null;
  if (type === 'boolean') return typeof value === 'boolean' ? value : null;
  if (type !== 'date' || typeof value !== 'string') return null;
  return Number.isNaN(Date.parse(value)) ? '<invalid>' : age(value, nowMs);
}

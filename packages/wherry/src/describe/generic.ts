import type { KubeObject } from '@wherry/client';
import { goValue, textOf } from '../output/go-values/go-value.ts';
import { printed } from '../output/go-values/print.ts';
import { smartLabel } from './smart-label.ts';
import type { Surroundings } from './surroundings.ts';
import { headLines, metadataLines } from './text/labels.ts';
import { field, indented, type Lines } from './text/lines.ts';
import { sortedEntries } from './text/values.ts';

/** Said at the top, or of no use to people. */
const leftOut = new Set([
  ...['.metadata.managedFields', '.metadata.name', '.metadata.namespace'],
  ...['.metadata.labels', '.metadata.annotations'],
]);

/** An object of a kind that has no describer of its own: every field, with its name in words. */
export async function describeAny(object: KubeObject, surroundings: Surroundings): Promise<Lines> {
  const { metadata = {} } = object;
  return [
    ...headLines(metadata),
    ...metadataLines(metadata),
    ...fieldLines(object, ''),
    ...(await surroundings.events(object)),
  ];
}

function fieldLines(object: object, path: string): Lines {
  return sortedEntries(object as Record<string, unknown>).flatMap(([name, value]) => {
    const below = `${path}.${name}`;
    if (leftOut.has(below)) return [];
    const label = smartLabel(name);
    if (Array.isArray(value))
      return [`${label}:`, ...indented(value.flatMap((one) => itemLines(one, below)))];
    if (isMap(value)) return [`${label}:`, ...indented(fieldLines(value, below))];
    return [field(label, valueText(value))];
  });
}

const itemLines = (item: unknown, path: string): Lines =>
  isMap(item) ? fieldLines(item, path) : [valueText(item)];

const isMap = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const valueText = (value: unknown): string => textOf(printed(goValue(value)));

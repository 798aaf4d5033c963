/** Objects made by chance of two that are given: what both say, here and there with something that does not fit. */
import { isJsonObject, type JsonObject, type JsonValue } from '@wherry/kubeapi';
import type { SeededRandom } from '../../../packages/kubeapi/test/random-object.ts';

/** How much there is of what is given, and how often something else stands in its place. */
export interface BlendOptions {
  /** Of each field and item, from 0 to 1. */
  kept: number;
  /** Of each value, from 0 to 1. */
  odd: number;
}

/** What a field is told to be that is something else. */
export const oddValues: readonly JsonValue[] = [
  ...[null, null, null, {}, [], '', 'x', 0, -1, 1.5, true, false, [null], [1], ['x', 'x'], { x: null }],
  ...['1', 2 ** 31, 2 ** 53 - 1, [{}], { '': 1 }, [[]], 'é☃', '2024-01-01T00:00:00Z', { name: 'x' }],
];

/** What is blended of both, or of one where the other has nothing. */
export function blend(random: SeededRandom, ways: readonly JsonValue[], options: BlendOptions): JsonValue {
  if (random.fraction() < options.odd) return random.pick(oddValues);
  const way = random.pick(ways);
  if (isJsonObject(way)) return blendObjects(random, ways.filter(isJsonObject), options);
  if (!Array.isArray(way)) return way;
  const lists = ways.filter((value) => Array.isArray(value));
  const items = random.fraction() < 0.2 ? lists.flat() : way;
  const left = items.filter(() => random.fraction() < options.kept);
  const made = left.map((item) => blend(random, [item], options));
  return random.fraction() < 0.2 ? made.toReversed() : made;
}

function blendObjects(random: SeededRandom, ways: readonly JsonObject[], options: BlendOptions): JsonObject {
  const fields = new Map<string, JsonValue[]>();
  for (const way of ways)
    for (const [name, value] of Object.entries(way)) fields.set(name, [...(fields.get(name) ?? []), value]);
  const made: [string, JsonValue][] = [];
  for (const [name, values] of fields) {
    // What items are told apart by stays, mostly.
    const kept = name === 'name' || name === 'type' || name === 'key' ? 0.97 : options.kept;
    if (random.fraction() < kept) made.push([name, blend(random, values, options)]);
  }
  if (random.fraction() < options.odd) made.push(['odd', random.pick(oddValues)]);
  return Object.fromEntries(made);
}

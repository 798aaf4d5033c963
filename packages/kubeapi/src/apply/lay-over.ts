import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { PatchError } from '../patch/patch-error.ts';
import { childNode, type Node, partsOf } from './node.ts';
import { unfitItems } from './typed-config.ts';
import { mergeValues } from './walk.ts';

/**
 * A configuration laid over an object, without anybody's managing its fields. Throws PatchError when it holds a list or object
 * that is only ever replaced as a whole: what its writer does not name there would be lost; or an item twice.
 */
export function layOver(live: JsonObject, config: JsonObject, node: Node): JsonObject {
  const whole = [...wholesIn(config, node, '')];
  if (whole.length > 0)
    throw new PatchError(
      'rejected',
      `invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${whole.join(', ')}`,
    );
  const repeated = unfitItems(config, node);
  if (repeated.length > 0) throw new PatchError('rejected', repeated.join('; '));
  return mergeValues(live, config, node) as JsonObject;
}

function* wholesIn(value: JsonValue, node: Node, path: string): Iterable<string> {
  if (typeof value !== 'object' || value === null) return;
  const parts = partsOf(value, node);
  if (!parts) yield path;
  else
    for (const [index, [element, part]] of parts.entries())
      yield* wholesIn(part, childNode(node, element), `${path}${stepOf(node, element, index)}`);
}

/** As upstream prints a step: `.spec`, `[0]`. */
const stepOf = (node: Node, element: string, index: number): string =>
  node.kind === 'keyed' || node.kind === 'set' ? `[${index}]` : `.${element.slice(2)}`;

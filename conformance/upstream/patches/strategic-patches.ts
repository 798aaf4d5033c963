/** Directives of strategic merge patches, strewn by chance over what is to be merged. */
import { isJsonObject, type JsonObject, type JsonValue } from '@wherry/kubeapi';
import type { SeededRandom } from '../../../packages/kubeapi/test/random-object.ts';

const directives: readonly JsonValue[] = ['replace', 'replace', 'merge', 'delete', 'delete', 'x', null, 1];
const oddOrders: readonly JsonValue[] = [null, 'x', [], [1], [null], {}, [{}], ['none']];
/** What items may be told apart by (the patchMergeKey of built-in kinds). */
const mergeKeys = [
  ...['name', 'containerPort', 'mountPath', 'ip', 'port', 'type', 'key', 'topologyKey', 'uid', 'devicePath'],
];

/** The same with directives in some places. */
export function withDirectives(random: SeededRandom, value: JsonValue): JsonValue {
  const once = (times: number) => random.below(times) === 0;
  if (Array.isArray(value)) {
    const items = value.map((item) => withDirectives(random, item));
    const keyed = items.map(keyOf).filter((key) => key !== undefined);
    if (keyed.length > 0 && once(6)) items.push({ ...random.pick(keyed), $patch: random.pick(directives) });
    if (items.some(isJsonObject) && once(12)) items.push({ $patch: random.pick(directives) });
    if (keyed.length > 0 && once(15)) items.push(random.pick(keyed));
    return items;
  }
  if (!isJsonObject(value)) return value;
  const made: JsonObject = {};
  for (const [name, part] of Object.entries(value)) {
    made[name] = withDirectives(random, part);
    if (!Array.isArray(part)) continue;
    if (once(5)) made[`$setElementOrder/${name}`] = orderOf(random, part);
    if (once(8) && !part.some(isJsonObject)) {
      made[`$deleteFromPrimitiveList/${name}`] = once(6) ? random.pick(oddOrders) : part.slice(0, 1);
      // What else the patch says of the list comes before or after that, as Go's maps fall.
      delete made[name];
    }
  }
  if (once(14)) made['$patch'] = random.pick(directives);
  if (once(14)) made['$retainKeys'] = once(5) ? random.pick(oddOrders) : someNames(random, made);
  return made;
}

const someNames = (random: SeededRandom, object: JsonObject) =>
  Object.keys(object).filter((name) => !name.startsWith('$') || random.below(8) === 0);

function orderOf(random: SeededRandom, list: readonly JsonValue[]): JsonValue {
  if (random.below(6) === 0) return random.pick(oddOrders);
  const order = list.map((item) => keyOf(item) ?? item);
  const more = random.below(3) === 0 ? [...order, random.pick([...order, { name: 'a' }, 'x'])] : order;
  return random.below(2) === 0 ? more.toReversed() : more;
}

/** An item with nothing but what it is told apart by. */
function keyOf(item: JsonValue): JsonObject | undefined {
  if (!isJsonObject(item)) return undefined;
  const name = mergeKeys.find((key) => Object.hasOwn(item, key));
  return name === undefined ? undefined : { [name]: item[name]! };
}

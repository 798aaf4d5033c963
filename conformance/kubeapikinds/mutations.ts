/** Changes of sound objects by chance, towards what rules look at: bounds, bad names, wrong unions, absent parts. */
import {
  type FieldSchema,
  type JsonObject,
  type JsonValue,
  type MessageSchema,
  messageSchema,
  type ScalarType,
} from '@wherry/kubeapi';
import type { SeededRandom } from '../../packages/kubeapi/test/random-object.ts';

const texts = [
  ...['', 'a', 'web', 'A_b', '-a', 'a-', 'a.b', 'a..b', 'a/b', 'example.com/a', '/x', '../x', 'x/../y', ' '],
  ...[
    'a'.repeat(64),
    'a'.repeat(254),
    'ünï',
    'a=b',
    '10.0.0.1',
    '010.0.0.1',
    '::1',
    '2001:db8::1',
    '127.0.0.1',
  ],
  ...[
    '10.0.0.0/8',
    '10.0.0.1/8',
    '2001:db8::/64',
    '0',
    '-1',
    '1',
    '100',
    '50%',
    'In',
    'Exists',
    'true',
    'TCP',
  ],
  ...[
    'None',
    'Always',
    'Never',
    'http',
    'node',
    'main',
    'scratch',
    'kubernetes.io/a',
    '*',
    '*.example.com',
    '%',
  ],
];
const wholes = [-2, -1, 0, 1, 2, 3, 100, 101, 599, 600, 3600, 65535, 65536, 2 ** 31 - 1];
const quantities = ['0', '1', '-1', '100m', '1500m', '1Gi', '1.5', '1n'];
const scalars: Record<ScalarType, readonly JsonValue[]> = {
  string: texts,
  bool: [true, false],
  int32: wholes,
  int64: [...wholes, 2 ** 40],
  double: [0, 1.5],
  bytes: ['', 'YQ==', Buffer.from('a'.repeat(1000)).toString('base64')],
  Time: ['2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'],
  MicroTime: ['2026-01-01T00:00:00.000001Z', '2026-02-01T00:00:00.000000Z'],
  Duration: ['0s', '1s', '-1s'],
  Quantity: quantities,
  IntOrString: [-1, 0, 1, 80, 65536, '0%', '50%', '101%', '-1%', '5', 'http', 'A', ''],
  Strings: [['a']],
  RawExtension: [{ kind: 'Anything', apiVersion: 'example.com/v1' }, {}],
  FieldsV1: [{ 'f:metadata': {} }],
  Any: ['a', 1],
};
/** What the server stamps, and what has tests of its own. */
const settledFields = new Set([
  ...[
    'managedFields',
    'creationTimestamp',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
    'selfLink',
    'uid',
  ],
  ...['resourceVersion', 'generation', 'namespace', 'kind', 'apiVersion'],
]);

/** What chance chooses from. */
export interface Chance {
  random: SeededRandom;
  /** Texts to be tried beside the usual ones. */
  words?: readonly string[];
}

/** Changes one thing somewhere in the object, in place. */
export function mutate(object: JsonObject, schema: MessageSchema, chance: Chance, depth = 0): void {
  const { random } = chance;
  const fields = [...schema.jsonFields.values()].filter(({ name }) => !settledFields.has(name));
  if (fields.length === 0) return;
  // What is there already is met more often than by its share.
  const present = fields.filter(({ name }) => object[name] !== undefined);
  const likely = present.filter(({ name }) => depth > 0 || name !== 'metadata' || random.below(4) === 0);
  const field = random.pick(likely.length > 0 && random.below(2) === 0 ? likely : fields);
  const value = object[field.name];
  const choice = random.below(10);
  if (value !== undefined && choice === 0) delete object[field.name];
  else if (value !== undefined && field.shape === 'list' && Array.isArray(value))
    mutateList(value, field, chance, depth);
  else if (value !== undefined && field.shape === 'map') mutateMap(value as JsonObject, field, chance, depth);
  else if (value !== undefined && field.message !== undefined && choice < 9) {
    mutate(value as JsonObject, messageSchema(field.message), chance, depth + 1);
  } else object[field.name] = randomField(field, chance, depth);
}

function mutateList(list: JsonValue[], field: FieldSchema, chance: Chance, depth: number): void {
  const { random } = chance;
  const choice = random.below(8);
  const index = random.below(Math.max(1, list.length));
  if (choice === 0) list.push(structuredClone(list[index] ?? randomValue(field, chance, depth)));
  else if (choice === 1) list.splice(index, 1);
  else if (choice === 2) list.push(randomValue(field, chance, depth));
  else if (field.message !== undefined && list[index] !== undefined) {
    mutate(list[index] as JsonObject, messageSchema(field.message), chance, depth + 1);
  } else list[index] = randomValue(field, chance, depth);
}

function mutateMap(map: JsonObject, field: FieldSchema, chance: Chance, depth: number): void {
  const { random } = chance;
  const keys = Object.keys(map);
  const key = keys.length > 0 && random.below(2) === 0 ? random.pick(keys) : textFrom(chance);
  if (random.below(5) === 0) delete map[key];
  else if (field.message !== undefined && map[key] !== undefined) {
    mutate(map[key] as JsonObject, messageSchema(field.message), chance, depth + 1);
  } else map[key] = randomValue(field, chance, depth);
}

function randomField(field: FieldSchema, chance: Chance, depth: number): JsonValue {
  const { random } = chance;
  if (field.shape === 'list')
    return Array.from({ length: random.below(3) }, () => randomValue(field, chance, depth));
  if (field.shape === 'map') return { [textFrom(chance)]: randomValue(field, chance, depth) };
  return randomValue(field, chance, depth);
}

function randomValue(field: FieldSchema, chance: Chance, depth: number): JsonValue {
  const { random } = chance;
  if (field.message !== undefined) return randomMessage(messageSchema(field.message), chance, depth + 1);
  if (field.enumValues && random.below(4) > 0) return random.pick(field.enumValues);
  if (field.scalar === 'string') return textFrom(chance);
  return structuredClone(random.pick(scalars[field.scalar!]));
}

const textFrom = ({ random, words }: Chance): string =>
  random.pick(words && random.below(2) === 0 ? words : texts);

function randomMessage(schema: MessageSchema, chance: Chance, depth: number): JsonObject {
  const { random } = chance;
  const object: JsonObject = {};
  for (const [name, field] of schema.jsonFields) {
    if (settledFields.has(name) && depth < 2) continue;
    const share = field.required ? 0.8 : Math.min(0.4, 2 / schema.jsonFields.size);
    if (random.fraction() > share) continue;
    if (depth > 6 && field.message !== undefined) continue;
    object[name] = randomField(field, chance, depth);
  }
  return object;
}

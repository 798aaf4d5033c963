/** Objects made by chance from the schema: a seed gives the same object again. */
import type { FieldSchema, JsonObject, JsonValue, MessageSchema, ScalarType } from '@wherry/kubeapi';
import { formatApiVersion, messageSchema } from '@wherry/kubeapi';

/** Numbers from a seed (mulberry32): the same seed gives the same numbers. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** At least 0, below 1. */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  /** At least 0, below `bound`. */
  below(bound: number): number {
    return Math.floor(this.fraction() * bound);
  }

  /** One of the list. */
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }
}

const words = [
  'a',
  'web',
  'ünï-code ☃',
  'x'.repeat(70),
  'a.b/c',
  '',
  '0',
  'true',
  '1Gi',
  'line\nbreak',
  '<tag>&',
];
const depthMax = 7;

/** An object of that kind; about half of its optional fields are set. */
export function randomObject(schema: MessageSchema, random: SeededRandom): JsonObject {
  const head: JsonObject = {
    kind: schema.upstreamName,
    apiVersion: formatApiVersion(schema.group, schema.version),
  };
  return { ...head, ...randomMessage(schema, random, 0) };
}

function randomMessage(schema: MessageSchema, random: SeededRandom, depth: number): JsonObject {
  const object: JsonObject = {};
  for (const [name, field] of schema.jsonFields) {
    if (!field.required && random.fraction() < (depth < 3 ? 0.4 : 0.7)) continue;
    if (depth >= depthMax && field.message !== undefined && !field.required) continue;
    if (depth > depthMax + 3) continue;
    object[name] = randomField(field, random, depth);
  }
  return object;
}

function randomField(field: FieldSchema, random: SeededRandom, depth: number): JsonValue {
  const value = () =>
    field.message === undefined
      ? randomScalar(field, random)
      : randomMessage(withoutAlternative(messageSchema(field.message)), random, depth + 1);
  if (field.shape === 'list') return Array.from({ length: 1 + random.below(2) }, value);
  if (field.shape === 'single') return value();
  return Object.fromEntries(Array.from({ length: 1 + random.below(2) }, (_, at) => [`key${at}`, value()]));
}

/** The schema of a value that may be something else too. */
const withoutAlternative = (schema: MessageSchema) =>
  schema.alternative ? messageSchema(schema.jsonFields.get('schema')!.message!) : schema;

function randomScalar(field: FieldSchema, random: SeededRandom): JsonValue {
  if (field.enumValues && field.enumValues.length > 0) return random.pick(field.enumValues);
  return scalarMakers[field.scalar!](random);
}

const second = (random: SeededRandom) => new Date(random.below(4e9) * 1000).toISOString().slice(0, 19);

const scalarMakers: Record<ScalarType, (random: SeededRandom) => JsonValue> = {
  string: (random) => random.pick(words),
  bool: (random) => random.fraction() < 0.5,
  int32: (random) => random.below(2 ** 32) - 2 ** 31 + 1,
  int64: (random) => (random.fraction() < 0.5 ? random.below(300) : random.below(2 ** 53) - 2 ** 52),
  double: (random) => random.below(1000) / 4,
  bytes: (random) => Buffer.from(random.pick(words)).toString('base64'),
  Time: (random) => `${second(random)}Z`,
  MicroTime: (random) => `${second(random)}.${String(random.below(1e6)).padStart(6, '0')}Z`,
  Duration: (random) => `${random.below(60)}s`,
  Quantity: (random) =>
    `${random.below(2000)}${random.pick(['', 'm', 'Ki', 'Gi', 'k', 'M', 'e3', '.5', '.25Gi'])}`,
  IntOrString: (random) => (random.fraction() < 0.5 ? random.below(70000) : random.pick(['25%', 'http', ''])),
  Strings: (random) => [random.pick(words), random.pick(words)],
  RawExtension: (random) => ({ kind: 'Anything', apiVersion: 'example.com/v1', value: random.below(9) }),
  FieldsV1: () => ({ 'f:metadata': { 'f:name': {} } }),
  Any: (random) => random.pick<JsonValue>(['cell', 7, true]),
};

/** Objects made by chance after a schema, and schemas and objects that chance has changed. */
import { isJsonObject, type JsonObject, type JsonValue, jsonEqual, ownValue, setOwn } from '@wherry/kubeapi';
import type { SeededRandom } from '../../packages/kubeapi/test/random-object.ts';

const oddValues: JsonValue[] = [
  ...[
    null,
    true,
    0,
    -1,
    3,
    5,
    1.25,
    100000,
    '',
    'a',
    'True',
    'Issuer',
    'web-1',
    'no good!',
    '10s',
    '1.2.3.4',
  ],
  ...[
    'a@b.c',
    '2026-01-02T03:04:05Z',
    [],
    ['a', 'a'],
    [1, 'b'],
    [[1], ['x']],
    {},
    { name: 'a' },
    { a: { b: 1 } },
  ],
];

/** About what the schema asks for. */
export function valueFor(schema: JsonObject, random: SeededRandom): JsonValue {
  if (random.fraction() < 0.12) return structuredClone(random.pick(oddValues));
  const values = ownValue(schema, 'enum');
  if (Array.isArray(values)) return random.pick(values);
  const { properties, items, additionalProperties } = schema;
  switch (schema['type']) {
    case 'object': {
      const object: JsonObject = {};
      for (const [name, part] of Object.entries((properties ?? {}) as Record<string, JsonObject>))
        if (random.fraction() < 0.7) setOwn(object, name, valueFor(part, random));
      if (isJsonObject(additionalProperties)) object['key'] = valueFor(additionalProperties, random);
      if (random.fraction() < 0.2) object['stray'] = structuredClone(random.pick(oddValues));
      return object;
    }
    case 'array':
      return Array.from({ length: random.below(3) }, () => valueFor(items as JsonObject, random));
    case 'integer':
      return random.pick([0, 1, 5, 10, 2048, 9000]);
    case 'number':
      return random.pick([0, 0.5, 1, 1.5, 2.75]);
    case 'boolean':
      return random.fraction() < 0.5;
    default:
      return random.pick([
        'a',
        'b',
        'web',
        '10s',
        '1.2.3.4',
        'a@b.c',
        '2026-01-02T03:04:05Z',
        'x'.repeat(20),
      ]);
  }
}

const changes: [string, JsonValue | undefined][] = [
  ...(['type', 'items', 'properties', 'required', 'enum', 'x-kubernetes-list-map-keys'] as const).map(
    (word): [string, undefined] => [word, undefined],
  ),
  ...(['string', 'array', 'object', 'integer', 'null', 'text'] as const).map((type): [string, string] => [
    'type',
    type,
  ]),
  ...[['a'], 3, {}, null, 'b'].map((value): [string, JsonValue] => ['default', value]),
  ['nullable', true],
  ['uniqueItems', true],
  ['pattern', '(['],
  ['additionalProperties', { type: 'string' }],
  ['additionalProperties', true],
  ['x-kubernetes-list-type', 'set'],
  ['x-kubernetes-list-type', 'map'],
  ['x-kubernetes-list-type', 'heap'],
  ['x-kubernetes-list-map-keys', ['name']],
  ['x-kubernetes-map-type', 'atomic'],
  ['x-kubernetes-map-type', 'other'],
  ['x-kubernetes-int-or-string', true],
  ['x-kubernetes-preserve-unknown-fields', true],
  ['x-kubernetes-preserve-unknown-fields', false],
  ['x-kubernetes-embedded-resource', true],
  ['not', { type: 'string' }],
  ['not', { required: ['a'], properties: { a: { minLength: 1 } } }],
  ['allOf', [{ description: 'no' }, { properties: { metadata: {} } }]],
  ['anyOf', [{ items: { minLength: 1 } }]],
  ['$ref', '#/definitions/a'],
  ['id', 'x'],
  ['items', [{ type: 'string' }]],
  ['dependencies', { a: ['b'] }],
];

/** A copy in which one word of one part is another; the same where nothing came of it. */
export function changedSchema(schema: JsonObject, random: SeededRandom): JsonObject {
  // Parts that are the same object are to be changed one by one.
  const copy: JsonObject = JSON.parse(JSON.stringify(schema));
  const places: JsonObject[] = [];
  collect(copy, places);
  const [word, value] = random.pick(changes);
  const place = random.pick(places);
  if (value === undefined) delete place[word];
  else setOwn(place, word, structuredClone(value));
  return jsonEqual(copy, schema) ? schema : copy;
}

function collect(schema: JsonObject, places: JsonObject[]): void {
  places.push(schema);
  const { properties, items } = schema;
  if (isJsonObject(properties))
    for (const part of Object.values(properties)) collect(part as JsonObject, places);
  if (isJsonObject(items)) collect(items, places);
}

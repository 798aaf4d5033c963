import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { JSONSchemaProps } from '../../generated/types.ts';
import { loadPatternEngine, schemaInDocument, typeWarnings } from './type-warnings.ts';

before(loadPatternEngine);

const text: JSONSchemaProps = { type: 'string' };
const boat = (properties: Record<string, JSONSchemaProps>) => ({
  ...{ group: 'example.com', version: 'v1', kind: 'Boat' },
  schema: { type: 'object', properties: { spec: { type: 'object', properties } } },
});

it('variables have the types of what they come to; of one that is wrong nothing is known, and nothing is said', () => {
  const kinds = [boat({ oars: { type: 'integer' } })];
  const variables = [
    { name: 'oars', expression: 'object.spec.oars' },
    { name: 'wrong', expression: 'object.spec.sails' },
  ];
  const validations = [{ expression: 'variables.oars == "two"' }, { expression: 'variables.wrong == 1' }];
  const [warning, ...more] = typeWarnings({ variables, validations }, { kinds, params: undefined });
  assert.deepEqual(more, []);
  assert.equal(warning?.fieldRef, 'spec.validations[0].expression');
  assert.match(warning.warning, /^example\.com\/v1, Kind=Boat: ERROR: .*applied to '\(int, string\)'/);
});

it('a schema is found in a document by its kind; what leads back to itself is an empty object there', () => {
  const kind = { group: 'example.com', version: 'v1', kind: 'Tree' };
  const $ref = '#/components/schemas/Tree';
  const tree = {
    type: 'object',
    properties: {
      name: text,
      left: { allOf: [{ $ref }], description: 'x' },
      many: { type: 'array', items: { $ref } },
    },
    'x-kubernetes-group-version-kind': [kind],
  };
  const document = JSON.parse(JSON.stringify({ components: { schemas: { Tree: tree } } }));
  const found = schemaInDocument(document, kind);
  assert.deepEqual(found?.properties, {
    name: text,
    left: { type: 'object' },
    many: { type: 'array', items: { type: 'object' } },
  });
  assert.equal(schemaInDocument(document, { ...kind, version: 'v2' }), undefined);
  assert.equal(schemaInDocument({ components: { schemas: {} } }, kind), undefined);
});

it('a schema is not found where a short document would come to more than can be held', () => {
  const kind = { group: 'example.com', version: 'v1', kind: 'Maze' };
  const schemas: Record<string, object> = { Level40: text };
  for (let level = 0; level < 40; level += 1) {
    const next = { $ref: `#/components/schemas/Level${level + 1}` };
    const own = level === 0 ? { 'x-kubernetes-group-version-kind': [kind] } : {};
    schemas[`Level${level}`] = { type: 'object', properties: { left: next, right: next }, ...own };
  }
  const document = JSON.parse(JSON.stringify({ components: { schemas } }));
  assert.equal(schemaInDocument(document, kind), undefined);
});

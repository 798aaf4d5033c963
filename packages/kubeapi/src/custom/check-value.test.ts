import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JSONSchemaProps } from '../generated/types.ts';
import type { JsonValue } from '../json/json-value.ts';
import { checkValue } from './check-value.ts';
import { compileSchema } from './structural-schema.ts';

const complaints = (value: JsonValue, words: JSONSchemaProps) =>
  checkValue(value, compileSchema(words), 'spec').map(({ field, body }) => `${field}: ${body}`);

/** As the Gateway API has it: an address is one of IP where its type says so. */
const address: JSONSchemaProps = {
  type: 'object',
  properties: { type: { type: 'string' }, value: { type: 'string' } },
  oneOf: [
    {
      properties: {
        type: { enum: ['IPAddress'] },
        value: { anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] },
      },
    },
    { properties: { type: { not: { enum: ['IPAddress'] } } } },
  ],
};

test('of alternatives none of which holds, the one is told of where most was looked at', () => {
  assert.deepEqual(complaints({ type: 'IPAddress', value: '1.2.3.4:8080' }, address), [
    '<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found none valid',
    '<nil>: Invalid value: "": "spec.value" must validate at least one schema (anyOf)',
    'spec.value: Invalid value: "1.2.3.4:8080": spec.value in body must be of type ipv4: "1.2.3.4:8080"',
  ]);
});

test('of alternatives that are looked at alike, the first is told of', () => {
  const ranges: JSONSchemaProps = { type: 'integer', anyOf: [{ maximum: 5 }, { minimum: 10 }] };
  assert.deepEqual(complaints(7, ranges), [
    '<nil>: Invalid value: "": "spec" must validate at least one schema (anyOf)',
    'spec: Invalid value: 7: spec in body should be less than or equal to 5',
  ]);
  assert.deepEqual(complaints(3, ranges), []);
});

test('alternatives that hold are not told of, also where there are too many', () => {
  assert.deepEqual(complaints({ type: 'IPAddress', value: '1.2.3.4' }, address), []);
  assert.deepEqual(complaints({ type: 'Hostname', value: 'a' }, address), []);
  assert.deepEqual(complaints(12, { type: 'integer', oneOf: [{ minimum: 5 }, { minimum: 10 }] }), [
    '<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found 2 valid alternatives',
  ]);
});

test('a number must be one that its type and format can hold', () => {
  const held = (value: JsonValue, type: string, format?: string) =>
    complaints(value, { type, ...(format ? { format } : {}) });
  const range = (what: string) => `<nil>: Invalid value: "": Checked value must be of type ${what} in spec`;
  assert.deepEqual(held(2147483648, 'integer', 'int32'), [range('integer with format int32')]);
  assert.deepEqual(held(-2147483648, 'integer', 'int32'), []);
  assert.deepEqual(held(9223372036854775807n, 'integer', 'int64'), []);
  assert.deepEqual(held(1e300, 'number', 'float'), [range('number with format float')]);
  assert.deepEqual(held(1e300, 'number', 'double'), []);
  assert.deepEqual(held(9223372036854775808n, 'integer'), [
    'spec: Invalid value: "number": spec in body must be of type integer: "number"',
    range('integer (default format)'),
  ]);
});

test('of a value of another type the format is told of that was expected', () => {
  assert.deepEqual(complaints(1.5, { type: 'integer', format: 'int32' }), [
    'spec: Invalid value: "float64": spec in body must be of type int32: "float64"',
    '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec',
  ]);
  assert.deepEqual(complaints(true, { type: 'string', format: 'date-time' }), [
    'spec: Invalid value: "": spec in body must be of type date-time: ""',
  ]);
  assert.deepEqual(complaints('1', { type: 'integer', format: 'int32' }), [
    'spec: Invalid value: "string": spec in body must be of type integer: "string"',
  ]);
});

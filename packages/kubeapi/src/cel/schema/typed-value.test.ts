import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JSONSchemaProps } from '../../generated/types.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { equalValues } from '../values/equality.ts';
import { CelObject } from '../values/value.ts';
import { typedValue } from './typed-value.ts';

const kept = { 'x-kubernetes-preserve-unknown-fields': true };
const areEqual = (one: JsonValue, two: JsonValue, words: JSONSchemaProps) =>
  equalValues(typedValue(one, words), typedValue(two, words));

test('what a schema keeps without a type is equal to what says the same', () => {
  const words: JSONSchemaProps = { type: 'object', properties: { selector: kept } };
  const selector = { matchLabels: { team: 'a' } };
  assert.ok(areEqual({ selector }, { selector: structuredClone(selector) }, words));
  assert.ok(!areEqual({ selector }, { selector: { matchLabels: { team: 'b' } } }, words));
  assert.ok(!areEqual({ selector }, { selector: 'a' }, words));
});

test('objects are equal when fields are, too, that their schema does not name', () => {
  const words: JSONSchemaProps = { type: 'object', ...kept };
  assert.ok(areEqual({ a: [1] }, { a: [1] }, words));
  assert.ok(!areEqual({ a: [1] }, { a: [2] }, words));
  assert.ok(!areEqual({ a: 1 }, { b: 1 }, words));
  assert.ok(!areEqual({ a: 1 }, {}, words));
  assert.ok(!areEqual({ a: 1, b: 1 }, { a: 1, b: 2 }, { ...words, properties: { a: { type: 'integer' } } }));
});

test('a field that is null is absent', () => {
  const words: JSONSchemaProps = { type: 'object', properties: { a: { type: 'string', nullable: true } } };
  const value = typedValue({ a: null }, words);
  assert.ok(value instanceof CelObject);
  assert.equal(value.get('a'), undefined);
  assert.ok(areEqual({ a: null }, { a: null }, words));
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { JsonObject } from '../json/json-value.ts';
import { checkScaleSpec, checkScaleStatus } from './check-scale.ts';

const scale = {
  specReplicasPath: '.spec.size',
  statusReplicasPath: '.status.size',
  labelSelectorPath: '.status.selector',
};
const told = (object: JsonObject) =>
  [...checkScaleSpec(object, scale), ...checkScaleStatus(object, scale)].map(
    ({ field, body }) => `${field}: ${body}`,
  );

it('numbers of replicas and a selector that are sound, or not there, are taken', () => {
  assert.deepEqual(told({}), []);
  assert.deepEqual(told({ spec: {}, status: null }), []);
  assert.deepEqual(told({ spec: { size: 0 }, status: { size: 2_147_483_647, selector: 'a=b' } }), []);
});

it('numbers of replicas are neither negative nor beyond 32 bits', () => {
  assert.deepEqual(told({ spec: { size: -1 }, status: { size: 2_147_483_648 } }), [
    '.spec.size: Invalid value: -1: should be a non-negative integer',
    '.status.size: Invalid value: 2147483648: should be less than or equal to 2147483647',
  ]);
});

it('what is of another type is told as upstream does', () => {
  const accessor = (path: string, value: string, type: string, wanted: string) =>
    `.${path} accessor error: ${value} is of the type ${type}, expected ${wanted}`;
  assert.deepEqual(told({ spec: { size: 'many' }, status: { size: 1.5, selector: { a: 'b' } } }), [
    `.spec.size: Invalid value: 0: ${accessor('spec.size', 'many', 'string', 'int64')}`,
    `.status.size: Invalid value: 0: ${accessor('status.size', '1.5', 'float64', 'int64')}`,
    `.status.selector: Invalid value: "": ${accessor('status.selector', 'map[a:b]', 'map[string]interface {}', 'string')}`,
  ]);
  assert.deepEqual(told({ spec: { size: null }, status: [true] }), [
    `.spec.size: Invalid value: 0: ${accessor('spec.size', '<nil>', '<nil>', 'int64')}`,
    `.status.size: Invalid value: 0: ${accessor('status.size', '[true]', '[]interface {}', 'map[string]interface{}')}`,
    `.status.selector: Invalid value: "": ${accessor('status.selector', '[true]', '[]interface {}', 'map[string]interface{}')}`,
  ]);
});

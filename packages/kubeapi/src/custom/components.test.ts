import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '../generated/types.ts';
import type { JsonObject } from '../json/json-value.ts';
import { customComponents } from './components.ts';

test('components tell which fields are selectable, and lists refer to their objects', () => {
  const names = { kind: 'Rule', plural: 'rules' };
  const definition = { spec: { group: 'example.com', scope: 'Cluster', names } } as CustomResourceDefinition;
  const version = { name: 'v1', served: true, storage: true, selectableFields: [{ jsonPath: '.spec.mode' }] };
  const { schemas } = customComponents(definition, version as CustomResourceDefinitionVersion);
  const { 'com.example.v1.Rule': object, 'com.example.v1.RuleList': list } = schemas as Record<
    string,
    JsonObject
  >;
  for (const each of [object, list])
    assert.deepEqual(each?.['x-kubernetes-selectable-fields'], [{ fieldPath: 'spec.mode' }]);
  const { items } = (list as { properties: JsonObject }).properties;
  assert.deepEqual(items, { type: 'array', items: { $ref: '#/components/schemas/com.example.v1.Rule' } });
});

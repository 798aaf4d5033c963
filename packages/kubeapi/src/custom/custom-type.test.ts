import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '../generated/types.ts';
import { customType } from './custom-type.ts';

test('a schema may require metadata, which every object has', () => {
  const openAPIV3Schema = {
    type: 'object',
    required: ['metadata', 'spec'],
    properties: { spec: { type: 'object' } },
  };
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } };
  const names = { kind: 'Rule', plural: 'rules', listKind: 'RuleList' };
  const definition = { spec: { group: 'example.com', scope: 'Cluster', names, versions: [version] } };
  const type = customType(
    definition as unknown as CustomResourceDefinition,
    version as CustomResourceDefinitionVersion,
  );
  const object = { metadata: { name: 'a' }, spec: {} };
  assert.deepEqual(type.checkNew(object), []);
  const [missing] = type.checkNew({ metadata: { name: 'a' } });
  assert.equal(missing?.field, 'spec');
});

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

test('unknown fields are told of part by part: those of the metadata, of the schema, of embedded objects', () => {
  const embedded = { type: 'object', 'x-kubernetes-embedded-resource': true };
  const spec = { type: 'object', properties: { object: embedded } };
  const openAPIV3Schema = { type: 'object', properties: { spec } };
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } };
  const names = { kind: 'Rule', plural: 'rules', listKind: 'RuleList' };
  const definition = { spec: { group: 'example.com', scope: 'Cluster', names, versions: [version] } };
  const type = customType(
    definition as unknown as CustomResourceDefinition,
    version as CustomResourceDefinitionVersion,
  );
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', mine: 1 } };
  const said = { metadata: { name: 'a', z: 1, b: 1 }, spec: { unknown: 1, another: 1, object }, alone: 1 };
  assert.deepEqual(type.read(said).unknownFields, [
    ...['metadata.b', 'metadata.z', 'alone', 'spec.another', 'spec.unknown'],
    'spec.object.metadata.mine',
  ]);
});

test('who changes a status is not told of what became stricter outside of it', () => {
  const openAPIV3Schema = {
    type: 'object',
    required: ['spec'],
    properties: {
      spec: { type: 'object' },
      status: { type: 'object', properties: { phase: { type: 'string', maxLength: 3, minLength: 1 } } },
    },
  };
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } };
  const names = { kind: 'Rule', plural: 'rules', listKind: 'RuleList' };
  const definition = { spec: { group: 'example.com', scope: 'Cluster', names, versions: [version] } };
  const type = customType(
    definition as unknown as CustomResourceDefinition,
    version as CustomResourceDefinitionVersion,
  );
  const metadata = { name: 'a', resourceVersion: '1' };
  const change = (phase: string) =>
    type
      .checkChange({ metadata, status: { phase } }, { metadata }, 'status')
      .map(({ field, body }) => `${field}: ${body}`);
  assert.deepEqual(change('on'), []);
  assert.deepEqual(change(''), [
    'status.phase: Invalid value: "": phase in body should be at least 1 chars long',
  ]);
  assert.equal(type.checkChange({ metadata, status: {} }, { metadata }, '')[0]?.field, 'spec');
});

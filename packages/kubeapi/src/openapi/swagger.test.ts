import assert from 'node:assert/strict';
import { test } from 'node:test';
import { swaggerComponent } from '../custom/components.ts';
import type { JsonObject } from '../json/json-value.ts';
import { findResource } from '../schema/resources.ts';
import { encodeSwagger } from './gnostic.ts';
import { renderSwagger, swaggerDocument } from './swagger.ts';

const served = [findResource('', 'v1', 'pods')!];
const options = { served, version: 'v1.2.3' };
const document = swaggerDocument(options) as {
  info: JsonObject;
  paths: Record<string, Record<string, JsonObject>>;
  definitions: Record<string, { properties: Record<string, JsonObject> }>;
};
const fieldOf = (definition: string, field: string) => {
  const { description: _, ...rest } = document.definitions[`io.k8s.${definition}`]!.properties[field]!;
  return rest;
};

test('a field that is a message refers to its definition, beside its description', () => {
  const spec = { $ref: '#/definitions/io.k8s.api.core.v1.PodSpec' };
  assert.deepEqual(fieldOf('api.core.v1.Pod', 'spec'), spec);
});

test('lists keep merge keys, strategies and list types', () => {
  assert.deepEqual(fieldOf('api.core.v1.PodSpec', 'containers'), {
    type: 'array',
    items: { $ref: '#/definitions/io.k8s.api.core.v1.Container' },
    'x-kubernetes-list-map-keys': ['name'],
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-patch-merge-key': 'name',
    'x-kubernetes-patch-strategy': 'merge',
  });
});

test('what may be a number or a text is called a text, and nothing names a default', () => {
  const text = JSON.stringify(document);
  const { definitions } = document as unknown as { definitions: Record<string, JsonObject> };
  assert.equal(definitions['io.k8s.apimachinery.pkg.api.resource.Quantity']!['type'], 'string');
  assert.doesNotMatch(text, /"oneOf"|"allOf"|"default":|components\/schemas/);
});

test('a body is a parameter, and PATCH knows its types and a dry run', () => {
  const pods = '/api/v1/namespaces/{namespace}/pods';
  const patch = document.paths[`${pods}/{name}`]!['patch']!;
  const post = document.paths[pods]!['post']!;
  const [body, dryRun] = patch['parameters'] as JsonObject[];
  assert.deepEqual(body, { name: 'body', in: 'body', required: true, schema: { type: 'object' } });
  assert.deepEqual([dryRun!['name'], dryRun!['in'], dryRun!['type']], ['dryRun', 'query', 'string']);
  assert.ok((patch['consumes'] as string[]).includes('application/strategic-merge-patch+json'));
  const pod = { $ref: '#/definitions/io.k8s.api.core.v1.Pod' };
  assert.deepEqual((post['parameters'] as JsonObject[])[0]!['schema'], pod);
  assert.deepEqual((post['responses'] as Record<string, JsonObject>)['200']!['schema'], pod);
});

test('bounds and patterns of custom resources are told of, in protobuf too', () => {
  const bounded = { type: 'string', pattern: 'a|b', maxLength: 300, minLength: 1, title: 'T' };
  assert.deepEqual(swaggerComponent({ ...bounded, not: { enum: ['b'] } }), bounded);
  const encoded = encodeSwagger({ definitions: { a: { maximum: 2.5, maxLength: 300 } } });
  // Field 7 is a double of 64 bits, field 11 a varint.
  assert.equal(Buffer.from(encoded).toString('hex').slice(-24), '39000000000000044058ac02');
});

test('nothing but its kind is told of a custom resource that may have any field', () => {
  const kind = { 'x-kubernetes-group-version-kind': [{ group: 'a.example', kind: 'A', version: 'v1' }] };
  const free = { ...kind, type: 'object', properties: {}, 'x-kubernetes-preserve-unknown-fields': true };
  assert.deepEqual(swaggerComponent(free), { type: 'object', ...kind });
});

test('both forms have one hash, which changes with what is served', () => {
  const json = renderSwagger(options, 'json');
  assert.match(json.hash, /^[0-9A-F]{128}$/);
  assert.equal(renderSwagger(options, 'protobuf').hash, json.hash);
  assert.notEqual(renderSwagger({ ...options, version: 'v1.2.4' }, 'json').hash, json.hash);
});

test('protobuf puts each value under its field number', () => {
  const swagger = {
    swagger: '2.0',
    definitions: { A: { type: 'array', items: { $ref: '#/definitions/B' }, 'x-k': ['n'] } },
  };
  const inner = (number: number, ...parts: (string | Uint8Array)[]) => {
    const bytes = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
    return Buffer.concat([Buffer.from(varint((number << 3) | 2)), Buffer.from(varint(bytes.length)), bytes]);
  };
  const varint = (value: number) => (value < 128 ? [value] : [(value & 127) | 128, value >> 7]);
  const schema = inner(
    2,
    inner(22, inner(1, 'array')),
    inner(23, inner(1, inner(1, '#/definitions/B'))),
    inner(31, inner(1, 'x-k'), inner(2, inner(2, '["n"]\n'))),
  );
  const expected = Buffer.concat([inner(1, '2.0'), inner(9, inner(1, inner(1, 'A'), schema))]);
  assert.deepEqual(Buffer.from(encodeSwagger(swagger)), expected);
});

test('a key without a field number is refused, not lost', () => {
  assert.throws(() => encodeSwagger({ swagger: '2.0', tags: [] }), /no field number for "tags"/);
});

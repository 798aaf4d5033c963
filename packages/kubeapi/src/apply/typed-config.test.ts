import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { JsonObject } from '../json/json-value.ts';
import { messageSchema } from '../schema/schema.ts';
import { layOver } from './lay-over.ts';
import { messageNode } from './node.ts';
import { applyConfiguration } from './server-side-apply.ts';
import { keyedPath, unfitItems } from './typed-config.ts';
import { fieldSetOf } from './walk.ts';

const node = messageNode(messageSchema('Pod'));
const pod = (container: JsonObject, more: JsonObject = {}): JsonObject => ({
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'x', ...container }], ...more },
});

it('items of a list that stand twice are named by their keys', () => {
  const twice = { env: [{ name: 'a' }, { name: 'b' }, { name: 'a' }] };
  assert.deepEqual(unfitItems(pod(twice), node), [
    '.spec.containers[name="x"].env: duplicate entries for key [name="a"]',
  ]);
  assert.deepEqual(unfitItems(pod({ args: ['a', 'a'], ports: [{ containerPort: 1 }] }), node), []);
  const ports: JsonObject[] = [{ containerPort: 1 }, { containerPort: 1, protocol: 'TCP' }];
  assert.deepEqual(unfitItems(pod({ ports }), node), [
    '.spec.containers[name="x"].ports: duplicate entries for key [containerPort=1,protocol="TCP"]',
  ]);
});

it('items that can not be told apart are named by where they stand', () => {
  const why = 'associative list with keys has an element that omits all key fields ["name"]';
  const account = messageNode(messageSchema('ServiceAccount'));
  assert.deepEqual(unfitItems({ secrets: [{ name: 'a' }, { namespace: 'b' }] }, account), [
    `.secrets: element 1: ${why} (and doesn't have default values for any key fields)`,
  ]);
  assert.deepEqual(unfitItems(pod({ env: [{ value: 'b' }] }), node), [], 'what has to be there is empty');
  assert.deepEqual(unfitItems({ metadata: { finalizers: ['a', null] } }, node), [
    ".metadata.finalizers: element 1: associative list without keys has an element that's an explicit null",
  ]);
});

it('a configuration that has an item twice is not laid over an object', () => {
  const twice = { spec: { containers: [{ name: 'x' }, { name: 'x' }] } };
  assert.throws(() => layOver(pod({}), twice, node), {
    message: '.spec.containers: duplicate entries for key [name="x"]',
  });
});

it('a path into a list names the item by its keys', () => {
  const value = pod({ env: [{ name: 'a', foo: 1 }], args: ['q'] });
  assert.equal(
    keyedPath('spec.containers[0].env[0].foo', value, node),
    '.spec.containers[name="x"].env[name="a"].foo',
  );
  assert.equal(keyedPath('bar', value, node), '.bar');
});

it('an item without the keys of its list is left to validation', () => {
  assert.deepEqual(fieldSetOf(pod({ env: [{ value: 'v' }] }), node).toFields()['f:spec'], {
    'f:containers': {
      'k:{"name":"x"}': { '.': {}, 'f:name': {}, 'f:env': { 'k:{"name":""}': { '.': {}, 'f:value': {} } } },
    },
  });
});

it('conflicts name what is in a part before what is in the parts below it', () => {
  const apply = (live: JsonObject | undefined, name: string, config: JsonObject) =>
    applyConfiguration({
      ...{ node, live, config, force: false, now: '2024-01-01T00:00:00Z' },
      manager: { name, apiVersion: 'v1', subresource: '' },
    });
  const { object } = apply(
    undefined,
    'ann',
    pod({ image: 'i', env: [{ name: 'a', value: '1' }] }, { nodeName: 'n' }),
  );
  const other = pod({ image: 'j', env: [{ name: 'a', value: '2' }] }, { nodeName: 'm' });
  assert.throws(() => apply(object, 'bob', other), {
    message: `Apply failed with 3 conflicts: conflicts with "ann":
- .spec.nodeName
- .spec.containers[name="x"].image
- .spec.containers[name="x"].env[name="a"].value`,
  });
});

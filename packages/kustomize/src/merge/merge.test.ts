import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '@wherry/kubeapi';
import { fromJson, toJson } from '../yaml/to-json.ts';
import { merge } from './merge.ts';

const pod = (spec: JsonObject): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  spec,
});

function merged(target: JsonObject, patch: JsonObject): unknown {
  const node = merge(fromJson(pod(target)), fromJson(pod(patch)));
  return node?.kind === 'map' ? toJson(node)['spec'] : undefined;
}

const containers = (...items: JsonObject[]): JsonObject => ({ containers: items });

describe('a strategic merge', () => {
  it('takes away by null and by directive, and keeps the rest', () => {
    const target = { ...containers({ name: 'a', image: 'x' }, { name: 'b' }), hostname: 'h', nodeName: 'n' };
    const patch = { ...containers({ name: 'b', $patch: 'delete' }), hostname: null };
    assert.deepEqual(merged(target, patch), { ...containers({ name: 'a', image: 'x' }), nodeName: 'n' });
  });

  it('has what is new at the beginning of keyed lists', () => {
    const patch = containers({ name: 'new' }, { name: 'a', image: 'y' });
    const wanted = containers({ name: 'new' }, { name: 'a', image: 'y' }, { name: 'b' });
    assert.deepEqual(merged(containers({ name: 'a', image: 'x' }, { name: 'b' }), patch), wanted);
  });

  it('tells ports apart by number and protocol', () => {
    const ports = (...list: JsonObject[]) => containers({ name: 'a', ports: list });
    const target = ports({ containerPort: 53, protocol: 'UDP' }, { containerPort: 53, protocol: 'TCP' });
    const patch = ports({ containerPort: 53, protocol: 'TCP', name: 'dns' });
    assert.deepEqual(
      merged(target, patch),
      ports({ containerPort: 53, protocol: 'UDP' }, { containerPort: 53, protocol: 'TCP', name: 'dns' }),
    );
  });

  it('replaces lists that have no keys, and maps where it is told', () => {
    const target = { tolerations: [{ key: 'a' }], nodeSelector: { a: 'b' } };
    const patch = { tolerations: [{ key: 'b' }], nodeSelector: { $patch: 'replace', c: 'd' } };
    assert.deepEqual(merged(target, patch), { tolerations: [{ key: 'b' }], nodeSelector: { c: 'd' } });
  });

  it('refuses a map in the place of a list, and an unknown directive', () => {
    assert.throws(() => merged(containers({ name: 'a' }), { containers: {} }), /wrong node kind/);
    assert.throws(
      () => merged({ nodeSelector: {} }, { nodeSelector: { $patch: 'x' } }),
      /unknown patch strategy 'x'/,
    );
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { container, pod } from '../../../../test/builders.ts';
import { nestedMounts } from './nested-mounts.ts';

function nestedIn(...containers: Record<string, string>[]): readonly string[] {
  const mounted = containers.map((mounts, at) =>
    container(`c${at}`, {
      volumeMounts: Object.entries(mounts).map(([mountPath, name]) => ({ name, mountPath })),
    }),
  );
  return nestedMounts(pod({ containers: mounted }), 'v');
}

test('what is mounted below a volume has its place there, the outermost alone, however paths are written', () => {
  assert.deepEqual(nestedIn({ '/dir': 'v' }), []);
  assert.deepEqual(nestedIn({ '/dir': 'v', '/dir2': 'w', '/': 'x' }), []);
  assert.deepEqual(nestedIn({ '/dir': 'v', '/dir/nested': 'w' }), ['nested']);
  assert.deepEqual(nestedIn({ 'dir//': 'v', '/dir/./nested/': 'w' }), ['nested']);
  assert.deepEqual(nestedIn({ '/dir/deep/down': 'w', '/dir': 'v' }), ['deep/down']);
  const several = ['/dir/nested/double', '/dir/nested', '/dir/nested-vol', '/dir/nested.vol', '/dir/nested2'];
  assert.deepEqual(
    [...nestedIn({ '/dir': 'v', ...Object.fromEntries(several.map((path) => [path, 'w'])) })].sort(),
    ['nested', 'nested-vol', 'nested.vol', 'nested2'],
  );
  assert.deepEqual(nestedIn({ '/one': 'v', '/two': 'v', '/one/a': 'w', '/two/b': 'w' }), ['a', 'b']);
});

test('each container has its own mounts', () => {
  assert.deepEqual(nestedIn({ '/dir': 'v' }, { '/dir/nested': 'w' }), []);
  assert.deepEqual(nestedIn({ '/dir': 'v', '/dir/a': 'w' }, { '/other': 'v', '/other/a': 'w' }), ['a']);
});

test('thousands of mounts, below one another and beside, take time by their number alone', () => {
  const chain = Array.from({ length: 100 }, (_, at) => '/a'.repeat(at + 1));
  const leaves = Array.from({ length: 20_000 }, (_, at) => `${chain.at(-1)}/${at}`);
  const mounts = Object.fromEntries([...chain, ...leaves].map((path) => [path, 'v']));
  const began = performance.now();
  const nested = nestedIn(mounts);
  const tookMs = performance.now() - began;
  // Of each of the chain the next one, and of the last the leaves.
  assert.equal(nested.length, 1 + leaves.length);
  assert.ok(tookMs < 5_000, `${tookMs} ms, where each with each takes minutes`);
});

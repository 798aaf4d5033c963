import assert from 'node:assert/strict';
import { it } from 'node:test';
import { revisionData, revisionHash } from './revision-history.ts';

it('a revision has the hash that upstream gives it', () => {
  const spec = { containers: [{ name: 'main', image: 'a&b' }] };
  const data = revisionData({ spec: { template: { metadata: { labels: { app: 'web' } }, spec } } });
  // Worked out by hash/fnv and rand.SafeEncodeString of Go, over what encoding/json writes.
  assert.equal(revisionHash(data, 0), '5bb6c45d85');
  assert.equal(revisionHash(data, 1), '5bb6c45d84');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Deployment, ReplicaSet } from '@wherry/kubeapi';
import { annotations, byRevision, currentAnnotations, revisionOf } from './replica-sets.ts';

const set = (revision: string) =>
  ({
    metadata: { name: revision, annotations: { [annotations.revision]: revision } },
    spec: {},
  }) as unknown as ReplicaSet;
const deployment = { metadata: {}, spec: {} } as unknown as Deployment;

test('a revision is a number of 64 bits, each of which counts', () => {
  const large = set('3546343826724305832');
  assert.equal(revisionOf(large), 3546343826724305832n);
  assert.ok(byRevision(large, set('3546343826724305833')) < 0);
  const next = currentAnnotations(deployment, {}, (revisionOf(large) ?? 0n) + 1n);
  assert.equal(next[annotations.revision], '3546343826724305833');
});

test('what is no number of 64 bits is no revision, and is left alone', () => {
  for (const text of ['one', '9223372036854775808', '']) {
    assert.equal(revisionOf(set(text)), undefined);
    const known = { [annotations.revision]: text };
    assert.deepEqual(currentAnnotations(deployment, known, 5n), known);
  }
});

test('of a history that a tenant made as long as an annotation can be, the last revisions are kept, at once', () => {
  const revisions = Array.from({ length: 100_000 }, (_, index) => String(index % 10)).join(',');
  const known = { [annotations.revision]: '77', [annotations.revisionHistory]: revisions };
  const began = performance.now();
  const history = currentAnnotations(deployment, known, 78n);
  const kept = history[annotations.revisionHistory] ?? '';
  assert.match(kept, /^\d(,\d)*,9,77$/);
  assert.ok(kept.length > 1990 && kept.length <= 2000, `${kept.length} characters`);
  assert.ok(performance.now() - began < 2_000, 'to shorten it by one revision at a time takes minutes');
});

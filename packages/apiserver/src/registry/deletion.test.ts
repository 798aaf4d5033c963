import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DeleteOptions } from '@wherry/kubeapi';
import { namespaceStrategy } from '../kinds/core/namespace.ts';
import { podStrategy } from '../kinds/core/pod/strategy.ts';
import type { ApiObject } from '../objects/api-object.ts';
import type { Strategy } from '../objects/strategy.ts';
import { deletionOf, isReadyToGo } from './deletion.ts';

const nowMs = Date.parse('2026-01-01T00:00:00Z');
const object = (metadata: object = {}, more: object = {}): ApiObject =>
  ({ metadata: { name: 'a', ...metadata }, ...more }) as ApiObject;
const pod = (metadata: object = {}) =>
  object(metadata, { spec: { nodeName: 'n', terminationGracePeriodSeconds: 20 }, status: {} });
const deleted = (target: ApiObject, options: DeleteOptions = {}, strategy: Strategy = {}) => {
  const change = deletionOf(target, options, { strategy, nowMs });
  return 'remove' in change ? 'removed' : change.next.metadata;
};

describe('a deletion', () => {
  it('takes an object away at once that nothing keeps', () => {
    assert.equal(deleted(object()), 'removed');
  });

  it('marks an object that a finalizer keeps, and counts its generation', () => {
    const metadata = deleted(object({ finalizers: ['example.com/x'], generation: 4 }));
    assert.deepEqual(metadata, {
      name: 'a',
      finalizers: ['example.com/x'],
      generation: 5,
      deletionTimestamp: '2026-01-01T00:00:00Z',
      deletionGracePeriodSeconds: 0,
    });
  });

  it('turns a propagation policy into its finalizer', () => {
    const policies = { Foreground: ['foregroundDeletion'], Orphan: ['orphan'] };
    for (const [propagationPolicy, finalizers] of Object.entries(policies)) {
      const metadata = deleted(object(), { propagationPolicy });
      assert.ok(metadata !== 'removed');
      assert.deepEqual(metadata.finalizers, finalizers);
    }
    assert.equal(deleted(object({ finalizers: ['orphan'] }), { propagationPolicy: 'Background' }), 'removed');
  });

  it('orphans by default where upstream does, unless a policy is decided already', () => {
    const strategy = { orphansByDefault: true };
    const metadata = deleted(object(), {}, strategy);
    assert.deepEqual(metadata !== 'removed' && metadata.finalizers, ['orphan']);
    const decided = deleted(object({ finalizers: ['foregroundDeletion'] }), {}, strategy);
    assert.deepEqual(decided !== 'removed' && decided.finalizers, ['foregroundDeletion']);
    assert.equal(deleted(object(), { orphanDependents: false }, strategy), 'removed');
  });

  it('gives a pod on a node its grace, and one without a node none', () => {
    const metadata = deleted(pod(), {}, podStrategy);
    assert.ok(metadata !== 'removed');
    assert.equal(metadata.deletionGracePeriodSeconds, 20);
    assert.equal(metadata.deletionTimestamp, '2026-01-01T00:00:20Z');
    assert.equal(deleted(object({}, { spec: {}, status: {} }), {}, podStrategy), 'removed');
    assert.equal(deleted(pod(), { gracePeriodSeconds: 0 }, podStrategy), 'removed');
  });

  it('that is repeated may shorten the grace, and never lengthen it', () => {
    const running = { deletionTimestamp: '2026-01-01T00:00:20Z', deletionGracePeriodSeconds: 20 };
    const shorter = deleted(pod(running), { gracePeriodSeconds: 5 }, podStrategy);
    assert.deepEqual(
      shorter !== 'removed' && [shorter.deletionGracePeriodSeconds, shorter.deletionTimestamp],
      [5, '2026-01-01T00:00:05Z'],
    );
    const longer = deleted(pod(running), { gracePeriodSeconds: 60 }, podStrategy);
    assert.equal(longer !== 'removed' && longer.deletionGracePeriodSeconds, 20);
    assert.equal(deleted(pod(running), { gracePeriodSeconds: 0 }, podStrategy), 'removed');
  });

  it('of a namespace makes it Terminating until its own finalizers are gone', () => {
    const namespace = object({}, { spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } });
    assert.notEqual(deleted(namespace, {}, namespaceStrategy), 'removed');
    assert.deepEqual(namespace.status, { phase: 'Terminating' });
    assert.equal(namespace.metadata.deletionGracePeriodSeconds, undefined, 'nothing is said of grace');
    assert.equal(isReadyToGo(namespace, namespaceStrategy), false);
    namespace.spec = { finalizers: [] };
    assert.equal(isReadyToGo(namespace, namespaceStrategy), true);
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PodStatus } from '@wherry/kubeapi';
import { statusPatch } from './status-patch.ts';

const ready = { type: 'Ready', status: 'True' as const, lastTransitionTime: '2026-01-01T00:00:00Z' };

test('equal statuses need no patch', () => {
  const status: PodStatus = { phase: 'Running', conditions: [ready], podIPs: [{ ip: '10.0.0.1' }] };
  assert.equal(statusPatch('u', status, structuredClone(status)), undefined);
});

test('the patch carries the UID and what differs alone', () => {
  const patch = statusPatch(
    'u',
    { phase: 'Pending', hostIP: '1.2.3.4' },
    { phase: 'Running', hostIP: '1.2.3.4' },
  );
  assert.deepEqual(patch, { metadata: { uid: 'u' }, status: { phase: 'Running' } });
});

test('conditions of others are left alone, own ones that went are deleted', () => {
  const foreign = { type: 'example.com/gate', status: 'True' as const };
  const gone = { type: 'ContainersReady', status: 'True' as const };
  const patch = statusPatch('u', { conditions: [ready, foreign, gone] }, { conditions: [ready] });
  assert.deepEqual(patch?.['status'], { conditions: [{ $patch: 'delete', type: 'ContainersReady' }] });
});

test('a condition that loses its reason says so', () => {
  const before = { ...ready, status: 'False' as const, reason: 'ContainersNotReady', message: 'x' };
  const patch = statusPatch('u', { conditions: [before] }, { conditions: [ready] });
  assert.deepEqual(patch?.['status'], { conditions: [{ reason: null, message: null, ...ready }] });
});

test('addresses are replaced, not merged', () => {
  const patch = statusPatch('u', { podIPs: [{ ip: '10.0.0.1' }] }, { podIPs: [{ ip: '10.0.0.2' }] });
  assert.deepEqual(patch?.['status'], { podIPs: [{ $patch: 'replace' }, { ip: '10.0.0.2' }] });
});

test('fields that went are cleared, fields that others own are kept', () => {
  const before: PodStatus = { reason: 'Evicted', nominatedNodeName: 'n' };
  assert.deepEqual(statusPatch('u', before, {})?.['status'], { reason: null });
});

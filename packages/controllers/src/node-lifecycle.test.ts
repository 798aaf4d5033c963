import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { taintsFor, toleratedSeconds } from './node-lifecycle.ts';

describe('taintsFor', () => {
  it('taints a node by its Ready condition and by cordon', () => {
    const node = (status: 'True' | 'False' | 'Unknown') => ({
      metadata: {},
      spec: {},
      status: { conditions: [{ type: 'Ready', status }] },
    });
    const keys = (taints: { key: string; effect: string }[]) =>
      taints.map(({ key, effect }) => `${key}:${effect}`);
    assert.deepEqual(keys(taintsFor(node('True'))), []);
    assert.deepEqual(keys(taintsFor(node('False'))), [
      'node.kubernetes.io/not-ready:NoSchedule',
      'node.kubernetes.io/not-ready:NoExecute',
    ]);
    assert.deepEqual(keys(taintsFor(node('Unknown'))), [
      'node.kubernetes.io/unreachable:NoSchedule',
      'node.kubernetes.io/unreachable:NoExecute',
    ]);
    assert.deepEqual(keys(taintsFor({ ...node('True'), spec: { unschedulable: true } })), [
      'node.kubernetes.io/unschedulable:NoSchedule',
    ]);
  });
});

describe('taintsFor a node that is short of something', () => {
  it('keeps new pods off and lets those that run be', () => {
    const condition = (type: string, status: 'True' | 'False') => ({ type, status });
    const conditions = [
      condition('Ready', 'True'),
      condition('MemoryPressure', 'False'),
      condition('DiskPressure', 'True'),
      condition('PIDPressure', 'True'),
    ];
    assert.deepEqual(taintsFor({ metadata: {}, spec: {}, status: { conditions } }), [
      { key: 'node.kubernetes.io/disk-pressure', effect: 'NoSchedule' },
      { key: 'node.kubernetes.io/pid-pressure', effect: 'NoSchedule' },
    ]);
  });
});

describe('toleratedSeconds', () => {
  const taints = [{ key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' as const }];
  const pod = (tolerations: object[]) => ({ metadata: {}, spec: { containers: [], tolerations } });

  it('is 0 without a matching toleration', () => {
    assert.equal(toleratedSeconds(pod([]), taints), 0);
    assert.equal(toleratedSeconds(pod([{ key: 'other', operator: 'Exists' }]), taints), 0);
  });

  it('is the shortest of the matching tolerations, for ever when none has a limit', () => {
    const forever = { operator: 'Exists' };
    const limited = (tolerationSeconds: number) => ({
      key: 'node.kubernetes.io/unreachable',
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds,
    });
    assert.equal(toleratedSeconds(pod([forever]), taints), Number.POSITIVE_INFINITY);
    assert.equal(toleratedSeconds(pod([limited(300), forever, limited(20)]), taints), 20);
    assert.equal(toleratedSeconds(pod([limited(-5)]), taints), 0);
  });
});

/** How long pods wait for devices that are being made ready. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AllocatedDeviceStatus, ResourceV1ResourceClaim } from '@wherry/kubeapi';
import { limits } from '../../../limits.ts';
import { DeviceLedger } from '../../cluster/device-ledger.ts';
import { podInfo } from '../../cluster/pod-info.ts';
import { DeviceWaits } from './device-waits.ts';

const allocatedMs = Date.parse('2026-01-01T00:00:00Z');
const place = { driver: 'd.io', pool: 'p', device: 'x' };
const lastTransitionTime = '2026-01-01T00:00:00Z';
const told = (type: string, message = ''): AllocatedDeviceStatus => ({
  ...place,
  conditions: [{ type, status: 'True', reason: 'Said', message, lastTransitionTime }],
});
function claim(version: string, devices: AllocatedDeviceStatus[] = []): ResourceV1ResourceClaim {
  const result = { request: 'r', ...place };
  const conditions = { bindingConditions: ['d.io/attached'], bindingFailureConditions: ['d.io/broken'] };
  return {
    metadata: { name: 'c', namespace: 'default', uid: 'c', resourceVersion: version },
    spec: {},
    status: {
      allocation: {
        devices: { results: [{ ...result, ...conditions }] },
        allocationTimestamp: '2026-01-01T00:00:00Z',
      },
      devices,
    },
  };
}
const info = podInfo({
  metadata: { name: 'pod', namespace: 'default', uid: 'pod' },
  spec: { containers: [] },
});

describe('a pod with devices that are being made ready', () => {
  const begin = (lateMs = 0) => {
    const ledger = new DeviceLedger();
    const waits = new DeviceWaits();
    const written = claim('2');
    assert.ok(DeviceWaits.isNeeded({ claims: [written] }));
    waits.add(
      { info, nodeName: 'a', bound: { claims: [written] }, bindingMs: limits.deviceBindingMs },
      { nowMs: 5, wallMs: allocatedMs + lateMs },
    );
    const look = (known: ResourceV1ResourceClaim | undefined, nowMs = 5) => {
      const claims = new Map(known ? [['default/c', known]] : []);
      return [...waits.take({ ledger, claims, nowMs })].map(({ failure }) => failure ?? 'ready');
    };
    return { ledger, waits, look };
  };

  it('goes on once its driver says so, and is told of once', () => {
    const { waits, look } = begin();
    assert.deepEqual(look(claim('3')), []);
    assert.deepEqual(look(claim('4', [told('d.io/other')])), []);
    assert.deepEqual(look(claim('5', [told('d.io/attached')])), ['ready']);
    assert.deepEqual(look(claim('5', [told('d.io/attached')])), []);
    assert.equal(waits.size, 0);
  });

  it('can not have them where the driver says that they failed, or the claim lost them', () => {
    const broken = 'device binding failed: claim=c, reason=Said, message="no \\"power\\""';
    assert.deepEqual(begin().look(claim('3', [told('d.io/broken', 'no "power"')])), [broken]);
    const lost = 'claim default/c got deallocated elsewhere in the meantime';
    assert.deepEqual(begin().look({ ...claim('3'), status: {} }), [lost]);
    const gone = 'claim default/c got deleted in the meantime';
    assert.deepEqual(begin().look(undefined), [gone]);
    assert.deepEqual(begin().look({ ...claim('3'), metadata: { name: 'c', uid: 'other' } }), [gone]);
  });

  it('waits as long as an allocation may take, counted from when it was made', () => {
    const late = 'device binding timeout: claim=c';
    const { ledger, waits, look } = begin();
    assert.equal(waits.nextDueMs, 5 + limits.deviceBindingMs);
    assert.deepEqual(look(claim('3'), 4 + limits.deviceBindingMs), []);
    assert.deepEqual(look(claim('3'), 5 + limits.deviceBindingMs), [late]);
    assert.ok(ledger.isExpired(claim('3')));
    assert.equal(begin(limits.deviceBindingMs + 1).waits.nextDueMs, 5);
    const inTime = begin(60_000);
    assert.equal(inTime.waits.nextDueMs, 5 + limits.deviceBindingMs - 60_000);
    assert.deepEqual(inTime.look(claim('3', [told('d.io/attached')]), 5 + limits.deviceBindingMs), ['ready']);
  });
});

describe('a claim that the scheduler made', () => {
  it('counts from when it was written, whether the watch has shown it or not, until it is gone', () => {
    const ledger = new DeviceLedger();
    const made = claim('7');
    ledger.pend(made, made.status!.allocation!);
    ledger.settleMade(made, undefined);
    assert.equal([...ledger.pending].length, 1);
    assert.equal(ledger.find(made, undefined), made);
    const shown = { ...claim('6'), status: {} };
    ledger.shown(shown, false);
    assert.equal([...ledger.pending].length, 0);
    assert.equal(ledger.current(shown), made);
    ledger.shown(made, false);
    assert.equal(ledger.current(shown), shown);
  });

  it('does not count any more where its end was shown before its beginning was known', () => {
    const ledger = new DeviceLedger();
    const made = claim('7');
    ledger.pend(made, made.status!.allocation!);
    ledger.shown(made, true);
    ledger.settleMade(made, undefined);
    assert.equal([...ledger.pending].length, 0);
    ledger.pend(made, made.status!.allocation!);
    ledger.settleMade(made, undefined);
    ledger.forget(made);
    assert.equal([...ledger.pending].length, 0);
  });
});

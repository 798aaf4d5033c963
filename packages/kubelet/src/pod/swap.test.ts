import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { container, pod } from '../../test/builders.ts';
import { type SwapRules, swapBytesOf, swapObjection } from './swap.ts';

const gibibyte = 1024 ** 3;
const rules: SwapRules = {
  cgroupVersion: 'v2',
  isLimited: true,
  nodeMemoryBytes: 16 * gibibyte,
  nodeSwapBytes: 8 * gibibyte,
};
const burstable = { requests: { memory: '4Gi' } };

function bytesOf(resources: object, more: { rules?: Partial<SwapRules>; spec?: object } = {}): number {
  const one = container('a', { resources });
  return swapBytesOf(pod({ containers: [one], ...more.spec }), one, { ...rules, ...more.rules });
}

describe('with LimitedSwap', () => {
  it('a container of a Burstable pod may swap the part of the swap that it asks for of the memory', () => {
    assert.equal(bytesOf(burstable), 2 * gibibyte);
    assert.equal(bytesOf({ requests: { memory: '1Gi' }, limits: { memory: '3Gi' } }), gibibyte / 2);
    assert.equal(bytesOf({ requests: { memory: '1000' } }), 500);
    assert.equal(bytesOf({ requests: { memory: '1001' } }), 500, 'part of a byte');
  });

  it('nobody else may: Guaranteed, BestEffort, without a request, or one that is the limit', () => {
    const all = { cpu: '1', memory: '1Gi' };
    assert.equal(bytesOf({ requests: all, limits: all }), 0, 'Guaranteed');
    assert.equal(bytesOf({}), 0, 'BestEffort');
    assert.equal(bytesOf({ requests: { cpu: '1' } }), 0, 'no word of memory');
    assert.equal(bytesOf({ requests: { memory: '1Gi' }, limits: { memory: '1Gi' } }), 0, 'equal');
    assert.equal(bytesOf({ limits: { memory: '1Gi' } }), 0, 'the limit stands for the request');
  });

  it('no critical pod may, none on cgroup v1, and none that asks for more than there is', () => {
    assert.equal(bytesOf(burstable, { spec: { priority: 2_000_000_000 } }), 0);
    assert.equal(bytesOf(burstable, { rules: { cgroupVersion: 'v1' } }), 0);
    assert.equal(bytesOf(burstable, { rules: { cgroupVersion: undefined } }), 0);
    assert.equal(bytesOf({ requests: { memory: '17Gi' } }), 0);
    assert.equal(bytesOf(burstable, { rules: { nodeMemoryBytes: 0 } }), 0);
  });

  it('memory of what swaps, or would, is not changed while it runs, unless it is started anew for it', () => {
    const of = (memory: string, more: object = {}) =>
      pod({ containers: [container('a', { resources: { requests: { memory } }, ...more })] });
    const refusal = 'In-place resize of containers with swap is not supported.';
    assert.equal(swapObjection(of('2Gi'), of('1Gi'), rules), refusal);
    assert.equal(swapObjection(of('1Gi'), of('1Gi'), rules), undefined);
    assert.equal(swapObjection(of('2Gi'), of('1Gi'), { ...rules, isLimited: false }), undefined);
    const anew = { resizePolicy: [{ resourceName: 'memory', restartPolicy: 'RestartContainer' }] };
    assert.equal(swapObjection(of('2Gi', anew), of('1Gi', anew), rules), undefined);
    const cpu = (amount: string) =>
      pod({ containers: [container('a', { resources: { requests: { memory: '1Gi', cpu: amount } } })] });
    assert.equal(swapObjection(cpu('2'), cpu('1'), rules), undefined);
  });
});

it('with NoSwap nobody may', () => {
  assert.equal(bytesOf(burstable, { rules: { isLimited: false } }), 0);
});

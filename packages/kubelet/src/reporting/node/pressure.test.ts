import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type EvictionSignal,
  evictionThresholds,
  parseThreshold,
} from '../../configuration/eviction-thresholds.ts';
import { PressureConditions } from './pressure-conditions.ts';
import { type Observation, observeNode } from './pressure-signals.ts';

const none = { evictionHard: undefined, mergeDefaultEvictionSettings: false };
const seen = (...entries: [EvictionSignal, Observation][]) => new Map(entries);
const gibibyte = 2 ** 30;

describe('evictionThresholds', () => {
  it("are upstream's unless the configuration has its own", () => {
    assert.deepEqual(
      [...evictionThresholds(none).keys()],
      [
        'memory.available',
        'nodefs.available',
        'nodefs.inodesFree',
        'imagefs.available',
        'imagefs.inodesFree',
      ],
    );
    const evictionHard = { 'memory.available': '1Gi', 'nodefs.available': '0%' };
    assert.deepEqual(
      [...evictionThresholds({ evictionHard, mergeDefaultEvictionSettings: false })],
      [['memory.available', { amount: gibibyte }]],
    );
    const merged = evictionThresholds({ evictionHard, mergeDefaultEvictionSettings: true });
    assert.deepEqual(merged.get('imagefs.available'), { share: 0.15 });
    assert.equal(merged.get('nodefs.available'), undefined);
  });

  it('names a signal that does not exist, and an amount that is none', () => {
    assert.match(
      parseThreshold('disk.available', '1Gi').problem ?? '',
      /unsupported eviction signal disk\.available/,
    );
    assert.match(parseThreshold('nodefs.available', '120%').problem ?? '', /120% must be/);
    assert.match(parseThreshold('memory.available', 'much').problem ?? '', /"much" is neither/);
  });
});

describe('PressureConditions', () => {
  it('hold from the moment a threshold is crossed until it was not for the transition period', () => {
    const conditions = new PressureConditions({
      thresholds: evictionThresholds(none),
      transitionMs: 300_000,
    });
    const scarce = seen(['nodefs.available', { available: 9, capacity: 100 }]);
    const plenty = seen(['nodefs.available', { available: 10, capacity: 100 }]);
    assert.equal(conditions.observe(plenty, 0), false);
    assert.equal(conditions.observe(scarce, 10_000), true);
    assert.deepEqual([...conditions.holding], ['DiskPressure']);
    assert.equal(conditions.observe(plenty, 309_999), false);
    assert.equal(conditions.observe(plenty, 310_000), true);
    assert.deepEqual([...conditions.holding], []);
  });

  it('are told apart by what is scarce', () => {
    const evictionHard = { 'pid.available': '100', 'memory.available': '100Mi' };
    const thresholds = evictionThresholds({ evictionHard, mergeDefaultEvictionSettings: false });
    const conditions = new PressureConditions({ thresholds, transitionMs: 1 });
    conditions.observe(seen(['pid.available', { available: 99, capacity: 1_000 }]), 0);
    assert.deepEqual([...conditions.holding], ['PIDPressure']);
    conditions.observe(seen(['memory.available', { available: 1, capacity: gibibyte }]), 10);
    assert.deepEqual([...conditions.holding], ['MemoryPressure']);
  });
});

describe('observeNode', () => {
  it('measures memory, both file systems and process numbers of this machine', async () => {
    const observations = await observeNode({ rootDir: '/', imageFolder: '/tmp' });
    assert.equal(observations.size, 6);
    for (const [signal, { available, capacity }] of observations) {
      assert.ok(available > 0 && available <= capacity, `${signal}: ${available} of ${capacity}`);
    }
  });

  it('leaves out what can not be measured', async () => {
    const observations = await observeNode({ rootDir: '/nowhere', imageFolder: undefined });
    assert.deepEqual([...observations.keys()], ['memory.available', 'pid.available']);
  });
});

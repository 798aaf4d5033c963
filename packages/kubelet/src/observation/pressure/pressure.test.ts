import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CriClient } from '@wherry/cri';
import {
  type EvictionRule,
  type EvictionSignal,
  evictionRules,
  evictionThresholds,
  parseReclaim,
  parseThreshold,
  type Threshold,
  thresholdAmount,
} from '../../configuration/eviction-thresholds.ts';
import { NodeSignals, type Observation } from './node-signals.ts';
import { PressureState } from './pressure-state.ts';

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

describe('what is taken away beyond a threshold', () => {
  it('may be 0, and more than the whole, but is never a share of 0', () => {
    assert.deepEqual(parseReclaim('nodefs.available', '0'), { threshold: { amount: 0 } });
    assert.deepEqual(parseReclaim('nodefs.available', '150%'), { threshold: { share: 1.5 } });
    for (const text of ['0%', '-5%', 'x%', '%'])
      assert.match(parseReclaim('nodefs.available', text).problem ?? '', /must be positive/);
    assert.match(parseReclaim('nodefs.available', '-1Gi').problem ?? '', /must not be negative/);
    assert.match(parseReclaim('nodefs.available', '').problem ?? '', /neither an amount nor a percentage/);
    assert.match(parseReclaim('memory', '1Gi').problem ?? '', /unsupported eviction signal memory/);
  });
});

it('a share of the whole is worked out with 32 bits, as upstream tells it', () => {
  assert.equal(thresholdAmount({ share: 0.1 }, 100_000_000_000), 10_000_000_149);
  assert.equal(thresholdAmount({ amount: 5 }, 100), 5);
});

describe('evictionRules', () => {
  const settings = { ...none, evictionSoft: {}, evictionSoftGracePeriod: {}, evictionMinimumReclaim: {} };

  it('are the hard thresholds and, with their grace, the soft ones', () => {
    const rules = evictionRules({
      ...settings,
      evictionHard: { 'memory.available': '100Mi' },
      evictionSoft: { 'nodefs.available': '20%' },
      evictionSoftGracePeriod: { 'nodefs.available': '1m30s' },
      evictionMinimumReclaim: { 'memory.available': '50Mi', 'nodefs.available': '0' },
      enforceNodeAllocatable: [],
    });
    const mebibyte = 2 ** 20;
    assert.deepEqual(rules, [
      {
        signal: 'memory.available',
        threshold: { amount: 100 * mebibyte },
        graceMs: 0,
        minReclaim: { amount: 50 * mebibyte },
      },
      { signal: 'nodefs.available', threshold: { share: 0.2 }, graceMs: 90_000, minReclaim: { amount: 0 } },
    ]);
  });

  it('hold the memory of all pods to the threshold of the node where pods are held to an amount', () => {
    const rules = evictionRules({
      ...settings,
      evictionHard: { 'memory.available': '1Gi' },
      enforceNodeAllocatable: ['pods'],
    });
    assert.deepEqual(
      rules.map(({ signal, threshold }) => [signal, threshold]),
      [
        ['memory.available', { amount: gibibyte }],
        ['allocatableMemory.available', { amount: gibibyte }],
      ],
    );
  });
});

describe('PressureState', () => {
  const rule = (signal: EvictionSignal, threshold: Threshold, more: Partial<EvictionRule> = {}) => ({
    signal,
    threshold,
    graceMs: 0,
    minReclaim: undefined,
    ...more,
  });
  const left = (available: number) => seen(['nodefs.available', { available, capacity: 100 }]);

  it('holds a condition from the moment a threshold is crossed until it was not for the transition period', () => {
    const rules = [rule('nodefs.available', { share: 0.1 })];
    const state = new PressureState({ rules, transitionMs: 300_000 });
    assert.equal(state.observe(left(10), 0).changed, false);
    assert.equal(state.observe(left(9), 10_000).changed, true);
    assert.deepEqual([...state.holding], ['DiskPressure']);
    assert.equal(state.observe(left(10), 309_999).changed, false);
    assert.equal(state.observe(left(10), 310_000).changed, true);
    assert.deepEqual([...state.holding], []);
  });

  it('tells conditions apart by what is scarce', () => {
    const rules = [rule('pid.available', { amount: 100 }), rule('memory.available', { amount: 2 ** 20 })];
    const state = new PressureState({ rules, transitionMs: 1 });
    state.observe(seen(['pid.available', { available: 99, capacity: 1_000 }]), 0);
    assert.deepEqual([...state.holding], ['PIDPressure']);
    state.observe(seen(['memory.available', { available: 1, capacity: gibibyte }]), 10);
    assert.deepEqual([...state.holding], ['MemoryPressure']);
  });

  it('has a soft threshold due only when it was crossed for its whole grace without a break', () => {
    const soft = rule('nodefs.available', { amount: 20 }, { graceMs: 60_000 });
    const state = new PressureState({ rules: [soft], transitionMs: 1 });
    assert.deepEqual(state.observe(left(15), 0).due, []);
    assert.deepEqual([...state.holding], ['DiskPressure'], 'the condition does not wait');
    assert.deepEqual(state.observe(left(15), 59_999).due, []);
    assert.deepEqual(state.observe(left(25), 59_999).due, []);
    assert.deepEqual(state.observe(left(15), 60_000).due, []);
    assert.deepEqual(state.observe(left(15), 120_000).due, [soft]);
  });

  it('keeps a threshold due until the minimum to reclaim is there too', () => {
    const hard = rule('nodefs.available', { amount: 20 }, { minReclaim: { amount: 10 } });
    const state = new PressureState({ rules: [hard], transitionMs: 1 });
    assert.deepEqual(state.observe(left(25), 0).due, [], 'not crossed yet');
    assert.deepEqual(state.observe(left(19), 1).due, [hard]);
    assert.deepEqual(state.observe(left(25), 2).due, [hard]);
    assert.equal(state.isRelieved(left(29)), false);
    assert.deepEqual(state.observe(left(30), 3).due, []);
    assert.equal(state.isRelieved(left(30)), true);
    assert.deepEqual(state.observe(left(25), 4).due, []);
  });
});

describe('NodeSignals', () => {
  const images = (folder: string | undefined) =>
    ({
      imageFsInfo: async () => ({
        imageFilesystems: folder === undefined ? [] : [{ fsId: { mountpoint: folder } }],
      }),
    }) as unknown as CriClient['images'];
  const { signal } = new AbortController();

  it('measures memory, both file systems and process numbers of this machine', async () => {
    const signals = new NodeSignals({ images: images('/proc'), rootDir: '/tmp' });
    const { observations, hasImageFilesystem } = await signals.observe(signal);
    assert.ok(hasImageFilesystem, 'they are on two devices');
    for (const [name, { available, capacity }] of observations)
      assert.ok(available > 0 && available <= capacity, `${name}: ${available} of ${capacity}`);
    assert.deepEqual([...observations.keys()].slice(0, 3), [
      'memory.available',
      'nodefs.available',
      'nodefs.inodesFree',
    ]);
  });

  it('leaves out what can not be measured', async () => {
    const signals = new NodeSignals({ images: images(undefined), rootDir: '/nowhere' });
    const { observations, hasImageFilesystem } = await signals.observe(signal);
    assert.deepEqual([...observations.keys()], ['memory.available', 'pid.available']);
    assert.equal(hasImageFilesystem, false);
  });
});

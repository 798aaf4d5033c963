import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Command } from 'commander';
import { addNodeLifecycleFlags, nodeEvictionRatesOf, nodeMonitorTimesOf } from './node-lifecycle-flags.ts';

function flagsOf(words: string[]) {
  const command = addNodeLifecycleFlags(new Command())
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  return command.parse(words, { from: 'user' }).opts();
}

const ratesOf = (...words: string[]) => nodeEvictionRatesOf(flagsOf(words));
const timesOf = (...words: string[]) => nodeMonitorTimesOf(flagsOf(words));

test('flags say how long a node may be silent, and how often that is looked at', () => {
  assert.deepEqual(timesOf(), {});
  assert.deepEqual(timesOf('--node-monitor-period=500ms', '--node-monitor-grace-period', '4s'), {
    periodMs: 500,
    graceMs: 4_000,
  });
  assert.deepEqual(timesOf('--node-startup-grace-period=1m30s'), { startupGraceMs: 90_000 });
  for (const text of ['0s', '-1s', '5', 'soon'])
    assert.throws(() => timesOf(`--node-monitor-grace-period=${text}`), /expected a duration above 0/, text);
});

test('flags say how fast nodes that are not ready lose their pods, and what is not said is as usual', () => {
  assert.deepEqual(ratesOf(), {});
  assert.deepEqual(ratesOf('--node-eviction-rate=0.5', '--unhealthy-zone-threshold', '0.3'), {
    perSecond: 0.5,
    unhealthyZoneThreshold: 0.3,
  });
  assert.deepEqual(ratesOf('--secondary-node-eviction-rate=0', '--large-cluster-size-threshold=20'), {
    secondaryPerSecond: 0,
    largeClusterNodes: 20,
  });
});

test('what is no rate, share or count is refused', () => {
  for (const word of [
    '--node-eviction-rate=-1',
    '--secondary-node-eviction-rate=fast',
    '--unhealthy-zone-threshold=55',
    '--large-cluster-size-threshold=1.5',
  ])
    assert.throws(() => ratesOf(word), /expected a/, word);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Command } from 'commander';
import { addNodeEvictionFlags, nodeEvictionRatesOf } from './node-eviction-flags.ts';

function ratesOf(...words: string[]) {
  const command = addNodeEvictionFlags(new Command())
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  return nodeEvictionRatesOf(command.parse(words, { from: 'user' }).opts());
}

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

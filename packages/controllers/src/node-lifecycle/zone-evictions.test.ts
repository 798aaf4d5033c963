import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock } from '@wherry/clock';
import type { Node } from '@wherry/kubeapi';
import { type NodeEvictionRates, usualNodeEvictionRates } from '../machinery/node-eviction-rates.ts';
import { ZoneEvictions, zoneOf } from './zone-evictions.ts';

const nodeIn = (zone: string, name: string): Node => ({
  metadata: { name, labels: { 'topology.kubernetes.io/zone': zone } },
  spec: {},
});
const keyOf = (zone: string) => zoneOf(nodeIn(zone, ''));

function start(rates: Partial<NodeEvictionRates> = {}) {
  const clock = new FakeClock();
  const zones = new ZoneEvictions(clock, { ...usualNodeEvictionRates, ...rates });
  /** So many nodes that are ready, and that are not, by zone. */
  const judge = (found: Record<string, [ready: number, bad: number]>) =>
    zones.judge(
      new Map(
        Object.entries(found).map(([zone, [ready, bad]]) => [
          keyOf(zone),
          [...Array<string>(ready).fill('True'), ...Array<string>(bad).fill('Unknown')],
        ]),
      ),
    );
  /** The nodes that are given up within so many seconds, and when. */
  const given = (seconds: number) => {
    const found: string[] = [];
    for (let second = 0; second < seconds; second += 1) {
      for (const name of zones.due()) {
        zones.done(name);
        found.push(`${name}@${second}`);
      }
      clock.advance(1_000);
    }
    return found;
  };
  const add = (zone: string, ...names: string[]) => {
    for (const name of names) zones.add(nodeIn(zone, name));
  };
  return { zones, judge, given, add };
}

describe('nodes that are not ready', () => {
  it('are given up one in ten seconds of each zone', () => {
    const { judge, given, add } = start();
    judge({ a: [10, 3], b: [10, 1] });
    add('a', 'a1', 'a2', 'a3');
    add('b', 'b1');
    assert.deepEqual(given(40), ['a1@0', 'b1@0', 'a2@10', 'a3@20']);
  });

  it('are not given up where they are more than half of a small zone, and three at least', () => {
    const { zones, judge, given, add } = start();
    judge({ a: [2, 3], b: [1, 2], c: [5, 0] });
    assert.deepEqual(
      ['a', 'b', 'c'].map((zone) => zones.stateOf(keyOf(zone))),
      ['PartialDisruption', 'Normal', 'Normal'],
    );
    add('a', 'a1', 'a2');
    add('b', 'b1', 'b2');
    assert.deepEqual(given(30), ['b1@0', 'b2@10']);
    judge({ a: [3, 2], b: [1, 2], c: [5, 0] });
    assert.deepEqual(given(30), ['a1@10', 'a2@20']);
  });

  it('are given up one in a hundred seconds where they are most of a large zone', () => {
    const { judge, given, add } = start();
    judge({ a: [20, 31] });
    add('a', 'a1', 'a2');
    assert.deepEqual(given(150), ['a1@0', 'a2@100']);
  });

  it('are given up as always where they are all of a zone, as long as there is another', () => {
    const { zones, judge, given, add } = start();
    assert.equal(judge({ a: [0, 3], b: [1, 0] }), undefined);
    assert.equal(zones.isHalted, false);
    add('a', 'a1');
    assert.deepEqual(given(1), ['a1@0']);
  });

  it('are not given up when they are all there are, and again, after a turn, when one is back', () => {
    const { zones, judge, given, add } = start();
    judge({ a: [1, 1], b: [1, 0] });
    add('a', 'a1');
    assert.equal(judge({ a: [0, 2], b: [0, 1] }), 'halted');
    assert.equal(zones.isHalted, true);
    add('a', 'a1', 'a2');
    assert.deepEqual([judge({ a: [0, 2], b: [0, 1] }), given(100)], [undefined, []]);
    assert.equal(judge({ a: [0, 2], b: [1, 0] }), 'resumed');
    assert.equal(zones.isHalted, false);
    assert.deepEqual(given(30), ['a1@10', 'a2@20']);
  });

  it('are given up as fast as one is told', () => {
    const { judge, given, add } = start({ perSecond: 0.5, largeClusterNodes: 4, secondaryPerSecond: 0.2 });
    judge({ a: [2, 3], b: [9, 0] });
    add('a', 'a1', 'a2');
    add('b', 'b1', 'b2');
    assert.deepEqual(given(8), ['a1@0', 'b1@0', 'b2@2', 'a2@5']);
  });

  it('wait for their turn behind one that can not be given up', () => {
    const { zones, judge, given, add } = start();
    judge({ a: [9, 2] });
    add('a', 'stuck', 'next');
    assert.deepEqual(zones.due(), ['stuck']);
    zones.postpone(nodeIn('a', 'stuck'));
    assert.deepEqual(given(11), ['next@0', 'stuck@10']);
  });

  it('are remembered no longer than their zone has nodes', () => {
    const { zones, judge, add } = start();
    judge({ a: [1, 1] });
    add('a', 'a1');
    zones.remove('a1');
    judge({ b: [1, 0] });
    assert.equal(zones.stateOf(keyOf('a')), undefined);
    assert.equal(zones.waitMs(), Number.POSITIVE_INFINITY);
  });
});

describe('the zone of a node', () => {
  it('is its region and zone, the labels of old first', () => {
    const of = (labels: Record<string, string>) => zoneOf({ metadata: { labels }, spec: {} });
    const old = { 'failure-domain.beta.kubernetes.io/zone': 'z' };
    assert.equal(of({ 'topology.kubernetes.io/zone': 'z' }), of(old));
    assert.equal(of({ ...old, 'topology.kubernetes.io/zone': 'y' }), of(old));
    assert.notEqual(of(old), of({ ...old, 'topology.kubernetes.io/region': 'r' }));
    assert.equal(of({}), zoneOf({ metadata: {}, spec: {} }));
  });
});

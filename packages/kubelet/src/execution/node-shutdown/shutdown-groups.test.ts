import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { container, pod } from '../../../test/builders.ts';
import type { ShutdownSettings } from '../../configuration/shutdown-graces.ts';
import { graceInGroup, shutdownDurationMs, shutdownGracesOf, shutdownGroups } from './shutdown-groups.ts';

const none: ShutdownSettings = {
  shutdownGracePeriod: 0,
  shutdownGracePeriodCriticalPods: 0,
  shutdownGracePeriodByPodPriority: [],
};
const graces = (...list: [priority: number, seconds: number][]) =>
  list.map(([priority, shutdownGracePeriodSeconds]) => ({ priority, shutdownGracePeriodSeconds }));
const ofPriority = (priority: number | undefined, terminationGracePeriodSeconds?: number) =>
  pod(
    { containers: [container('a')], priority, terminationGracePeriodSeconds },
    { name: `p${priority}`, uid: `p${priority}` },
  );

describe('the groups of a shutdown', () => {
  it('are none where pods get no time', () => {
    assert.deepEqual(shutdownGracesOf(none), []);
  });

  it('are normal pods, then critical ones within their part of the whole', () => {
    const settings = { ...none, shutdownGracePeriod: 30_000, shutdownGracePeriodCriticalPods: 10_000 };
    assert.deepEqual(shutdownGracesOf(settings), graces([0, 20], [2_000_000_000, 10]));
    assert.equal(shutdownDurationMs(shutdownGracesOf(settings)), 30_000);
  });

  it('go by priority, lowest first; a pod belongs to the highest that it reaches', () => {
    const given = graces([1_000, 20], [0, 5], [100_000, 30]);
    const sorted = shutdownGracesOf({ ...none, shutdownGracePeriodByPodPriority: given });
    const pods = [200_000, 100_000, 99_999, 1_000, 999, undefined, -5].map((priority) =>
      ofPriority(priority),
    );
    assert.deepEqual(
      shutdownGroups(sorted, pods).map((group) => [
        group.graceSeconds,
        group.pods.map(({ spec }) => spec.priority),
      ]),
      [
        [5, [999, undefined, -5]],
        [20, [99_999, 1_000]],
        [30, [200_000, 100_000]],
      ],
    );
  });

  it('without pods are passed over', () => {
    assert.deepEqual(
      shutdownGroups(graces([0, 5], [10, 5]), [ofPriority(10)]).map(({ priority }) => priority),
      [10],
    );
  });

  it("give a pod its own grace where that is shorter, else the group's", () => {
    const [group] = shutdownGroups(graces([0, 20]), [ofPriority(0)]);
    assert.ok(group);
    assert.equal(graceInGroup(group, ofPriority(0, 2)), 2);
    assert.equal(graceInGroup(group, ofPriority(0, 1_000)), 20);
    assert.equal(graceInGroup(group, ofPriority(0)), 20);
  });
});

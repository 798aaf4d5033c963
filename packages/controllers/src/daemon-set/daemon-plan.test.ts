import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DaemonSet, Node, Pod, RollingUpdateDaemonSet } from '@wherry/kubeapi';
import { type DaemonFacts, daemonStatus, planPlaces, planUpdate } from './daemon-plan.ts';
import { daemonPod, placeOn } from './daemon-pod.ts';

const setOf = (rollingUpdate: RollingUpdateDaemonSet = { maxUnavailable: 1 }): DaemonSet => ({
  metadata: { name: 'log', namespace: 'default', uid: 'u' },
  spec: {
    selector: { matchLabels: { app: 'log' } },
    template: {
      metadata: { labels: { app: 'log' } },
      spec: { containers: [], nodeSelector: { kind: 'worker' } },
    },
    updateStrategy: { type: 'RollingUpdate', rollingUpdate },
  },
});
const nodeOf = (
  name: string,
  labels: Record<string, string> = { kind: 'worker' },
  taints: object[] = [],
): Node => ({
  metadata: { name, labels },
  spec: { taints: taints as never },
});
const podOn = (name: string, hash: string, ready = 'True'): Pod => {
  const pod = daemonPod(setOf(), name, hash);
  const conditions = [{ type: 'Ready', status: ready, lastTransitionTime: '2026-01-01T00:00:00Z' }];
  return {
    ...pod,
    metadata: { ...pod.metadata, name: `${name}-${hash}`, creationTimestamp: hash },
    spec: { ...pod.spec!, nodeName: name },
    status: { phase: 'Running', conditions: conditions as never },
  };
};
const nodes = ['a', 'b', 'c'].map((name) => nodeOf(name));
const facts = (pods: Pod[], more: Partial<DaemonFacts> = {}): DaemonFacts => ({
  ...{ set: setOf(), nodes, pods, hash: 'new', nowMs: Date.parse('2026-02-01') },
  ...more,
});
const names = (pods: readonly Pod[]) => pods.map(({ metadata }) => metadata.name);

describe('the places of daemon pods', () => {
  it('are all nodes that fit the template, and bear no taint that it does not', () => {
    const taint = (effect: string) => ({ key: 'own', effect });
    assert.deepEqual(placeOn(setOf(), nodeOf('x', {})), { shouldRun: false, mayStay: false });
    assert.deepEqual(placeOn(setOf(), nodeOf('x')), { shouldRun: true, mayStay: true });
    const tainted = (effect: string) => placeOn(setOf(), nodeOf('x', { kind: 'worker' }, [taint(effect)]));
    assert.deepEqual(tainted('NoSchedule'), { shouldRun: false, mayStay: true });
    assert.deepEqual(tainted('NoExecute'), { shouldRun: false, mayStay: false });
    const unready = { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' };
    assert.equal(placeOn(setOf(), nodeOf('x', { kind: 'worker' }, [unready])).shouldRun, true);
  });

  it('get a pod each, and lose what is too many', () => {
    const plan = planPlaces(facts([podOn('a', 'new'), podOn('a', 'old'), podOn('z', 'new')]));
    assert.deepEqual([names(plan.remove), plan.add], [['a-old'], ['b', 'c']]);
  });

  it('that none may stay on are left at once, also by a pod that has failed', () => {
    const failed = (name: string): Pod => ({ ...podOn(name, 'new'), status: { phase: 'Failed' } });
    const plan = planPlaces(facts([failed('a'), failed('x')], { nodes: [nodeOf('a'), nodeOf('x', {})] }));
    assert.deepEqual([names(plan.remove), names(plan.ended)], [['x-new'], ['a-new']]);
  });

  it('are none of a pod that is meant for no node', () => {
    const lost = { ...podOn('a', 'new'), spec: { containers: [] } };
    assert.deepEqual(planPlaces(facts([lost], { nodes: [] })), { remove: [], ended: [], add: [] });
    const update = planUpdate(facts([{ ...lost, metadata: { name: 'lost' } }], { nodes: [] }));
    assert.deepEqual(update.remove, []);
  });

  it('are told in the status', () => {
    const pods = [podOn('a', 'new'), podOn('b', 'old', 'False')];
    assert.deepEqual(daemonStatus(facts(pods, { nodes: [...nodes, nodeOf('z', {})] }), 0), {
      ...{ currentNumberScheduled: 2, numberMisscheduled: 0, desiredNumberScheduled: 3, numberReady: 1 },
      ...{ observedGeneration: 0, updatedNumberScheduled: 1, numberAvailable: 1, numberUnavailable: 2 },
    });
  });
});

describe('a rolling update of daemon pods', () => {
  it('takes as many as may be unavailable, those that serve nobody in any case', () => {
    const old = ['a', 'b', 'c'].map((name) => podOn(name, 'old'));
    assert.deepEqual(names(planUpdate(facts(old)).remove), ['a-old']);
    const broken = [podOn('a', 'old'), podOn('b', 'old', 'False'), podOn('c', 'old', 'False')];
    assert.deepEqual(names(planUpdate(facts(broken)).remove), ['b-old', 'c-old']);
    const waiting = [podOn('a', 'new', 'False'), podOn('b', 'old'), podOn('c', 'old')];
    assert.deepEqual(names(planUpdate(facts(waiting)).remove), []);
  });

  it('makes the new pod first where it may surge', () => {
    const set = setOf({ maxSurge: 1, maxUnavailable: 0 });
    const old = ['a', 'b', 'c'].map((name) => podOn(name, 'old'));
    assert.deepEqual(planUpdate(facts(old, { set })), { remove: [], ended: [], add: ['a'] });
    const surging = planUpdate(facts([...old, podOn('a', 'new', 'False')], { set }));
    assert.deepEqual(surging, { remove: [], ended: [], add: [] });
    const ready = planUpdate(facts([...old, podOn('a', 'new')], { set }));
    assert.deepEqual([names(ready.remove), ready.add], [['a-old'], ['b']]);
  });

  it('does nothing when pods are replaced as they are deleted', () => {
    const set = setOf();
    set.spec.updateStrategy = { type: 'OnDelete' };
    assert.deepEqual(planUpdate(facts([podOn('a', 'old')], { set })), { remove: [], ended: [], add: [] });
  });
});

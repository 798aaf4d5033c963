import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { kinds } from '@wherry/client';
import { hasReason, type Pod, type PodDisruptionBudget, StatusError, timeFromMs } from '@wherry/kubeapi';
import { eventually, ownedBy } from '../../test/cluster.ts';
import { WorkloadCluster } from '../../test/workload-cluster.ts';
import { budgetCounts } from './budget-status.ts';
import { staleInMs } from './stale-disruption.ts';

let there: WorkloadCluster;
before(async () => {
  there = await WorkloadCluster.start();
});
after(() => there.close());

const evict = async (name: string) => {
  const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: 'default' } };
  await there.cluster.client
    .resource(kinds.pods)
    .create(body, { name, namespace: 'default', subresource: 'eviction' });
};
const allows =
  (count: number) =>
  ({ status }: PodDisruptionBudget) =>
    status?.disruptionsAllowed === count;

describe('a disruption budget', () => {
  it('counts by what is asked for, in numbers and in percent', () => {
    const counts = (spec: object, pods: number, scale: number) =>
      budgetCounts({ metadata: {}, spec }, pods, scale);
    assert.deepEqual(counts({ minAvailable: 2 }, 5, 0), { expected: 5, desired: 2 });
    assert.deepEqual(counts({ minAvailable: '67%' }, 3, 10), { expected: 10, desired: 7 });
    assert.deepEqual(counts({ maxUnavailable: '30%' }, 3, 7), { expected: 7, desired: 4 });
    assert.deepEqual(counts({ maxUnavailable: 9 }, 3, 7), { expected: 7, desired: 0 });
    assert.deepEqual(counts({}, 3, 0), { expected: 0, desired: 0 });
  });

  it('says that it has no pods, once', async () => {
    await there.create(kinds.podDisruptionBudgets, 'empty', {
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'nothing' } } },
    });
    const told = await eventually('it is told', async () => {
      const events = await there.events('empty');
      return events.length > 0 && events;
    });
    assert.deepEqual(told, ['NoPods: No matching pods found']);
  });

  it('lets as many pods be evicted as it has room for, and refuses the next by name', async () => {
    const labels = { app: 'web' };
    await there.create(kinds.deployments, 'web', {
      spec: {
        replicas: 3,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'busybox' }] } },
      },
    });
    await there.create(kinds.podDisruptionBudgets, 'web', {
      spec: { maxUnavailable: 1, selector: { matchLabels: labels } },
    });
    const { status } = await there.until(kinds.podDisruptionBudgets, 'web', 'has room', allows(1));
    const { conditions, ...counts } = status ?? {};
    assert.deepEqual(counts, {
      ...{ disruptionsAllowed: 1, currentHealthy: 3, desiredHealthy: 2, expectedPods: 3 },
      observedGeneration: 1,
    });
    assert.deepEqual(
      [conditions?.[0]?.type, conditions?.[0]?.reason],
      ['DisruptionAllowed', 'SufficientPods'],
    );
    there.kubelet.outcomeOf = () => 'unready';
    const [first, second] = await there.pods('app=web');
    await evict(first?.metadata.name ?? '');
    const refused = await evict(second?.metadata.name ?? '').then(
      () => undefined,
      (error: unknown) => error,
    );
    assert.ok(refused instanceof StatusError && hasReason(refused, 'TooManyRequests'), String(refused));
    assert.equal(refused.message, "Cannot evict pod as it would violate the pod's disruption budget.");
    assert.equal(refused.status.details?.causes?.[0]?.reason, 'DisruptionBudget');
    await there.until(
      kinds.podDisruptionBudgets,
      'web',
      'has no room',
      ({ status }) => status?.currentHealthy === 2,
    );
    const again = await evict(second?.metadata.name ?? '').then(
      () => undefined,
      (error: unknown) => error,
    );
    assert.ok(again instanceof StatusError);
    assert.equal(
      again.status.details?.causes?.[0]?.message,
      'The disruption budget web needs 2 healthy pods and has 2 currently',
    );
  });

  it('has room again when a new pod serves', async () => {
    there.kubelet.outcomeOf = () => 'ready';
    there.kubelet.again();
    await there.until(kinds.podDisruptionBudgets, 'web', 'has room', allows(1));
    await eventually('three pods serve', async () => (await there.pods('app=web')).length === 3);
  });

  it('counts the pods of a controller of any kind that has a scale, and says which kind has none', async () => {
    const { client } = there.cluster;
    const versions = (subresources: object) => [
      {
        ...{ name: 'v1', served: true, storage: true, subresources },
        schema: {
          openAPIV3Schema: {
            type: 'object' as const,
            properties: {
              spec: { type: 'object' as const, properties: { size: { type: 'integer' as const } } },
              status: { type: 'object' as const, properties: { size: { type: 'integer' as const } } },
            },
          },
        },
      },
    ];
    const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' };
    for (const [kind, subresources] of [
      ['Fleet', { scale }],
      ['Raft', {}],
    ] as const) {
      const plural = `${kind.toLowerCase()}s`;
      await client.resource(kinds.customResourceDefinitions).create({
        ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
        metadata: { name: `${plural}.sea.example` },
        spec: {
          ...{ group: 'sea.example', scope: 'Namespaced', versions: versions(subresources) },
          names: { plural, kind },
        },
      });
      const type = { group: 'sea.example', version: 'v1', plural, kind, namespaced: true };
      const owner = await eventually(`${plural} are served`, () =>
        there.cluster.create(type, 'mine', {}, { spec: { size: 4 } }).catch(() => undefined),
      );
      await there.create(kinds.pods, plural, {
        metadata: {
          ...{ name: plural, namespace: 'default', labels: { app: plural } },
          ownerReferences: [ownedBy(owner, { controller: true })],
        },
        spec: { containers: [{ name: 'main', image: 'busybox' }] },
      });
      await there.create(kinds.podDisruptionBudgets, plural, {
        spec: { maxUnavailable: '50%', selector: { matchLabels: { app: plural } } },
      });
    }
    await there.until(
      ...([kinds.podDisruptionBudgets, 'fleets', 'is about four'] as const),
      ({ status }) => status?.expectedPods === 4 && status.desiredHealthy === 2,
    );
    const { status } = await there.until(
      ...([kinds.podDisruptionBudgets, 'rafts', 'can not tell'] as const),
      (budget) => budget.status?.conditions?.[0]?.message.includes('scale') === true,
    );
    assert.equal(
      status?.conditions?.[0]?.message,
      'rafts.sea.example does not implement the scale subresource',
    );
    assert.equal(status?.disruptionsAllowed, 0);
  });
});

describe('a pod that says that it is a target of disruption', () => {
  const target = (ageMs: number, reason = 'EvictionByEvictionAPI') => ({
    ...{ type: 'DisruptionTarget', status: 'True', reason, message: 'had to go' },
    lastTransitionTime: timeFromMs(Date.now() - ageMs),
  });
  const say = async (name: string, conditions: object[]) => {
    await there.create(kinds.pods, name, { spec: { containers: [{ name: 'main', image: 'busybox' }] } });
    await there.cluster.client.resource(kinds.pods).patch({
      ...{ name, namespace: 'default', subresource: 'status', type: 'strategic' },
      patch: { status: { conditions } },
    });
  };
  const conditionOf = ({ status }: Pod) =>
    status?.conditions?.find(({ type }) => type === 'DisruptionTarget');

  it('says so no more when nobody has deleted it for two minutes, unless its kubelet said it', async () => {
    await say('kubelets', [target(180_000, 'TerminationByKubelet')]);
    await say('fresh', [target(0)]);
    await say('stale', [target(180_000)]);
    const stale = await there.until(
      ...([kinds.pods, 'stale', 'is none'] as const),
      (pod) => conditionOf(pod)?.status === 'False',
    );
    const { reason, message } = conditionOf(stale) ?? {};
    assert.deepEqual([reason, message], [undefined, undefined]);
    for (const name of ['kubelets', 'fresh'])
      assert.equal(conditionOf(await there.read(kinds.pods, name))?.status, 'True', name);
  });

  it('is waited for as long as is left', () => {
    const pod = (condition: object, more: Partial<Pod> = {}) =>
      ({ metadata: { name: 'p' }, status: { conditions: [condition], ...more.status }, ...more }) as Pod;
    const nowMs = Date.parse('2026-01-01T00:02:00Z');
    const condition = { ...target(0), lastTransitionTime: '2026-01-01T00:01:00Z' };
    assert.equal(staleInMs(pod(condition), nowMs), 60_000);
    assert.equal(staleInMs(pod({ ...condition, lastTransitionTime: '2026-01-01T00:00:00Z' }), nowMs), 0);
    assert.equal(staleInMs(pod({ ...condition, status: 'False' }), nowMs), undefined);
    const leaving = { metadata: { name: 'p', deletionTimestamp: '2026-01-01T00:01:00Z' } };
    assert.equal(staleInMs(pod(condition, leaving), nowMs), undefined);
    assert.equal(
      staleInMs(pod(condition, { status: { phase: 'Failed', conditions: [condition] } } as Pod), nowMs),
      undefined,
    );
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { kinds } from '@wherry/client';
import { hasReason, type PodDisruptionBudget, StatusError } from '@wherry/kubeapi';
import { eventually } from '../../test/cluster.ts';
import { WorkloadCluster } from '../../test/workload-cluster.ts';
import { budgetCounts } from './budget-status.ts';

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
});

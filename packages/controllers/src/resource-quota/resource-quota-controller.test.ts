import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { kinds, type ResourceType } from '@wherry/client';
import type { PodSpec, ResourceQuota, ResourceQuotaSpec } from '@wherry/kubeapi';
import { WorkloadCluster } from '../../test/workload-cluster.ts';

let there: WorkloadCluster;
before(async () => {
  there = await WorkloadCluster.start();
});
after(() => there.close());

const quota = async (name: string, spec: ResourceQuotaSpec) => {
  await there.create(kinds.resourceQuotas, name, { spec });
  return used(name, Object.fromEntries(Object.keys(spec.hard ?? {}).map((key) => [key, '0'])));
};
const used = (name: string, wanted: Record<string, string>) =>
  there.until(kinds.resourceQuotas, name, `uses ${JSON.stringify(wanted)}`, ({ status }: ResourceQuota) =>
    Object.entries(wanted).every(([key, amount]) => status?.used?.[key] === amount),
  );
const remove = (type: ResourceType, name: string) =>
  there.cluster.client.resource(type).delete({ name, namespace: 'default' }, { gracePeriodSeconds: 0 });
const pod = (name: string, cpu: string, more: Partial<PodSpec> = {}) =>
  there.create(kinds.pods, name, {
    spec: { containers: [{ name: 'main', image: 'x', resources: { requests: { cpu } } }], ...more },
  });

describe('a quota', () => {
  it('counts what is there when it is made, and what pods ask for until they are gone', async () => {
    await pod('early', '100m');
    await there.create(kinds.resourceQuotas, 'cpu', { spec: { hard: { 'requests.cpu': '1', pods: '4' } } });
    await used('cpu', { 'requests.cpu': '100m', pods: '1' });
    await pod('late', '900m');
    await assert.rejects(
      pod('more', '1m'),
      /pods "more" is forbidden: exceeded quota: cpu, requested: requests.cpu=1m, used: requests.cpu=1, limited: requests.cpu=1$/,
    );
    await remove(kinds.pods, 'late');
    await used('cpu', { 'requests.cpu': '100m', pods: '1' });
    await pod('more', '1m');
    await remove(kinds.resourceQuotas, 'cpu');
  });

  it('never lets more in than there is room for, however many come at once', async () => {
    await quota('race', { hard: { 'count/secrets': '100', secrets: '10' } });
    const names = Array.from({ length: 40 }, (_, index) => `racer-${index}`);
    const outcomes = await Promise.allSettled(names.map((name) => there.create(kinds.secrets, name, {})));
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 10);
    const { items } = await there.cluster.client.resource(kinds.secrets).list({ namespace: 'default' });
    assert.equal(items.filter(({ metadata }) => metadata.name?.startsWith('racer-')).length, 10);
    const { status } = await there.read(kinds.resourceQuotas, 'race');
    assert.equal(status?.used?.['secrets'], '10');
    await remove(kinds.resourceQuotas, 'race');
  });

  it('counts objects of any kind by its name, and sees them go', async () => {
    await quota('objects', { hard: { 'count/deployments.apps': '1', 'services.nodeports': '1' } });
    const labels = { app: 'web' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'x' }] } };
    const web = { spec: { replicas: 0, selector: { matchLabels: labels }, template } };
    await there.create(kinds.deployments, 'one', web);
    await assert.rejects(
      there.create(kinds.deployments, 'two', web),
      /exceeded quota: objects, requested: count\/deployments.apps=1/,
    );
    await there.cluster.client.resource(kinds.deployments).delete({ name: 'one', namespace: 'default' });
    await used('objects', { 'count/deployments.apps': '0' });
    const ports = [{ port: 1 }];
    await there.create(kinds.services, 'a', { spec: { type: 'NodePort', ports } });
    await assert.rejects(
      there.create(kinds.services, 'b', { spec: { type: 'NodePort', ports } }),
      /exceeded quota/,
    );
    await there.merge(kinds.services, 'a', {
      spec: { type: 'ClusterIP', ports: [{ port: 1, nodePort: null }] },
    });
    await used('objects', { 'services.nodeports': '0' });
    await there.create(kinds.services, 'b', { spec: { type: 'NodePort', ports } });
    await remove(kinds.resourceQuotas, 'objects');
  });

  it('takes up what is asked of it anew, and forgets what it does not bound any more', async () => {
    const spec = { hard: { secrets: '100', 'count/leases.coordination.k8s.io': '5' } };
    await there.create(kinds.resourceQuotas, 'changing', { spec });
    await there.merge(kinds.resourceQuotas, 'changing', {
      spec: { hard: { secrets: null, 'count/leases.coordination.k8s.io': '7' } },
    });
    const { status } = await there.until(
      ...([kinds.resourceQuotas, 'changing', 'is taken up'] as const),
      ({ status }: ResourceQuota) => status?.hard?.['count/leases.coordination.k8s.io'] === '7',
    );
    assert.deepEqual(Object.keys(status?.used ?? {}), ['count/leases.coordination.k8s.io']);
    await remove(kinds.resourceQuotas, 'changing');
  });
});

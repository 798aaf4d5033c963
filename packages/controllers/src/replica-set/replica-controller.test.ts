import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { kinds } from '@wherry/client';
import type { Pod, ReplicaSet } from '@wherry/kubeapi';
import { eventually, TestCluster } from '../../test/cluster.ts';
import { FakeKubelet } from '../../test/fake-kubelet.ts';

let cluster: TestCluster;
let kubelet: FakeKubelet;
before(async () => {
  cluster = await TestCluster.start({ 'api/all': true });
  kubelet = await FakeKubelet.start(cluster.client);
});
after(async () => {
  await kubelet.close();
  await cluster.close();
});

const replicaSet = (name: string, replicas: number) => ({
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'main', image: 'busybox' }] },
    },
  },
});

async function podsOf(name: string): Promise<Pod[]> {
  const list = await cluster.client.resource(kinds.pods).list({
    namespace: 'default',
    labelSelector: `app=${name}`,
  });
  return list.items;
}

const read = (name: string) => cluster.read(kinds.replicaSets, name) as Promise<ReplicaSet>;

async function settles(name: string, replicas: number): Promise<ReplicaSet> {
  await eventually(`${name} has ${replicas} ready`, async () => {
    const { status, metadata } = await read(name);
    return (
      status?.observedGeneration === metadata.generation &&
      status?.replicas === replicas &&
      (status?.availableReplicas ?? 0) === replicas
    );
  });
  return read(name);
}

describe('the replica set controller', () => {
  it('makes pods as upstream does, never one too many', async () => {
    const created = await cluster.create(kinds.replicaSets, 'web', {}, replicaSet('web', 20));
    const { status } = await settles('web', 20);
    assert.deepEqual(status, {
      ...{ replicas: 20, fullyLabeledReplicas: 20, readyReplicas: 20, availableReplicas: 20 },
      ...{ terminatingReplicas: 0, observedGeneration: 1 },
    });
    const pods = await podsOf('web');
    const [pod] = pods;
    assert.match(pod?.metadata.name ?? '', /^web-[a-z0-9]{5}$/);
    assert.deepEqual(pod?.metadata.ownerReferences, [
      {
        ...{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: created.metadata?.uid },
        ...{ controller: true, blockOwnerDeletion: true },
      },
    ]);
    const told = async () => {
      const { items } = await cluster.client.resource(kinds.events).list({
        namespace: 'default',
        fieldSelector: 'involvedObject.name=web,reason=SuccessfulCreate',
      });
      return items;
    };
    await eventually('all are told of', async () => {
      const counts = (await told()).map(({ count = 0 }) => count);
      return counts.reduce((sum, count) => sum + count, 0) === 20;
    });
    const names = new Set(pods.map(({ metadata }) => metadata.name));
    const messages = (await told()).map(({ message = '' }) => message);
    // Nine alone, the others as one.
    assert.equal(messages.length, 10);
    assert.equal(
      messages.filter((message) => message.startsWith('(combined from similar events): ')).length,
      1,
    );
    assert.ok(
      messages.every((message) => names.has(/Created pod: (\S+)$/.exec(message)?.[1])),
      `${messages}`,
    );
  });

  it('takes pods away again, and says so', async () => {
    const patch = { spec: { replicas: 3 } };
    await cluster.client.resource(kinds.replicaSets).patch({
      ...{ name: 'web', namespace: 'default', type: 'merge', patch },
    });
    await settles('web', 3);
    await eventually('the others are gone', async () => (await podsOf('web')).length === 3);
  });

  it('adopts an orphan that it selects, and lets go what it selects no longer', async () => {
    const pods = cluster.client.resource(kinds.pods);
    await cluster.create(kinds.replicaSets, 'shop', {}, replicaSet('shop', 2));
    await settles('shop', 2);
    const [first] = await podsOf('shop');
    const name = first?.metadata.name ?? '';
    const label = (app: string) =>
      pods.patch({ name, namespace: 'default', type: 'merge', patch: { metadata: { labels: { app } } } });
    await label('set-aside');
    await eventually('it is let go', async () => {
      const { metadata } = await pods.get({ name, namespace: 'default' });
      return metadata.ownerReferences === undefined && (await podsOf('shop')).length === 2;
    });
    await label('shop');
    await eventually('it is back, and one too many goes', async () => (await podsOf('shop')).length === 2);
    await settles('shop', 2);
  });

  it('says what keeps it from making pods', async () => {
    const broken = replicaSet('broken', 1);
    const spec = { ...broken.spec.template.spec, serviceAccountName: 'nobody' };
    broken.spec.template.spec = spec;
    await cluster.create(kinds.replicaSets, 'broken', {}, broken);
    await eventually('the condition tells', async () => {
      const { status } = await read('broken');
      const condition = status?.conditions?.find(({ type }) => type === 'ReplicaFailure');
      return (
        condition?.reason === 'FailedCreate' &&
        /serviceaccount "nobody" not found/.test(condition.message ?? '')
      );
    });
  });
});

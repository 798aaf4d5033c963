import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { kinds } from '@wherry/client';
import type { EndpointSlice } from '@wherry/kubeapi';
import { eventually } from '../../test/cluster.ts';
import { WorkloadCluster } from '../../test/workload-cluster.ts';

let there: WorkloadCluster;
before(async () => {
  there = await WorkloadCluster.start();
});
after(() => there.close());

const slicesOf = (name: string): Promise<EndpointSlice[]> =>
  there.labelled(kinds.endpointSlices, `kubernetes.io/service-name=${name}`);
const endpointsIn = async (name: string) =>
  (await slicesOf(name)).flatMap(({ endpoints }) => endpoints ?? []);

describe('the endpoints of a service', () => {
  it('are none at first, and one slice says so', async () => {
    const ports = [{ name: 'http', port: 80, targetPort: 'web' }];
    await there.create(kinds.services, 'web', { spec: { selector: { app: 'web' }, ports } });
    await eventually('a slice is there', async () => (await slicesOf('web')).length === 1);
    const [slice] = await slicesOf('web');
    assert.deepEqual(slice?.endpoints ?? [], []);
    assert.equal(
      slice?.metadata.labels?.['endpointslice.kubernetes.io/managed-by'],
      'endpointslice-controller.k8s.io',
    );
  });

  it('are its pods, by the ports that they name', async () => {
    await there.create(kinds.replicaSets, 'web', {
      spec: {
        replicas: 3,
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: {
            containers: [{ name: 'main', image: 'busybox', ports: [{ name: 'web', containerPort: 8080 }] }],
          },
        },
      },
    });
    const isReady = ({ conditions }: { conditions?: { ready?: boolean } }) => conditions?.ready === true;
    await eventually('all serve', async () => (await endpointsIn('web')).filter(isReady).length === 3);
    const [slice, ...others] = await slicesOf('web');
    assert.deepEqual(others, []);
    assert.deepEqual(slice?.ports, [{ name: 'http', port: 8080, protocol: 'TCP' }]);
    const [endpoint] = slice?.endpoints ?? [];
    assert.deepEqual(endpoint?.conditions, { ready: true, serving: true, terminating: false });
    assert.deepEqual([endpoint?.nodeName, endpoint?.targetRef?.kind], ['node-1', 'Pod']);
    await eventually('Endpoints tell the same', async () => {
      const { subsets } = await there.read(kinds.endpoints, 'web');
      return subsets?.[0]?.addresses?.length === 3 && subsets[0].ports?.[0]?.port === 8080;
    });
  });

  it('are copied into a slice when somebody writes them by hand', async () => {
    await there.create(kinds.services, 'away', { spec: { ports: [{ port: 80 }] } });
    const ports = [{ port: 8080, protocol: 'TCP' as const }];
    await there.create(kinds.endpoints, 'away', { subsets: [{ addresses: [{ ip: '192.0.2.7' }], ports }] });
    await eventually('a slice tells of them', async () => (await endpointsIn('away')).length === 1);
    const [slice] = await slicesOf('away');
    assert.deepEqual(slice?.endpoints, [{ addresses: ['192.0.2.7'], conditions: { ready: true } }]);
    assert.equal(
      slice.metadata.labels?.['endpointslice.kubernetes.io/managed-by'],
      'endpointslicemirroring-controller.k8s.io',
    );
    assert.deepEqual(slice.ports, [{ name: '', port: 8080, protocol: 'TCP' }]);
    const labels = { 'endpointslice.kubernetes.io/skip-mirror': 'true' };
    await there.merge(kinds.endpoints, 'away', { metadata: { labels } });
    await eventually('it is gone again', async () => (await slicesOf('away')).length === 0);
  });

  it('go with the pods, and all with the service', async () => {
    await there.merge(kinds.replicaSets, 'web', { spec: { replicas: 1 } });
    await eventually('one is left', async () => (await endpointsIn('web')).length === 1);
    await there.cluster.client.resource(kinds.services).delete({ name: 'web', namespace: 'default' });
    await eventually('no slice is left', async () => (await slicesOf('web')).length === 0);
    await there.cluster.gone(kinds.endpoints, 'web');
  });

  it('go when the controllers come back and their service went meanwhile; those written by hand stay', async () => {
    const { cluster } = there;
    const spec = { selector: { app: 'brief' }, ports: [{ port: 80 }] };
    for (const name of ['brief', 'kept']) await there.create(kinds.services, name, { spec });
    for (const name of ['brief', 'kept'])
      await eventually(`${name} has Endpoints`, async () => cluster.read(kinds.endpoints, name));
    await there.create(kinds.endpoints, 'by-hand', { subsets: [] });
    await cluster.stopControllers();
    await cluster.client.resource(kinds.services).delete({ name: 'brief', namespace: 'default' });
    cluster.startControllers();
    await cluster.gone(kinds.endpoints, 'brief');
    await cluster.settled();
    for (const name of ['kept', 'by-hand']) assert.ok(await cluster.read(kinds.endpoints, name), name);
  });
});

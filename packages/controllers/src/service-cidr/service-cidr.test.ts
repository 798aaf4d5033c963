import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { kinds } from '@wherry/client';
import type { ServiceCIDR } from '@wherry/kubeapi';
import { eventually, TestCluster } from '../../test/cluster.ts';
import { isNeeded } from './range-use.ts';

const range = (name: string, ...cidrs: string[]): ServiceCIDR => ({ metadata: { name }, spec: { cidrs } });
const address = (name: string) => ({
  metadata: { name, labels: { 'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io' } },
});

describe('a range of service addresses', () => {
  let cluster: TestCluster;
  before(async () => {
    cluster = await TestCluster.start();
  });
  after(() => cluster.close());

  const readyOf = async (name: string) => {
    const { status } = await cluster.client.resource(kinds.serviceCIDRs).get({ name });
    return status?.conditions?.find(({ type }) => type === 'Ready');
  };

  it('is needed by an address that lies in no other', () => {
    const [small, wide, six] = [range('a', '10.1.0.0/24'), range('b', '10.0.0.0/8'), range('c', 'fd00::/64')];
    assert.equal(isNeeded(small, [small, six], [address('10.1.0.7')]), true);
    assert.equal(isNeeded(small, [small, wide, six], [address('10.1.0.7')]), false);
    assert.equal(isNeeded(small, [small], [address('10.2.0.7'), address('fd00::1')]), false);
    assert.equal(isNeeded(six, [small, six], [address('fd00::1')]), true);
    assert.equal(isNeeded(small, [small], [{ metadata: { name: '10.1.0.7' } }]), false, 'made by hand');
  });

  it('becomes ready, and stays after its deletion while a service has an address of it', async () => {
    const ranges = cluster.client.resource(kinds.serviceCIDRs);
    const services = cluster.client.resource(kinds.services);
    await ranges.create(range('more', '203.0.113.0/24'));
    await eventually('the range is ready', async () => (await readyOf('more'))?.status === 'True');
    const service = { metadata: { name: 'far', namespace: 'default' } };
    await services.create({ ...service, spec: { clusterIP: '203.0.113.10', ports: [{ port: 80 }] } });
    await eventually('its address is told', () => cluster.read(kinds.ipAddresses, '203.0.113.10'));
    await ranges.delete({ name: 'more' });
    await eventually(
      'it says why it stays',
      async () => (await readyOf('more').catch(() => undefined))?.reason === 'Terminating',
    );
    await services.delete(service.metadata);
    await cluster.gone(kinds.serviceCIDRs, 'more');
  });
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { kinds } from '@wherry/client';
import type { Lease } from '@wherry/kubeapi';
import { eventually, TestCluster } from '../test/cluster.ts';
import { standAsManager } from './stand-as-manager.ts';

it('each manager leads by its own lease as its own user, and leaves it to the next', async (test) => {
  const cluster = await TestCluster.startServer();
  test.after(() => cluster.close());
  const rootCaPem = cluster.server.authority.cert;
  for (const manager of ['kube-scheduler', 'kube-controller-manager'] as const) {
    const lease = () => cluster.read(kinds.leases, manager, 'kube-system') as Promise<Lease | undefined>;
    for (const identity of ['first', 'second']) {
      const client = cluster.managers[manager];
      const candidate = standAsManager({ manager, identity, rootCaPem, client });
      await eventually(`${identity} leads`, async () => (await lease())?.spec?.holderIdentity === identity);
      await candidate?.close();
      assert.equal((await lease())?.spec?.holderIdentity, '');
    }
    assert.equal((await lease())?.spec?.leaseTransitions, 1);
  }
});

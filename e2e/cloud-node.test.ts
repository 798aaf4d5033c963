/** A kubelet on a machine of a cloud, started as installers do, by flags, and the controller of that cloud beside it. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { kinds } from '@wherry/client';
import { type Kubelet, startKubelet } from '@wherry/kubelet';
import { silentLogger } from '@wherry/telemetry';
import { eventually, TestCluster } from '../packages/controllers/test/cluster.ts';
import { MemoryRuntime } from '../packages/kubelet/test/memory-runtime.ts';

const nodeName = 'of-a-cloud';
const providedNodeIp = 'alpha.kubernetes.io/provided-node-ip';
const uninitialized = 'node.cloudprovider.kubernetes.io/uninitialized';

it('a node of a cloud waits for its controller, hints at its address, and keeps those that it is given', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-cloud-'));
  const at = (name: string) => join(folder, name);
  const runtime = new MemoryRuntime({ events: true });
  const cluster = await TestCluster.startServer();
  const nodes = cluster.client.resource(kinds.nodes);
  const node = () => nodes.get({ name: nodeName });
  let kubelet: Kubelet | undefined;
  const start = async (cloudProvider: string) => {
    await kubelet?.close();
    kubelet = await startKubelet({
      ...{ kubeconfig: cluster.server.kubeconfig, rootDir: at('root'), hostnameOverride: nodeName },
      ...{ nodeIp: '192.0.2.1', cloudProvider, logger: silentLogger },
      configuration: { podLogsDir: at('logs'), failCgroupV1: false, maxPods: 7 },
      configurationFlags: {
        'container-runtime-endpoint': [`unix://${at('cri.sock')}`],
        ...{ address: ['127.0.0.1'], port: ['0'], 'healthz-port': ['0'], 'fail-swap-on': ['false'] },
        ...{ 'max-pods': ['9'], 'register-with-taints': ['own=a:NoExecute'], 'resolv-conf': [''] },
        ...{ 'eviction-hard': [''], 'cgroup-driver': ['systemd'], 'node-status-update-frequency': ['1s'] },
      },
    });
  };
  try {
    await runtime.listen(at('cri.sock'));
    await start('external');
    await eventually('the node reports', async () => (await node().catch(() => undefined))?.status?.capacity);
    const made = await node();
    const taints = made.spec?.taints?.map(({ key }) => key) ?? [];
    assert.deepEqual(
      [uninitialized, 'own'].filter((key) => !taints.includes(key)),
      [],
    );
    assert.equal(made.metadata.annotations?.[providedNodeIp], '192.0.2.1');
    assert.deepEqual(
      made.status?.addresses?.map(({ address }) => address),
      ['192.0.2.1', nodeName],
    );
    assert.equal(made.status?.capacity?.['pods'], '9');

    const addresses = [{ type: 'InternalIP', address: '172.16.0.7' }];
    const patch = {
      metadata: { annotations: { [providedNodeIp]: 'another' } },
      status: { addresses: [{ $patch: 'replace' }, ...addresses] },
    };
    await nodes.patch({ type: 'strategic', name: nodeName, subresource: 'status', patch });
    await eventually(
      'the hint is right again',
      async () => (await node()).metadata.annotations?.[providedNodeIp] === '192.0.2.1',
    );
    assert.deepEqual((await node()).status?.addresses, addresses);

    await start('');
    await eventually(
      'the kubelet says its addresses itself',
      async () => (await node()).status?.addresses?.[0]?.address === '192.0.2.1',
    );
    assert.equal((await node()).metadata.annotations?.[providedNodeIp], undefined);
    await assert.rejects(start('aws'), /--cloud-provider: "aws" is neither external nor empty/);
  } finally {
    await kubelet?.close();
    await runtime.close();
    await cluster.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

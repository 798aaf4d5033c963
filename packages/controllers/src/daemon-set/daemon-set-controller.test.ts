import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { kinds } from '@wherry/client';
import type { DaemonSet } from '@wherry/kubeapi';
import { eventually } from '../../test/cluster.ts';
import { WorkloadCluster } from '../../test/workload-cluster.ts';

let there: WorkloadCluster;
before(async () => {
  there = await WorkloadCluster.start();
});
after(() => there.close());

const isRolledOut = ({ status, metadata }: DaemonSet) =>
  status?.observedGeneration === metadata.generation &&
  status?.updatedNumberScheduled === 1 &&
  status?.numberAvailable === 1;

describe('the daemon set controller', () => {
  it('keeps a pod on each node, and replaces it when the template changes', async () => {
    await there.create(kinds.daemonSets, 'log', {
      spec: {
        selector: { matchLabels: { app: 'log' } },
        template: {
          metadata: { labels: { app: 'log' } },
          spec: { containers: [{ name: 'main', image: 'busybox:1' }] },
        },
      },
    });
    await there.until(kinds.daemonSets, 'log', 'is rolled out', isRolledOut);
    const [pod] = await there.pods('app=log');
    assert.match(pod?.metadata.labels?.['controller-revision-hash'] ?? '', /^\w+$/);
    assert.ok(pod?.spec?.tolerations?.some(({ key }) => key === 'node.kubernetes.io/unschedulable'));
    const containers = [{ name: 'main', image: 'busybox:2' }];
    await there.merge(kinds.daemonSets, 'log', { spec: { template: { spec: { containers } } } });
    await there.until(kinds.daemonSets, 'log', 'is rolled out again', isRolledOut);
    await eventually('one pod of the new image is left', async () => {
      const pods = await there.pods('app=log');
      return pods.map(({ spec }) => spec?.containers[0]?.image).join() === 'busybox:2';
    });
    assert.equal((await there.labelled(kinds.controllerRevisions, 'app=log')).length, 2);
  });

  it('leaves a node that it is no longer meant for', async () => {
    const nodeSelector = { nowhere: 'yes' };
    await there.merge(kinds.daemonSets, 'log', { spec: { template: { spec: { nodeSelector } } } });
    await eventually('its pod is gone', async () => (await there.pods('app=log')).length === 0);
    const isIdle = ({ status }: DaemonSet) => status?.desiredNumberScheduled === 0;
    await there.until(kinds.daemonSets, 'log', 'is nowhere', isIdle);
  });
});

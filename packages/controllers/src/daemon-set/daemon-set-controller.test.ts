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

const specOf = (app: string): Pick<DaemonSet, 'spec'> => ({
  spec: {
    selector: { matchLabels: { app } },
    template: {
      metadata: { labels: { app } },
      spec: { containers: [{ name: 'main', image: 'busybox:1' }] },
    },
  },
});

describe('the daemon set controller', () => {
  it('keeps a pod on each node, and replaces it when the template changes', async () => {
    await there.create(kinds.daemonSets, 'log', specOf('log'));
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

  it('makes the revision of its template again when somebody deletes it', async () => {
    await there.create(kinds.daemonSets, 'kept', specOf('kept'));
    await there.until(kinds.daemonSets, 'kept', 'is rolled out', isRolledOut);
    const [revision] = await there.labelled(kinds.controllerRevisions, 'app=kept');
    const { name = '', uid } = revision?.metadata ?? {};
    await there.cluster.client.resource(kinds.controllerRevisions).delete({ name, namespace: 'default' });
    await eventually('another has its name', async () => {
      const [again] = await there.labelled(kinds.controllerRevisions, 'app=kept');
      return again?.metadata.name === name && again.metadata.uid !== uid;
    });
  });

  it('keeps one of two revisions of the same template, and its pods are of that one', async () => {
    await there.create(kinds.daemonSets, 'twice', specOf('twice'));
    await there.until(kinds.daemonSets, 'twice', 'is rolled out', isRolledOut);
    const [first] = await there.labelled(kinds.controllerRevisions, 'app=twice');
    const { apiVersion = '', kind = '', data } = first!;
    await there.cluster.client.resource(kinds.controllerRevisions).create({
      ...{ apiVersion, kind, revision: 7, ...(data ? { data } : {}) },
      metadata: { name: 'twice-by-hand', namespace: 'default', labels: { app: 'twice' } },
    });
    await eventually('the newer one is left, with its name for a hash', async () => {
      const revisions = await there.labelled(kinds.controllerRevisions, 'app=twice');
      const left = revisions.map(({ metadata }) => metadata.labels?.['controller-revision-hash']);
      return left.join() === 'twice-by-hand';
    });
    await eventually('its pod says so', async () => {
      const [pod] = await there.pods('app=twice');
      return pod?.metadata.labels?.['controller-revision-hash'] === 'twice-by-hand';
    });
    const pods = await there.pods('app=twice');
    assert.equal(pods[0]?.metadata.generateName, 'twice-');
    assert.equal((await there.read(kinds.daemonSets, 'twice')).status?.updatedNumberScheduled, 1);
  });

  it('counts revisions that pods are of against the limit, and keeps them', async () => {
    const { spec } = specOf('few');
    const updateStrategy = { type: 'OnDelete' } as const;
    await there.create(kinds.daemonSets, 'few', {
      spec: { ...spec, updateStrategy, revisionHistoryLimit: 1 },
    });
    await there.until(kinds.daemonSets, 'few', 'is rolled out', isRolledOut);
    const [pod] = await there.pods('app=few');
    for (const image of ['busybox:2', 'busybox:3']) {
      const containers = [{ name: 'main', image }];
      await there.merge(kinds.daemonSets, 'few', { spec: { template: { spec: { containers } } } });
      const isSeen = ({ status, metadata }: DaemonSet) => status?.observedGeneration === metadata.generation;
      await there.until(kinds.daemonSets, 'few', 'is seen', isSeen);
    }
    const hashes = async () => {
      const revisions = await there.labelled(kinds.controllerRevisions, 'app=few');
      revisions.sort((a, b) => a.revision - b.revision);
      return revisions.map(({ metadata }) => metadata.labels?.['controller-revision-hash']);
    };
    await eventually('the one between is gone', async () => (await hashes()).length === 2);
    assert.equal((await hashes())[0], pod?.metadata.labels?.['controller-revision-hash']);
  });
});

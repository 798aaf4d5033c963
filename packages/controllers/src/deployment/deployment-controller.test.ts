import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { kinds } from '@wherry/client';
import type { Deployment, DeploymentSpec } from '@wherry/kubeapi';
import { eventually } from '../../test/cluster.ts';
import { WorkloadCluster } from '../../test/workload-cluster.ts';

let there: WorkloadCluster;
before(async () => {
  there = await WorkloadCluster.start();
});
after(() => there.close());

const specOf = (app: string, more: Partial<DeploymentSpec> = {}): { spec: DeploymentSpec } => ({
  spec: {
    replicas: 4,
    selector: { matchLabels: { app } },
    template: {
      metadata: { labels: { app } },
      spec: { containers: [{ name: 'main', image: 'busybox:1' }] },
    },
    ...more,
  },
});

const withImage = (image: string) => ({
  spec: { template: { spec: { containers: [{ name: 'main', image }] } } },
});

const isRolledOut = ({ status, spec, metadata }: Deployment) =>
  status?.observedGeneration === metadata.generation &&
  status?.updatedReplicas === spec.replicas &&
  status?.replicas === spec.replicas &&
  status?.availableReplicas === spec.replicas;

const rolledOut = (name: string) => there.until(kinds.deployments, name, 'is rolled out', isRolledOut);
const setsOf = (app: string) => there.labelled(kinds.replicaSets, `app=${app}`);

describe('the deployment controller', () => {
  it('rolls out a template as upstream does', async () => {
    await there.create(kinds.deployments, 'web', specOf('web'));
    await rolledOut('web');
    const done = await there.until(kinds.deployments, 'web', 'has progressed', ({ status }) =>
      Boolean(status?.conditions?.some(({ reason }) => reason === 'NewReplicaSetAvailable')),
    );
    const [set] = await setsOf('web');
    const hash = set?.metadata.labels?.['pod-template-hash'] ?? '';
    assert.match(hash, /^[bcdfghjklmnpqrstvwxz2456789]{7,10}$/);
    assert.equal(set?.metadata.name, `web-${hash}`);
    assert.deepEqual(set?.spec.selector, { matchLabels: { app: 'web', 'pod-template-hash': hash } });
    assert.deepEqual(set?.metadata.annotations, {
      'deployment.kubernetes.io/desired-replicas': '4',
      'deployment.kubernetes.io/max-replicas': '5',
      'deployment.kubernetes.io/revision': '1',
    });
    assert.deepEqual(done.metadata.annotations, { 'deployment.kubernetes.io/revision': '1' });
    const { conditions, ...counts } = done.status ?? {};
    assert.deepEqual(counts, {
      ...{ observedGeneration: 1, replicas: 4, updatedReplicas: 4, readyReplicas: 4, availableReplicas: 4 },
      terminatingReplicas: 0,
    });
    assert.deepEqual(
      conditions?.map(({ type, status, reason, message }) => [type, status, reason, message]),
      [
        ['Available', 'True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.'],
        [
          'Progressing',
          'True',
          'NewReplicaSetAvailable',
          `ReplicaSet "web-${hash}" has successfully progressed.`,
        ],
      ],
    );
    assert.deepEqual(await there.events('web'), [
      `ScalingReplicaSet: Scaled up replica set web-${hash} from 0 to 4`,
    ]);
  });

  it('replaces pods without ever having too few or too many', async () => {
    const seen: number[] = [];
    const watch = setInterval(() => void there.pods('app=web').then((pods) => seen.push(pods.length)), 10);
    await there.merge(kinds.deployments, 'web', withImage('busybox:2'));
    const done = await rolledOut('web');
    clearInterval(watch);
    assert.equal(done.metadata.annotations?.['deployment.kubernetes.io/revision'], '2');
    const sets = await setsOf('web');
    assert.deepEqual(sets.map(({ spec }) => spec.replicas).sort(), [0, 4]);
    assert.ok(Math.max(...seen) <= 7, `there were ${Math.max(...seen)} pods, going ones among them`);
    const events = await there.events('web');
    assert.match(events[1] ?? '', /Scaled up replica set web-\w+ from 0 to 1/);
    assert.match(events.at(-1) ?? '', /Scaled down replica set web-\w+ from 1 to 0/);
  });

  it('goes back to an older template, and remembers which revisions it was', async () => {
    await there.merge(kinds.deployments, 'web', withImage('busybox:1'));
    const done = await rolledOut('web');
    assert.equal(done.metadata.annotations?.['deployment.kubernetes.io/revision'], '3');
    await eventually('the old set is the new one', async () => {
      const sets = await setsOf('web');
      const current = sets.find(({ spec }) => spec.replicas === 4)?.metadata.annotations;
      return (
        sets.length === 2 &&
        current?.['deployment.kubernetes.io/revision'] === '3' &&
        current['deployment.kubernetes.io/revision-history'] === '1'
      );
    });
  });

  it('makes nothing new while it is paused, but is scaled', async () => {
    await there.merge(kinds.deployments, 'web', { spec: { paused: true, replicas: 2 } });
    await there.merge(kinds.deployments, 'web', withImage('busybox:3'));
    await there.until(kinds.deployments, 'web', 'is smaller', ({ status, metadata }) => {
      const progress = status?.conditions?.find(({ type }) => type === 'Progressing');
      return (
        status?.replicas === 2 &&
        status.observedGeneration === metadata.generation &&
        progress?.reason === 'DeploymentPaused'
      );
    });
    assert.equal((await setsOf('web')).length, 2);
    await there.merge(kinds.deployments, 'web', { spec: { paused: null } });
    await rolledOut('web');
    assert.equal((await setsOf('web')).length, 3);
  });

  it('keeps as many old replica sets as it is told', async () => {
    await there.merge(kinds.deployments, 'web', { spec: { revisionHistoryLimit: 1 } });
    await eventually('one is left', async () => (await setsOf('web')).length === 2);
  });

  it('recreates only when the last old pod is gone', async () => {
    const spec = specOf('once', { strategy: { type: 'Recreate' }, replicas: 3 });
    await there.create(kinds.deployments, 'once', spec);
    await rolledOut('once');
    const both: string[][] = [];
    const watch = setInterval(async () => {
      const images = (await there.pods('app=once')).map(({ spec }) => spec?.containers[0]?.image ?? '');
      if (new Set(images).size > 1) both.push(images);
    }, 10);
    await there.merge(kinds.deployments, 'once', withImage('busybox:2'));
    await rolledOut('once');
    clearInterval(watch);
    assert.deepEqual(both, []);
  });

  it('says when there is no progress', async () => {
    there.kubelet.outcomeOf = ({ metadata }) => (metadata.labels?.['app'] === 'slow' ? 'unready' : 'ready');
    const spec = specOf('slow', { progressDeadlineSeconds: 1 });
    await there.create(kinds.deployments, 'slow', spec);
    const stuck = await there.until(kinds.deployments, 'slow', 'has timed out', ({ status }) =>
      Boolean(status?.conditions?.some(({ reason }) => reason === 'ProgressDeadlineExceeded')),
    );
    const progress = stuck.status?.conditions?.find(({ type }) => type === 'Progressing');
    assert.match(progress?.message ?? '', /^ReplicaSet "slow-\w+" has timed out progressing\.$/);
    assert.equal(progress?.status, 'False');
  });

  it('takes its replica sets and pods along when it is deleted', async () => {
    await there.cluster.client.resource(kinds.deployments).delete({ name: 'once', namespace: 'default' });
    await eventually('all is gone', async () => (await there.pods('app=once')).length === 0);
    assert.deepEqual(await setsOf('once'), []);
  });

  it('goes back to a revision when its deprecated annotation says so', async () => {
    const request = 'deprecated.deployment.rollback.to';
    const cause = (text: string) => ({ annotations: { 'kubernetes.io/change-cause': text } });
    await there.cluster.client.resource(kinds.deployments).create({
      ...{ apiVersion: 'apps/v1', kind: 'Deployment' },
      metadata: { name: 'back', namespace: 'default', ...cause('first') },
      ...specOf('back', { replicas: 1 }),
    });
    await rolledOut('back');
    await there.merge(kinds.deployments, 'back', { metadata: cause('second'), ...withImage('busybox:2') });
    await rolledOut('back');
    const ask = async (revision: string, said: string) => {
      await there.merge(kinds.deployments, 'back', { metadata: { annotations: { [request]: revision } } });
      await eventually(said, async () => (await there.events('back')).includes(said));
      const { metadata } = await there.read(kinds.deployments, 'back');
      assert.equal(metadata.annotations?.[request], undefined);
    };
    await ask('7', 'DeploymentRollbackRevisionNotFound: Unable to find the revision to rollback to.');
    const same = 'The rollback revision contains the same template as current deployment "back"';
    await ask('2', `DeploymentRollbackTemplateUnchanged: ${same}`);
    await ask('0', 'DeploymentRollback: Rolled back deployment "back" to revision 1');
    const { spec, metadata } = await rolledOut('back');
    assert.equal(spec.template.spec?.containers[0]?.image, 'busybox:1');
    assert.equal(spec.template.metadata?.labels?.['pod-template-hash'], undefined);
    assert.equal(metadata.annotations?.['kubernetes.io/change-cause'], 'first');
    const isThird = async () =>
      (await setsOf('back')).some(
        ({ metadata }) =>
          metadata.annotations?.['deployment.kubernetes.io/revision'] === '3' &&
          metadata.annotations['kubernetes.io/change-cause'] === 'first',
      );
    await eventually('the first set is the third revision', isThird);
    assert.equal((await setsOf('back')).length, 2);
    await there.merge(kinds.deployments, 'back', { metadata: { annotations: { [request]: 'before' } } });
    await there.merge(kinds.deployments, 'back', withImage('busybox:4'));
    assert.equal((await rolledOut('back')).metadata.annotations?.[request], 'before');
  });

  it('has no last revision to go back to when there is only one', async () => {
    const annotations = { 'deprecated.deployment.rollback.to': '0' };
    await there.cluster.client.resource(kinds.deployments).create({
      ...{ apiVersion: 'apps/v1', kind: 'Deployment' },
      metadata: { name: 'only', namespace: 'default', annotations },
      ...specOf('only', { replicas: 1 }),
    });
    const said = 'DeploymentRollbackRevisionNotFound: Unable to find last revision.';
    await eventually(said, async () => (await there.events('only')).includes(said));
    assert.deepEqual(Object.keys((await rolledOut('only')).metadata.annotations ?? {}), [
      'deployment.kubernetes.io/revision',
    ]);
  });
});

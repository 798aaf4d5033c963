import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Deployment } from '@wherry/kubeapi';
import { hasSpoken } from '../in-process.ts';
import { Served } from './served.ts';

let served: Served;

before(async () => {
  served = await Served.start();
});
after(() => served?.close());

const templateOf = (app: string, image: string, more: Record<string, string> = {}) => ({
  metadata: { labels: { app, ...more } },
  spec: { containers: [{ name: 'c', image }] },
});
const ownedKind = (kind: string, name: string, image: string, more: object = {}) => ({
  ...{ apiVersion: 'apps/v1', kind, metadata: { name, labels: { app: name } } },
  spec: { selector: { matchLabels: { app: name } }, template: templateOf(name, image), ...more },
});
const said = (stdout: string) => ({ code: 0, stdout: stdout === '' ? '' : `${stdout}\n`, stderr: '' });
const failed = (stderr: string) => ({ code: 1, stdout: '', stderr: `${stderr}\n` });
const report = (target: string, status: object) =>
  served.client.patch(target, { status }, { subresource: 'status', type: 'merge' });

test('rollout status tells of each step until the new pods are available', async () => {
  await served.client.create(ownedKind('Deployment', 'web', 'web:1', { replicas: 2 }));
  const status = served.run('rollout status deploy/web');
  await hasSpoken();
  const steps = [
    { observedGeneration: 1, replicas: 2, updatedReplicas: 1 },
    { observedGeneration: 1, replicas: 3, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 },
    { observedGeneration: 1, replicas: 2, updatedReplicas: 2, readyReplicas: 1, availableReplicas: 1 },
    { observedGeneration: 1, replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 },
  ];
  for (const step of steps) await report('Deployment/web', step);
  const waiting = 'Waiting for deployment "web" rollout to finish:';
  assert.deepEqual(
    await status,
    said(
      [
        'Waiting for deployment spec update to be observed...',
        `${waiting} 1 out of 2 new replicas have been updated...`,
        `${waiting} 1 old replicas are pending termination...`,
        `${waiting} 1 of 2 updated replicas are available...`,
        'deployment "web" successfully rolled out',
      ].join('\n'),
    ),
  );
});

test('rollout status looks once, gives up in time, and ends when what it looks at can not go on', async () => {
  await served.client.create(ownedKind('Deployment', 'stuck', 'web:1'));
  const observed = 'Waiting for deployment spec update to be observed...';
  assert.deepEqual(await served.run('rollout status deploy/stuck --watch=false'), said(observed));
  assert.deepEqual(await served.run('rollout status deploy/stuck --timeout=100ms'), {
    ...{ code: 1, stdout: `${observed}\n` },
    stderr: 'error: timed out waiting for the condition\n',
  });
  const gone = served.run('rollout status deploy/stuck');
  await hasSpoken();
  await served.client.delete('Deployment/stuck');
  assert.equal((await gone).stderr, 'error: object has been deleted\n');
  await served.client.create(ownedKind('Deployment', 'late', 'web:1'));
  const conditions = [{ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' }];
  await report('Deployment/late', { observedGeneration: 1, conditions });
  assert.deepEqual(
    await served.run('rollout status deploy/late'),
    failed('error: deployment "late" exceeded its progress deadline'),
  );
  assert.deepEqual(
    await served.run('rollout status deploy/late --revision=2'),
    failed('error: desired revision (2) is different from the running revision (0)'),
  );
});

test('rollout status knows DaemonSets and StatefulSets, and no set that is changed by hand', async () => {
  await served.client.create(ownedKind('DaemonSet', 'ds', 'web:1'));
  const numbers = {
    currentNumberScheduled: 1,
    numberMisscheduled: 0,
    desiredNumberScheduled: 1,
    numberReady: 0,
  };
  await report('DaemonSet/ds', {
    observedGeneration: 1,
    ...numbers,
    updatedNumberScheduled: 1,
    numberAvailable: 1,
  });
  assert.deepEqual(await served.run('rollout status ds/ds'), said('daemon set "ds" successfully rolled out'));
  await served.client.create(ownedKind('StatefulSet', 'sts', 'web:1', { replicas: 3 }));
  await report('StatefulSet/sts', { observedGeneration: 1, replicas: 3, readyReplicas: 1 });
  const once = await served.run('rollout status sts/sts --watch=false');
  assert.deepEqual(once, said('Waiting for 2 pods to be ready...'));
  await served.client.create(
    ownedKind('DaemonSet', 'hand', 'web:1', { updateStrategy: { type: 'OnDelete' } }),
  );
  assert.deepEqual(
    await served.run('rollout status ds/hand'),
    failed('error: rollout status is only available for RollingUpdate strategy type'),
  );
  assert.deepEqual(
    await served.run('rollout status ns/default'),
    failed('error: no status viewer has been implemented for Namespace'),
  );
});

test('rollout restart changes the template; pause and resume hold changes back, and a paused one is not restarted', async () => {
  await served.client.create(ownedKind('Deployment', 'held', 'web:1'));
  assert.deepEqual(await served.run('rollout restart deploy/held'), said('deployment.apps/held restarted'));
  const { spec } = await served.client.get<Deployment>('Deployment/held');
  const restarted = spec?.template.metadata?.annotations?.['kubectl.kubernetes.io/restartedAt'];
  assert.match(restarted ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  assert.deepEqual(await served.run('rollout pause deploy/held'), said('deployment.apps/held paused'));
  assert.deepEqual(
    await served.run('rollout pause deploy/held'),
    failed('error: deployments.apps "held" is already paused'),
  );
  assert.deepEqual(
    await served.run('rollout restart deploy/held'),
    failed(`error: deployments.apps "held" can't restart paused deployment (run rollout resume first)`),
  );
  assert.deepEqual(await served.run('rollout resume deploy/held'), said('deployment.apps/held resumed'));
  assert.deepEqual(
    await served.run('rollout resume deploy/held ns/default'),
    failed(
      'error: deployments.apps "held" is not paused\nerror: namespaces "default" resuming is not supported',
    ),
  );
});

test('rollout history lists what a Deployment was, and undo gives it back', async () => {
  const made = await served.client.create(ownedKind('Deployment', 'old', 'web:2'));
  const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'old', controller: true };
  for (const number of [1, 2]) {
    const hash = { 'pod-template-hash': `h${number}` };
    const annotations = {
      'deployment.kubernetes.io/revision': `${number}`,
      'kubernetes.io/change-cause': `c${number}`,
    };
    const labels = { app: 'old', ...hash };
    const ownerReferences = [{ ...owner, uid: (made as Deployment).metadata.uid ?? '' }];
    const template = templateOf('old', `web:${number}`, hash);
    await served.client.create({
      ...{ apiVersion: 'apps/v1', kind: 'ReplicaSet' },
      metadata: { name: `old-h${number}`, labels, annotations, ownerReferences },
      spec: { selector: { matchLabels: labels }, template },
    });
  }
  assert.deepEqual(
    await served.run('rollout history deploy/old'),
    said('deployment.apps/old \nREVISION  CHANGE-CAUSE\n1         c1\n2         c2\n'),
  );
  const second = await served.run('rollout history deploy/old --revision=2');
  assert.match(
    second.stdout,
    /^deployment.apps\/old with revision #2\nPod Template:\n(.*\n)* {4}Image:\tweb:2\n/,
  );
  assert.deepEqual(
    await served.run('rollout history deploy/old --revision=7'),
    failed('error: unable to find the specified revision'),
  );
  assert.deepEqual(
    await served.run('rollout undo deploy/old --to-revision=2'),
    said('deployment.apps/old skipped rollback (current template already matches revision 2)'),
  );
  assert.deepEqual(
    await served.run('rollout undo deploy/old --dry-run=server'),
    said('deployment.apps/old rolled back (server dry run)'),
  );
  const imageNow = async () =>
    (await served.client.get<Deployment>('Deployment/old')).spec?.template.spec?.containers[0]?.image;
  assert.equal(await imageNow(), 'web:2');
  assert.deepEqual(await served.run('rollout undo deploy/old'), said('deployment.apps/old rolled back'));
  assert.equal(await imageNow(), 'web:1');
  const { metadata, spec } = await served.client.get<Deployment>('Deployment/old');
  assert.equal(metadata.annotations?.['kubernetes.io/change-cause'], 'c1');
  assert.deepEqual(spec?.template.metadata?.labels, { app: 'old' });
  assert.deepEqual(
    await served.run('rollout undo deploy/old --to-revision=9'),
    failed('error: unable to find specified revision 9 in history'),
  );
});

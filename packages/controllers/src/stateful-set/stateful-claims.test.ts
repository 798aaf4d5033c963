import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { PersistentVolumeClaim, StatefulSet } from '@wherry/kubeapi';
import { claimOwners, StatefulClaims } from './stateful-claims.ts';

/** The claims of a set with two pods, of which the last was taken away: `data-db-1` goes with it. */
function start(whenScaled: 'Retain' | 'Delete') {
  const template = { metadata: { name: 'data' }, spec: {} };
  const set: StatefulSet = {
    metadata: { name: 'db', namespace: 'default', uid: 'set' },
    spec: {
      ...{ replicas: 2, serviceName: 'db', selector: { matchLabels: { app: 'db' } } },
      template: { metadata: { labels: { app: 'db' } }, spec: { containers: [] } },
      volumeClaimTemplates: [template as never],
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled },
    },
  } as unknown as StatefulSet;
  const owner = { apiVersion: 'v1', kind: 'Pod', name: 'db-1', uid: 'the-pod-before' };
  const condemned = {
    metadata: { name: 'data-db-1', namespace: 'default', ownerReferences: [owner] },
    spec: {},
  } as PersistentVolumeClaim;
  const objects = new Map([['default/data-db-1', condemned]]);
  const created: (string | undefined)[] = [];
  const create = async ({ metadata }: PersistentVolumeClaim) => void created.push(metadata.name);
  const parts = {
    ...{ client: { resource: () => ({ create }) }, recorder: { recordOf: () => undefined } },
    claims: { objects },
  };
  const claims = new StatefulClaims(parts as unknown as ConstructorParameters<typeof StatefulClaims>[0]);
  return { claims, objects, created, set, signal: AbortSignal.timeout(1_000) };
}

it('makes no pod with a claim that goes with the pod that had it before', async () => {
  const { claims, objects, created, set, signal } = start('Delete');
  assert.equal(claims.mustGoFirst(set, 1), true);
  objects.clear();
  assert.equal(claims.mustGoFirst(set, 1), false);
  await claims.create(set, 1, signal);
  assert.deepEqual(created, ['data-db-1']);
});

it('takes up a claim again that stays when its pod is taken away', async () => {
  const { claims, created, set, signal } = start('Retain');
  assert.equal(claims.mustGoFirst(set, 1), false);
  await claims.create(set, 1, signal);
  assert.deepEqual(created, []);
});

it('who owns a claim depends on the policy and on whether its pod is wanted; another kind of that name is a stranger', () => {
  const { set } = start('Delete');
  const policed = (whenDeleted: 'Retain' | 'Delete', whenScaled: 'Retain' | 'Delete') => ({
    ...set,
    spec: { ...set.spec, persistentVolumeClaimRetentionPolicy: { whenDeleted, whenScaled } },
  });
  const pod = (ordinal: number) => ({
    metadata: { name: `db-${ordinal}`, namespace: 'default', uid: 'pod' },
    spec: { containers: [] },
  });
  const owners = (of: StatefulSet, ordinal: number, ownerReferences: object[] = []) => {
    const claim = { metadata: { name: 'data', ownerReferences }, spec: {} } as PersistentVolumeClaim;
    return claimOwners(claim, of, pod(ordinal)).owners.map(({ kind, uid }) => `${kind} ${uid}`);
  };
  const wantedAndNot = (of: StatefulSet) => [owners(of, 1), owners(of, 2)];
  assert.deepEqual(wantedAndNot(policed('Retain', 'Retain')), [[], []]);
  assert.deepEqual(wantedAndNot(policed('Delete', 'Retain')), [['StatefulSet set'], ['StatefulSet set']]);
  assert.deepEqual(wantedAndNot(policed('Retain', 'Delete')), [[], ['Pod pod']]);
  assert.deepEqual(wantedAndNot(policed('Delete', 'Delete')), [['StatefulSet set'], ['Pod pod']]);
  const named = (apiVersion: string) => ({ apiVersion, kind: 'StatefulSet', name: 'db', uid: 'other' });
  assert.deepEqual(owners(policed('Delete', 'Retain'), 1, [named('apps/v1')]), ['StatefulSet other']);
  assert.deepEqual(owners(policed('Delete', 'Retain'), 1, [named('apps.example.com/v1')]), [
    'StatefulSet other',
    'StatefulSet set',
  ]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Volume } from '@wherry/kubeapi';
import { isAlwaysThere } from './always-there.ts';

const isThere = (source: Omit<Volume, 'name'>) => isAlwaysThere({ name: 'v', ...source });

test('folders of the kubelet and tokens of the account are always there, objects and paths may be missing', () => {
  const token = { serviceAccountToken: { path: 'token' } };
  const authority = { configMap: { name: 'kube-root-ca.crt' } };
  const namespace = { downwardAPI: { items: [] } };
  for (const source of [
    { emptyDir: {} },
    { downwardAPI: {} },
    { projected: { sources: [token, authority, namespace] } },
  ])
    assert.equal(isThere(source), true, JSON.stringify(source));
  const maybeMissing: Omit<Volume, 'name'>[] = [
    { configMap: { name: 'kube-root-ca.crt' } },
    { secret: { secretName: 's' } },
    { hostPath: { path: '/', type: 'Directory' } },
    { persistentVolumeClaim: { claimName: 'c' } },
    { projected: { sources: [token, { configMap: { name: 'own' } }] } },
    { projected: { sources: [{ secret: { name: 's' } }] } },
  ];
  for (const source of maybeMissing) assert.equal(isThere(source), false, JSON.stringify(source));
});

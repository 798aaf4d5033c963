import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Node, PersistentVolume, PersistentVolumeClaim, Pod, StorageClass } from '@wherry/kubeapi';
import { PodStorage } from './pod-storage.ts';

const waits = {
  metadata: { name: 'late' },
  provisioner: 'kubernetes.io/no-provisioner',
  volumeBindingMode: 'WaitForFirstConsumer',
} as StorageClass;

const claim = (name: string, volumeName: string): [string, PersistentVolumeClaim] => {
  const annotations = volumeName ? { 'pv.kubernetes.io/bind-completed': 'yes' } : {};
  const spec = { storageClassName: 'late', volumeName, resources: { requests: { storage: '1Gi' } } };
  const metadata = { name, namespace: 'default', annotations };
  return [`default/${name}`, { metadata, spec, status: { phase: 'Bound' } } as PersistentVolumeClaim];
};

const volume = (name: string, zone: string): [string, PersistentVolume] => {
  const matchExpressions = [{ key: 'zone', operator: 'In', values: [zone] }];
  const required = { nodeSelectorTerms: [{ matchExpressions }] };
  return [name, { metadata: { name }, spec: { nodeAffinity: { required } } } as PersistentVolume];
};

function misfits(...claimNames: string[]): string[] {
  const pod = {
    metadata: { name: 'p', namespace: 'default' },
    spec: { volumes: claimNames.map((name) => ({ name, persistentVolumeClaim: { claimName: name } })) },
  } as Pod;
  const node = { metadata: { name: 'n', labels: { zone: 'a' } } } as unknown as Node;
  const view = {
    claims: new Map([claim('gone', 'none'), claim('far', 'of-b'), claim('waits', '')]),
    volumes: new Map([volume('of-b', 'b')]),
    classes: new Map([['late', waits]]),
  };
  return new PodStorage(pod, view as unknown as ConstructorParameters<typeof PodStorage>[1]).misfits(node);
}

test('a pod’s claims whose volumes are gone or elsewhere, and those that wait for some, are both told of, in upstream’s order', () => {
  const gone = 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)';
  const far = "node(s) didn't match PersistentVolume's node affinity";
  const none = "node(s) didn't find available persistent volumes to bind";
  assert.deepEqual(misfits('gone', 'waits'), [none, gone]);
  assert.deepEqual(misfits('far', 'waits'), [far, none]);
  // Of those that have a volume the first is told of.
  assert.deepEqual(misfits('far', 'gone'), [far]);
  assert.deepEqual(misfits('gone', 'far'), [gone]);
});

import type { KubeClient, KubeObject } from '@wherry/client';
import type { Deployment } from '@wherry/kubeapi';
import { limitedUser, readableKinds } from '../lines.ts';
import { longAgo, namespaced, ofCluster } from './described.ts';

/** Adds what stands around objects that are there: what they own, what happened to them, and what is no part of a manifest. */
export async function addAround(client: KubeClient): Promise<void> {
  await addReplicaSets(client);
  for (const kind of ['ReplicaSet', 'StatefulSet', 'DaemonSet']) await addPods(client, kind, 'rich');
  await addPods(client, 'ReplicationController', 'rc');
  await addUsers(client);
  await addLooker(client);
  await decide(client);
  await addHappened(client);
  await addLimitedUser(client);
}

const controlledBy = ({ apiVersion, kind, metadata }: KubeObject) => ({
  ...{ apiVersion, kind, name: metadata?.name, uid: metadata?.uid, controller: true },
});

async function addReplicaSets(client: KubeClient): Promise<void> {
  const deployment = await client.get<Deployment>('Deployment/rich');
  const { template, selector } = deployment.spec!;
  for (const [name, isNow] of [
    ['rich-1', false],
    ['rich-2', true],
  ] as const) {
    const labels = { ...template.metadata?.labels, 'pod-template-hash': name };
    const spec = isNow ? template.spec! : { ...template.spec!, priorityClassName: undefined };
    await client.create(
      namespaced('apps/v1', 'ReplicaSet', name, {
        metadata: {
          labels,
          ownerReferences: [controlledBy(deployment)],
          annotations: { 'deployment.kubernetes.io/revision': name.slice(-1) },
        },
        spec: {
          replicas: isNow ? 3 : 0,
          selector: { ...selector, matchLabels: { ...selector.matchLabels, 'pod-template-hash': name } },
          template: { metadata: { ...template.metadata, labels }, spec },
        },
      }),
    );
  }
}

async function addPods(client: KubeClient, kind: string, name: string): Promise<void> {
  const owner = await client.get<KubeObject>(`${kind}/${name}`);
  for (const phase of ['Running', 'Running', 'Pending', 'Succeeded', 'Failed']) {
    const { metadata } = await client.create(
      namespaced('v1', 'Pod', '', {
        metadata: {
          ...{ name: undefined, generateName: `${kind.toLowerCase()}-` },
          ...{ labels: { app: 'web', tier: 'front' }, ownerReferences: [controlledBy(owner)] },
        },
        spec: { containers: [{ name: 'c', image: 'i' }], serviceAccountName: 'robot' },
      }),
    );
    await client.patch(
      `Pod/${metadata?.name}`,
      { status: { phase } },
      { subresource: 'status', type: 'merge' },
    );
  }
}

/** Pods that use claims, one of them twice, and a claim that belongs to a pod. */
async function addUsers(client: KubeClient): Promise<void> {
  const volume = (name: string) => ({ name, persistentVolumeClaim: { claimName: 'waiting' } });
  for (const [name, volumes] of [
    ['user-b', [volume('x')]],
    ['user-a', [volume('x'), volume('y')]],
  ] as const)
    await client.create(
      namespaced('v1', 'Pod', name, {
        spec: { containers: [{ name: 'c', image: 'i' }], volumes, serviceAccountName: 'robot' },
      }),
    );
  const pod = await client.get<KubeObject>('Pod/small');
  await client.create(
    namespaced('v1', 'PersistentVolumeClaim', 'owned', {
      metadata: { ownerReferences: [controlledBy(pod)] },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    }),
  );
}

async function addLooker(client: KubeClient): Promise<void> {
  const ephemeralContainers = [{ name: 'look', image: 'look:1', targetContainerName: 'web', tty: true }];
  const patch = { spec: { ephemeralContainers } };
  await client.patch('Pod/rich', patch, { subresource: 'ephemeralcontainers', type: 'strategic' });
  await client.patch(
    'Pod/rich',
    {
      status: {
        ephemeralContainerStatuses: [
          { name: 'look', state: {}, ready: false, restartCount: 0, image: '', imageID: '' },
        ],
      },
    },
    { subresource: 'status', type: 'merge' },
  );
}

async function decide(client: KubeClient): Promise<void> {
  const conditions = [{ type: 'Approved', status: 'True', reason: 'So', message: 'it may' }];
  const target = 'CertificateSigningRequest/rich';
  await client.patch(target, { status: { conditions } }, { subresource: 'approval', type: 'merge' });
}

async function addHappened(client: KubeClient): Promise<void> {
  const tell = async (object: KubeObject, name: string, more: object) => {
    const { kind, apiVersion, metadata = {} } = object;
    const { namespace, uid } = metadata;
    await client.create({
      ...{ apiVersion: 'v1', kind: 'Event', type: 'Normal', reason: 'Happened' },
      metadata: { name, namespace: namespace ?? 'default' },
      involvedObject: { kind, apiVersion, name: metadata.name, namespace, uid },
      ...{ source: { component: 'kubelet', host: 'n1' }, firstTimestamp: longAgo, lastTimestamp: longAgo },
      ...more,
    } as KubeObject);
  };
  const pod = await client.get<KubeObject>('Pod/rich');
  const { name, namespace, uid } = pod.metadata ?? {};
  const involvedObject = { kind: 'Pod', name, namespace, uid, fieldPath: 'spec.containers{web}' };
  await tell(pod, 'one', { message: ' of the pod \n' });
  await tell(pod, 'two', {
    ...{ involvedObject, message: 'of a container', count: 4, type: 'Warning' },
    lastTimestamp: '2026-01-03T03:04:05Z',
  });
  await tell(pod, 'three', {
    ...{ source: {}, reportingComponent: 'scheduler', reportingInstance: 'i', action: 'Bind' },
    ...{ firstTimestamp: undefined, lastTimestamp: undefined, eventTime: '2026-01-02T03:04:05.000001Z' },
    ...{ series: { count: 7, lastObservedTime: '2026-01-04T03:04:05.000001Z' }, message: 'again' },
  });
  const node = await client.get<KubeObject>('Node/n1');
  await tell(node, 'four', { message: 'by who knows it' });
  await tell(node, 'five', {
    ...{ message: 'by its kubelet', involvedObject: { kind: 'Node', name: 'n1', uid: 'n1' } },
  });
  await tell(await client.get<KubeObject>('ConfigMap/map'), 'six', { message: 'of the map' });
}

async function addLimitedUser(client: KubeClient): Promise<void> {
  const group = 'rbac.authorization.k8s.io';
  const verbs = ['get', 'list'];
  const rules = [
    { apiGroups: ['*'], resources: readableKinds, verbs },
    { apiGroups: [''], resources: ['pods'], resourceNames: ['rich'], verbs },
  ];
  const role = ofCluster(`${group}/v1`, 'ClusterRole', 'limited', { rules });
  const binding = ofCluster(`${group}/v1`, 'ClusterRoleBinding', 'limited', {
    subjects: [{ kind: 'User', name: limitedUser, apiGroup: group }],
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'limited' },
  });
  for (const object of [role, binding]) await client.create(object);
}

/** A kind that no describer knows, with field names of all forms. */
export const custom = {
  definition: ofCluster('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'things.example.com', {
    spec: {
      ...{ group: 'example.com', scope: 'Namespaced', names: { kind: 'Thing', plural: 'things' } },
      versions: [
        {
          ...{ name: 'v1', served: true, storage: true },
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  }),
  object: namespaced('example.com/v1', 'Thing', 'rich', {
    metadata: { labels: { a: 'b' }, annotations: { c: 'd' }, finalizers: ['example.com/x'] },
    spec: {
      ...{ hostIPs: ['a', 'b'], podIP: 'c', apiURL: 'd', someGUID: 'e', HTTPPort: 1, with_line: true },
      ...{ 'a-b': 1.5, v1Beta: 'f', 'dotted.name': 'g', URLList: [], nothing: {}, big: 12_345_678_901 },
      ...{ list: [{ name: 'x', value: 1 }, { name: 'y' }, ['p', 'q'], null], text: 'one\ntwo', ÜberMut: 1 },
      ...{ x: false, aB: 0.00001, HTTPServerURL: 'h', 'ab--CD': 2, tiny: 1e21 },
    },
  }),
};

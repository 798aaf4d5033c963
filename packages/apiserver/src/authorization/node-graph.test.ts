import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { SqliteStore } from '../store/sqlite-store.ts';
import { NodeGraph } from './node-graph.ts';

const folder = mkdtempSync(join(tmpdir(), 'wherry-graph-'));

describe('what a node reaches through its pods', () => {
  let store: SqliteStore;
  let graph: NodeGraph;
  before(async () => {
    store = new SqliteStore({ path: join(folder, 'state.db') });
    await write('before', pod('before', { nodeName: 'a', volumes: [secret('old')] }));
    graph = new NodeGraph();
    await graph.start(store);
  });
  after(async () => {
    graph.close();
    await store.close();
    rmSync(folder, { recursive: true });
  });

  const secret = (secretName: string) => ({ name: secretName, secret: { secretName } });
  const pod = (name: string, spec: object, annotations?: object) => ({
    metadata: { name, namespace: 'ns', uid: `uid-${name}`, ...(annotations ? { annotations } : {}) },
    spec,
  });
  const write = (name: string, object: object | null) =>
    store.write({ key: `/pods/ns/${name}`, value: object && JSON.stringify(object) });
  const reaches = (node: string, name: string) => graph.reaches(node, 'secrets', { namespace: 'ns', name });

  it('is known of pods that were there before, and of later ones once their write is acknowledged', async () => {
    assert.equal(reaches('a', 'old'), true);
    assert.equal(reaches('b', 'old'), false);
    await write('one', pod('one', { volumes: [secret('s')] }));
    assert.equal(reaches('a', 's'), false, 'not bound yet');
    await write('one', pod('one', { nodeName: 'a', volumes: [secret('s')] }));
    assert.equal(reaches('a', 's'), true);
    assert.deepEqual(graph.pod('ns', 'one')?.uid, 'uid-one');
  });

  it('lasts until the last pod of the node that names it is gone', async () => {
    const volumes = [secret('shared'), { ...secret('shared'), name: 'again' }];
    for (const name of ['x', 'y']) await write(name, pod(name, { nodeName: 'a', volumes }));
    await write('x', null);
    assert.equal(reaches('a', 'shared'), true);
    await write('y', pod('y', { nodeName: 'a' }));
    assert.equal(reaches('a', 'shared'), false);
  });

  it('is nothing by mirror pods', async () => {
    const spec = { nodeName: 'a', volumes: [secret('mirrored')], serviceAccountName: 'robot' };
    await write('m', pod('m', spec, { 'kubernetes.io/config.mirror': 'x' }));
    assert.equal(reaches('a', 'mirrored'), false);
    assert.equal(graph.reaches('a', 'serviceaccounts', { namespace: 'ns', name: 'robot' }), false);
    assert.equal(graph.pod('ns', 'm')?.node, 'a');
  });

  it('leads through a claim to its volume and to the secrets that the node needs for it', async () => {
    const csi = {
      nodeStageSecretRef: { namespace: 'storage', name: 'stage' },
      controllerPublishSecretRef: { namespace: 'storage', name: 'controller' },
    };
    const volume = { metadata: { name: 'v' }, spec: { claimRef: { namespace: 'ns', name: 'c' }, csi } };
    await store.write({ key: '/persistentvolumes/v', value: JSON.stringify(volume) });
    assert.equal(graph.reachesVolume('a', 'v'), false);
    const claims = [{ name: 'data', persistentVolumeClaim: { claimName: 'c' } }];
    await write('claiming', pod('claiming', { nodeName: 'a', volumes: claims }));
    const stored = (name: string) => graph.reaches('a', 'secrets', { namespace: 'storage', name });
    assert.deepEqual([graph.reachesVolume('a', 'v'), graph.reachesVolume('b', 'v')], [true, false]);
    assert.deepEqual([stored('stage'), stored('controller')], [true, false]);
    await store.write({ key: '/persistentvolumes/v', value: null });
    assert.deepEqual([graph.reachesVolume('a', 'v'), stored('stage')], [false, false]);
  });

  it('leads to the claims on devices of the node’s pods, made ones too, and to slices of its own devices', async () => {
    const reaches = (node: string, name: string) =>
      graph.reaches(node, 'resourceclaims', { namespace: 'ns', name });
    const resourceClaims = [
      { name: 'a', resourceClaimName: 'named' },
      { name: 'b', resourceClaimTemplateName: 't' },
    ];
    const made = pod('devices', { nodeName: 'a', resourceClaims });
    await write('devices', made);
    assert.deepEqual(
      [reaches('a', 'named'), reaches('b', 'named'), reaches('a', 'made')],
      [true, false, false],
    );
    const resourceClaimStatuses = [{ name: 'b', resourceClaimName: 'made' }];
    await write('devices', { ...made, status: { resourceClaimStatuses } });
    assert.deepEqual([reaches('a', 'made'), reaches('b', 'made')], [true, false]);
    const key = '/resource.k8s.io/resourceslices/s';
    await store.write({ key, value: JSON.stringify({ metadata: { name: 's' }, spec: { nodeName: 'a' } }) });
    assert.deepEqual([graph.reachesSlice('a', 's'), graph.reachesSlice('b', 's')], [true, false]);
    await store.write({ key, value: null });
    assert.equal(graph.reachesSlice('a', 's'), false);
  });

  it('leads to the attachments of volumes to the node, and to no other’s', async () => {
    const key = '/storage.k8s.io/volumeattachments/at';
    await store.write({ key, value: JSON.stringify({ metadata: { name: 'at' }, spec: { nodeName: 'a' } }) });
    assert.deepEqual([graph.reachesAttachment('a', 'at'), graph.reachesAttachment('b', 'at')], [true, false]);
    await store.write({ key, value: null });
    assert.equal(graph.reachesAttachment('a', 'at'), false);
  });
});

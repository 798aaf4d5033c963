import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import type { Credentials } from '../../../test/pki.ts';
import { TestServer } from '../../../test/test-server.ts';

const core = '/api/v1';
const namespace = `${core}/namespaces/default`;
const merge = 'application/merge-patch+json';
const mirror = { 'kubernetes.io/config.mirror': 'x' };
const containers = [{ name: 'main', image: 'busybox' }];

describe('a kubelet', () => {
  let server: TestServer;
  let worker: Credentials;
  let workerUid: string;
  before(async () => {
    server = await TestServer.start({ runtimeConfig: { 'certificates.k8s.io/v1': true } });
    worker = await server.authority.issue({ name: 'system:node:worker', groups: ['system:nodes'] });
    for (const name of ['default', 'robot']) {
      await server.request('POST', `${namespace}/serviceaccounts`, { body: { metadata: { name } } });
    }
    for (const name of ['gold', 'used']) {
      await server.request('POST', `${namespace}/secrets`, { body: { metadata: { name } } });
    }
    for (const name of ['worker', 'other']) {
      const { body } = await server.request('POST', `${core}/nodes`, { body: { metadata: { name } } });
      if (name === 'worker') workerUid = body.metadata.uid;
    }
  });
  after(() => server.close());

  const ask = (method: string, path: string, body?: object, type?: string) =>
    server.request(method, path, { as: worker, ...(body ? { body } : {}), ...(type ? { type } : {}) });
  const refused = async (answer: ReturnType<typeof ask>, expected: RegExp) => {
    const { status, body, text } = await answer;
    assert.equal(status, 403, text);
    assert.match(body.message, expected);
  };
  const makePod = async (name: string, spec: object) => {
    const body = { metadata: { name }, spec: { containers, ...spec } };
    const answer = await server.request('POST', `${namespace}/pods`, { body });
    assert.equal(answer.status, 201, answer.text);
    return answer.body;
  };

  describe('that makes a mirror pod', () => {
    const owner = () => ({
      apiVersion: 'v1',
      kind: 'Node',
      name: 'worker',
      uid: workerUid,
      controller: true,
    });
    const post = (
      name: string,
      spec: object,
      ownerReferences: object[] = [owner()],
      annotations: object = mirror,
    ) =>
      ask('POST', `${namespace}/pods`, {
        metadata: { name, annotations, ownerReferences },
        spec: { nodeName: 'worker', containers, ...spec },
      });

    it('can’t name a secret in it and then read that secret', async () => {
      const env = [{ name: 'X', valueFrom: { secretKeyRef: { name: 'gold', key: 'k' } } }];
      const volume = (source: object) => ({ volumes: [{ name: 'v', ...source }] });
      const projected = (source: object) => volume({ projected: { sources: [source] } });
      const ways: [spec: object, kind: RegExp][] = [
        [{ containers: [{ ...containers[0], env }] }, /may not reference secrets/],
        [{ initContainers: [{ ...containers[0], name: 'i', env }] }, /reference secrets/],
        [{ imagePullSecrets: [{ name: 'gold' }] }, /reference secrets/],
        [volume({ secret: { secretName: 'gold' } }), /reference secrets/],
        [volume({ configMap: { name: 'gold' } }), /reference configmaps/],
        [projected({ secret: { name: 'gold' } }), /reference secrets/],
        [projected({ serviceAccountToken: { path: 'token' } }), /may not use ServiceAccountToken/],
        [volume({ csi: { driver: 'd.example' } }), /reference csidrivers/],
        [volume({ persistentVolumeClaim: { claimName: 'c' } }), /reference persistentvolumeclaims/],
      ];
      for (const [spec, kind] of ways) await refused(post('thief', spec), kind);
      const { status } = await ask('GET', `${namespace}/secrets/gold`);
      assert.equal(status, 403);
      await refused(post('thief', { serviceAccountName: 'robot' }), /may not reference service accounts/);
    });

    it('reaches no claim on devices by it, nor by what it says of its state (CVE-2025-4563)', async () => {
      const claims = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims';
      const requests = [{ name: 'r', exactly: { deviceClassName: 'gpus' } }];
      const claim = { metadata: { name: 'theirs' }, spec: { devices: { requests } } };
      assert.equal((await server.request('POST', claims, { body: claim })).status, 201);
      const resourceClaims = [{ name: 'c', resourceClaimName: 'theirs' }];
      await refused(post('claiming', { resourceClaims }), /may not reference|resourceclaims/);
      const metadata = { name: 'stating', annotations: mirror, ownerReferences: [owner()] };
      const status = {
        resourceClaimStatuses: [{ name: 'c', resourceClaimName: 'theirs' }],
        extendedResourceClaimStatus: { resourceClaimName: 'theirs', requestMappings: [] },
      };
      const spec = { nodeName: 'worker', containers };
      assert.equal((await ask('POST', `${namespace}/pods`, { metadata, spec, status })).status, 201);
      await refused(ask('GET', `${claims}/theirs`), /no relationship found/);
      const patch = { status: { extendedResourceClaimStatus: status.extendedResourceClaimStatus } };
      await refused(
        ask('PATCH', `${namespace}/pods/stating/status`, patch, merge),
        /cannot update extended resource claim status/,
      );
    });

    it('names itself as the pod’s owner, by its own uid', async () => {
      const owned = (changes: object) => post('owned', {}, [{ ...owner(), ...changes }]);
      await refused(post('owned', {}, []), /with an owner reference set to itself/);
      await refused(post('owned', {}, [owner(), { ...owner(), name: 'other' }]), /single owner reference/);
      await refused(owned({ name: 'other' }), /with an owner reference set to itself/);
      await refused(owned({ controller: false }), /controller owner reference/);
      await refused(owned({ blockOwnerDeletion: true }), /must not set blockOwnerDeletion/);
      await refused(owned({ uid: 'wrong' }), /UID mismatch/);
      await refused(post('owned', { nodeName: 'other' }), /spec\.nodeName set to itself/);
      await refused(post('owned', {}, [owner()], {}), /can only create mirror pods/);
      const made = await post('owned', { volumes: [{ name: 'v', hostPath: { path: '/x' } }] });
      assert.equal(made.status, 201, made.text);
    });
  });

  it('reads the pods that are bound to it, and what they name; mirror pods open nothing', async () => {
    await makePod('mine', { nodeName: 'worker', volumes: [{ name: 'v', secret: { secretName: 'used' } }] });
    await makePod('theirs', { nodeName: 'other', volumes: [{ name: 'v', secret: { secretName: 'gold' } }] });
    assert.equal((await ask('GET', `${namespace}/pods/mine`)).status, 200);
    await refused(ask('GET', `${namespace}/pods/theirs`), /no relationship found between node 'worker'/);
    assert.equal((await ask('GET', `${namespace}/pods?fieldSelector=metadata.name%3Dmine`)).status, 200);
    await refused(ask('GET', `${namespace}/pods?fieldSelector=metadata.name%3Dtheirs`), /no relationship/);
    await refused(ask('GET', `${namespace}/pods`), /spec\.nodeName field selector/);
    assert.equal((await ask('GET', `${namespace}/secrets/used`)).status, 200);
    await refused(ask('GET', `${namespace}/secrets/gold`), /no relationship/);
    const metadata = { name: 'forged', annotations: mirror };
    const volumes = [{ name: 'v', secret: { secretName: 'gold' } }];
    const spec = { nodeName: 'worker', containers, volumes };
    const forged = await server.request('POST', `${namespace}/pods`, { body: { metadata, spec } });
    assert.equal(forged.status, 403, 'not even somebody else’s mirror pod names a secret');
    await server.request('DELETE', `${namespace}/pods/mine`, { body: { gracePeriodSeconds: 0 } });
    await refused(ask('GET', `${namespace}/secrets/used`), /no relationship/);
  });

  it('gets tokens bound to its own pods alone, for audiences that their volumes name', async () => {
    const vault = { projected: { sources: [{ serviceAccountToken: { path: 't', audience: 'vault' } }] } };
    const spec = { serviceAccountName: 'robot', volumes: [{ name: 'v', ...vault }] };
    const pod = await makePod('tokened', { ...spec, nodeName: 'worker' });
    const foreign = await makePod('foreign', { ...spec, nodeName: 'other' });
    const token = (body: object) => ask('POST', `${namespace}/serviceaccounts/robot/token`, { spec: body });
    const bound = (to: { metadata: { name: string; uid: string } }, changes: object = {}) => ({
      boundObjectRef: {
        apiVersion: 'v1',
        kind: 'Pod',
        name: to.metadata.name,
        uid: to.metadata.uid,
        ...changes,
      },
    });
    await refused(token({}), /token not bound to a pod/);
    await refused(
      token({ boundObjectRef: { apiVersion: 'v1', kind: 'Node', name: 'worker' } }),
      /not bound to a pod/,
    );
    await refused(token(bound(pod, { uid: '' })), /pod binding without a uid/);
    await refused(token(bound(pod, { uid: 'other' })), /does not match the UID in record/);
    await refused(token(bound(foreign)), /scheduled on a different node/);
    await refused(token({ ...bound(pod), audiences: ['a', 'b'] }), /0 or 1 audiences/);
    await refused(
      token({ ...bound(pod), audiences: ['bank'] }),
      /audience "bank" not found in pod spec volume/,
    );
    assert.equal((await token({ ...bound(pod), audiences: ['vault'] })).status, 201);
    assert.equal(
      (await token(bound(pod))).status,
      201,
      'the API server’s own, as every pod’s volume names it',
    );
  });

  it('gets tokens for audiences of the drivers behind its pods’ volumes, once all of them are there', async () => {
    const volumes = [
      { name: 'claimed', persistentVolumeClaim: { claimName: 'claimed' } },
      { name: 'inline', csi: { driver: 'inline.example.com' } },
    ];
    const pod = await makePod('driven', { serviceAccountName: 'robot', volumes, nodeName: 'worker' });
    const { name, uid } = pod.metadata;
    const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name, uid };
    const token = (audience: string) =>
      ask('POST', `${namespace}/serviceaccounts/robot/token`, {
        spec: { boundObjectRef, audiences: [audience] },
      });
    const make = async (path: string, body: object) => {
      const answer = await server.request('POST', path, { body });
      assert.equal(answer.status, 201, answer.text);
    };
    const drivers = '/apis/storage.k8s.io/v1/csidrivers';
    const driver = (of: string, audience: string) =>
      make(drivers, { metadata: { name: of }, spec: { tokenRequests: [{ audience }] } });
    await driver('inline.example.com', 'inline');
    assert.equal((await token('claimed')).status, 403);
    await refused(
      token('vault'),
      /error validating audience "vault": persistentvolumeclaim "claimed" not found/,
    );
    const modes = { accessModes: ['ReadWriteOnce'], storageClassName: 'by-hand' };
    await make(`${namespace}/persistentvolumeclaims`, {
      metadata: { name: 'claimed' },
      spec: { ...modes, volumeName: 'driven', resources: { requests: { storage: '1Gi' } } },
    });
    await refused(token('claimed'), /persistentvolume "driven" not found/);
    const csi = { driver: 'claimed.example.com', volumeHandle: 'h' };
    await make('/api/v1/persistentvolumes', {
      metadata: { name: 'driven' },
      spec: { ...modes, capacity: { storage: '1Gi' }, csi },
    });
    await refused(token('claimed'), /csidriver\.storage\.k8s\.io "claimed\.example\.com" not found/);
    await driver('claimed.example.com', 'claimed');
    for (const audience of ['claimed', 'inline']) assert.equal((await token(audience)).status, 201, audience);
    await refused(token('vault'), /audience "vault" not found in pod spec volume/);
  });

  it('writes its own node without steering pods to it', async () => {
    const node = `${core}/nodes/worker`;
    const patch = (change: object, path = node) => ask('PATCH', path, change, merge);
    const label = (key: string) => patch({ metadata: { labels: { [key]: 'x' } } });
    await refused(label('node-restriction.kubernetes.io/team'), /not allowed to modify labels/);
    await refused(label('node-role.kubernetes.io/control-plane'), /not allowed to modify labels/);
    await refused(label('x.node-restriction.kubernetes.io/team'), /not allowed to modify labels/);
    for (const key of [
      'kubernetes.io/hostname',
      'node.kubernetes.io/a',
      'kubelet.kubernetes.io/b',
      'plain',
      'example.com/c',
    ]) {
      assert.equal((await label(key)).status, 200, key);
    }
    const taints = [{ key: 'a', effect: 'NoSchedule' }];
    await refused(patch({ spec: { taints } }), /not allowed to modify taints/);
    const owners = [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' }];
    await refused(patch({ metadata: { ownerReferences: owners } }), /not allowed to modify ownerReferences/);
    await refused(patch({ status: {} }, `${core}/nodes/other/status`), /not allowed to modify node "other"/);
    await refused(
      ask('POST', `${core}/nodes`, { metadata: { name: 'third' } }),
      /not allowed to modify node "third"/,
    );
    const fresh = await server.authority.issue({ name: 'system:node:fresh', groups: ['system:nodes'] });
    const metadata = { name: 'fresh', labels: { 'node-restriction.kubernetes.io/team': 'a' } };
    const made = await server.request('POST', `${core}/nodes`, { as: fresh, body: { metadata } });
    assert.equal(made.status, 403);
    assert.match(made.body.message, /not allowed to set the following labels/);
    await refused(ask('DELETE', node), /cannot delete resource "nodes"/);
  });

  it('makes its own lease and CSI node, and no other', async () => {
    const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
    const made = (name: string) => ask('POST', leases, { metadata: { name } });
    await refused(made('other'), /node lease with the same name as the requesting node/);
    assert.equal((await made('worker')).status, 201);
    const elsewhere = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
    await refused(
      ask('POST', elsewhere, { metadata: { name: 'worker' } }),
      /"kube-node-lease" system namespace/,
    );
    const drivers = '/apis/storage.k8s.io/v1/csinodes';
    const csi = (name: string) => ask('POST', drivers, { metadata: { name }, spec: { drivers: [] } });
    await refused(csi('other'), /CSINode with the same name/);
    assert.equal((await csi('worker')).status, 201);
  });

  it('writes, deletes and evicts its own pods alone', async () => {
    await makePod('near', { nodeName: 'worker' });
    await makePod('far', { nodeName: 'other' });
    const evict = (name: string) => ask('POST', `${namespace}/pods/${name}/eviction`, { metadata: { name } });
    const status = (name: string, change: object) =>
      ask('PATCH', `${namespace}/pods/${name}/status`, change, merge);
    await refused(evict('far'), /can only evict pods with spec\.nodeName set to itself/);
    await refused(ask('DELETE', `${namespace}/pods/far`), /can only delete pods/);
    await refused(status('far', { status: { phase: 'Failed' } }), /can only update pod status/);
    await refused(
      status('near', { metadata: { labels: { app: 'x' } } }),
      /cannot update labels through pod status/,
    );
    assert.equal((await status('near', { status: { phase: 'Running' } })).status, 200);
    assert.equal((await evict('near')).status, 201);
  });

  it('asks for certificates of its own name alone', async () => {
    const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
    const request = (name: string) => {
      const subject = `/O=system:nodes/CN=system:node:${name}`;
      const flags = [
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-keyout',
        '/dev/null',
      ];
      return execFileSync('openssl', ['req', '-new', ...flags, '-subj', subject], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
    };
    const post = (name: string, rest = '') =>
      ask('POST', path, {
        metadata: { generateName: 'csr-' },
        spec: {
          request: Buffer.from(`${request(name)}${rest}`).toString('base64'),
          signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
          usages: ['client auth'],
        },
      });
    const other = /can only create a node CSR with CN=system:node:worker/;
    await refused(post('other'), other);
    await refused(post('other', String(request('worker'))), other);
    assert.equal((await post('worker')).status, 201);
  });

  it('without a name of its own reaches nothing', async () => {
    const nameless = await server.authority.issue({ name: 'system:node:', groups: ['system:nodes'] });
    for (const path of [
      `${core}/nodes`,
      `${namespace}/secrets/used`,
      `${namespace}/pods?fieldSelector=spec.nodeName%3D`,
    ]) {
      assert.equal((await server.request('GET', path, { as: nameless })).status, 403, path);
    }
  });
});

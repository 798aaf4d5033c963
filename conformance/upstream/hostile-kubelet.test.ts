/** What somebody asks for with a kubelet's rights, of our API server and of Kubernetes' own: the same may be had, and the same is refused. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../../e2e/node.ts';
import { type Answered, type Asked, TwoServers } from './two-servers.ts';

let two: TwoServers;

const core = '/api/v1/namespaces/default';
const leases = '/apis/coordination.k8s.io/v1/namespaces';
const storage = '/apis/storage.k8s.io/v1';
const devices = '/apis/resource.k8s.io/v1';
const merge = 'application/merge-patch+json';
const strategic = 'application/strategic-merge-patch+json';
const applied = 'application/apply-patch+yaml';
const hostile = { 'impersonate-user': 'system:node:n1', 'impersonate-group': 'system:nodes' };

const asKubelet = (method: string, path: string, body?: unknown, type?: string): Asked => ({
  ...{ method, path, headers: hostile },
  ...(body === undefined ? {} : { body }),
  ...(type === undefined ? {} : { type }),
});

const container = { name: 'a', image: 'b' };
const pod = (name: string, node: string, more: object = {}, metadata: object = {}) => ({
  metadata: { name, uid: `uid-${name}`, ...metadata },
  spec: { nodeName: node, automountServiceAccountToken: false, containers: [container], ...more },
});
const volumesOf = (n: string) => [
  { name: 's', secret: { secretName: `s-${n}` } },
  { name: 'c', configMap: { name: `c-${n}` } },
  { name: 'v', persistentVolumeClaim: { claimName: `v-${n}` } },
  { name: 't', projected: { sources: [{ serviceAccountToken: { path: 't', audience: `a-${n}` } }] } },
  { name: 'd', csi: { driver: 'd.example.com' } },
];
const claim = (n: string) => ({
  metadata: { name: `v-${n}` },
  spec: {
    ...{ accessModes: ['ReadWriteOnce'], volumeName: `pv-${n}`, storageClassName: '' },
    resources: { requests: { storage: '1Gi' } },
  },
});
const volume = (n: string) => ({
  metadata: { name: `pv-${n}` },
  spec: {
    ...{ accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, storageClassName: '' },
    claimRef: { namespace: 'default', name: `v-${n}` },
    csi: {
      ...{ driver: 'd.example.com', volumeHandle: n },
      nodeStageSecretRef: { namespace: 'default', name: `stage-${n}` },
      controllerPublishSecretRef: { namespace: 'default', name: `publish-${n}` },
    },
  },
});
const slice = (name: string, node: object) => ({
  metadata: { name },
  spec: { driver: 'd.example.com', pool: { name: 'p', generation: 1, resourceSliceCount: 1 }, ...node },
});

before(async () => {
  two = await TwoServers.start({
    ...{ port: 16_493, etcdPort: 23_903 },
    // Ours has it on, as kubeadm's.
    prepare: async () => ({ flags: ['--enable-admission-plugins=NodeRestriction'] }),
  });
  for (const url of two.urls) {
    const make = async (path: string, body: object) => {
      const { code, text } = await two.ask(url, { method: 'POST', path, body });
      assert.ok(code === 201 || code === 409, `${url}${path}: ${text}`);
    };
    await eventually('the namespace', async () => {
      const account = { metadata: { name: 'default' } };
      return (
        (await two.ask(url, { method: 'POST', path: `${core}/serviceaccounts`, body: account })).code !== 404
      );
    });
    await make('/api/v1/namespaces', { metadata: { name: 'kube-node-lease' } });
    await make(`${core}/serviceaccounts`, { metadata: { name: 'other' } });
    await make(`${storage}/csidrivers`, {
      metadata: { name: 'd.example.com' },
      spec: { tokenRequests: [{ audience: 'driver' }], volumeLifecycleModes: ['Ephemeral', 'Persistent'] },
    });
    for (const n of ['n1', 'n2']) {
      await make('/api/v1/nodes', { metadata: { name: n, uid: n } });
      for (const kind of ['s', 'stage', 'publish'])
        await make(`${core}/secrets`, { metadata: { name: `${kind}-${n}` } });
      await make(`${core}/configmaps`, { metadata: { name: `c-${n}` } });
      await make(`${core}/persistentvolumeclaims`, claim(n));
      await make('/api/v1/persistentvolumes', volume(n));
      const more = { volumes: volumesOf(n), serviceAccountName: n === 'n1' ? 'default' : 'other' };
      await make(`${core}/pods`, pod(`p-${n}`, n, more));
      await make(`${leases}/kube-node-lease/leases`, { metadata: { name: n } });
      await make(`${storage}/csinodes`, { metadata: { name: n }, spec: { drivers: [] } });
      await make(`${storage}/volumeattachments`, {
        metadata: { name: `at-${n}` },
        spec: { attacher: 'd.example.com', nodeName: n, source: { persistentVolumeName: `pv-${n}` } },
      });
      await make(`${devices}/resourceslices`, slice(`sl-${n}`, { nodeName: n }));
      await make(`${devices}/namespaces/default/resourceclaims`, { metadata: { name: `rc-${n}` }, spec: {} });
    }
    await make(`${devices}/resourceslices`, slice('sl-all', { allNodes: true }));
    await make(`${leases}/default/leases`, { metadata: { name: 'n1' } });
  }
  // The other server's authorizer learns of them by its informers.
  await delay(3000);
});
after(() => two.close());

/** The same code from both, and where somebody may not, the same reason; upstream's may go on with what it compared. */
async function compare(all: readonly Asked[]): Promise<void> {
  const differences: string[] = [];
  for (const asked of all) {
    const [own, other] = [await two.ask(two.urls[0], asked), await two.ask(two.urls[1], asked)];
    const isSame = own.code === other.code && (own.code !== 403 || reasonOf(other).startsWith(reasonOf(own)));
    const said = [own, other].map(
      (answer) => `\n  ${answer.code} ${answer.code < 300 ? '' : reasonOf(answer)}`,
    );
    if (!isSame)
      differences.push(`${asked.method} ${asked.path} ${JSON.stringify(asked.body)}${said.join('')}`);
  }
  assert.equal(differences.length, 0, differences.join('\n\n'));
}

/** Without what each server chose. */
function reasonOf({ text }: Answered): string {
  const { message } = JSON.parse(text) as { message: string };
  return message.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID');
}

const get = (path: string) => asKubelet('GET', path);

test('reads of everything, by name, by list and by selectors', () => {
  const named = (path: string, names: readonly string[]) =>
    names.flatMap((name) => [
      get(`${path}/${name}`),
      get(`${path}?fieldSelector=metadata.name%3D${name}`),
      get(`${path}?fieldSelector=metadata.name%3D%3D${name}`),
      get(`${path}?fieldSelector=metadata.name%21%3D${name}`),
      get(`${path}?fieldSelector=metadata.name%3D${name},metadata.name%3Ds-n2`),
      get(`${path}?fieldSelector=metadata.name%3D${name}&fieldSelector=`),
      get(`${path}?fieldSelector=&fieldSelector=metadata.name%3D${name}`),
    ]);
  return compare([
    ...named(`${core}/secrets`, ['s-n1', 's-n2', 'stage-n1', 'stage-n2', 'publish-n1', 'none']),
    ...named(`${core}/configmaps`, ['c-n1', 'c-n2']),
    ...named(`${core}/serviceaccounts`, ['default', 'other']),
    ...named(`${core}/persistentvolumeclaims`, ['v-n1', 'v-n2']),
    ...named(`${core}/pods`, ['p-n1', 'p-n2']),
    ...named('/api/v1/nodes', ['n1', 'n2']),
    ...named('/api/v1/persistentvolumes', ['pv-n1', 'pv-n2']),
    ...named(`${storage}/volumeattachments`, ['at-n1', 'at-n2']),
    ...named(`${storage}/csinodes`, ['n1', 'n2']),
    ...named(`${leases}/kube-node-lease/leases`, ['n1', 'n2']),
    ...named(`${leases}/default/leases`, ['n1', 'n2']),
    ...named(`${devices}/resourceslices`, ['sl-n1', 'sl-n2', 'sl-all']),
    ...named(`${devices}/namespaces/default/resourceclaims`, ['rc-n1']),
    get('/api/v1/namespaces'),
    get('/api/v1/nodes'),
    ...['pods', 'secrets', 'configmaps', 'services', 'endpoints', 'events'].flatMap((plural) => [
      get(`/api/v1/${plural}`),
      get(`/api/v1/namespaces/default/${plural}`),
    ]),
    ...['', '0', '1'].flatMap((resourceVersion) => [
      get(`/api/v1/pods?fieldSelector=spec.nodeName%3Dn1&resourceVersion=${resourceVersion}`),
    ]),
    get('/api/v1/pods?fieldSelector=spec.nodeName%3Dn2'),
    get('/api/v1/pods?fieldSelector=spec.nodeName%21%3Dn2'),
    get('/api/v1/pods?fieldSelector=spec.nodeName%3Dn1%2Cspec.nodeName%3Dn2'),
    get('/api/v1/pods?fieldSelector=spec.nodeName%3Dn1&fieldSelector='),
    get('/api/v1/pods?fieldSelector=&fieldSelector=spec.nodeName%3Dn1'),
    get('/api/v1/pods?fieldSelector=spec.nodeName%3Dn2&fieldSelector=spec.nodeName%3Dn1'),
    get('/api/v1/pods?fieldSelector=spec.nodeName%3Dn1&fieldSelector=spec.nodeName%3Dn2'),
    get('/api/v1/pods?FieldSelector=spec.nodeName%3Dn1'),
    get('/api/v1/pods?fieldSelector=spec.host%3Dn1'),
    get('/api/v1/pods?fieldSelector=spec.nodeName%3Dn1%2Cx'),
    get('/api/v1/pods?fieldSelector=spec.nodeName%3Dn1%5C%2C'),
    get(`${devices}/resourceslices?fieldSelector=spec.nodeName%3Dn1`),
    get(`${devices}/resourceslices?fieldSelector=spec.nodeName%3Dn2`),
    get(`${devices}/resourceslices?fieldSelector=spec.nodeName%3Dn1,spec.nodeName%3Dn2`),
    get('/api/v1/watch/pods'),
    get('/api/v1/watch/nodes/n2'),
    get('/api/v1/watch/namespaces/default/secrets/s-n2'),
    get('/api/v1/watch/namespaces/default/secrets?fieldSelector=metadata.name%3Ds-n2'),
    ...[
      'log',
      'exec?command=a',
      'attach',
      'portforward',
      'proxy',
      'proxy/x',
      'status',
      'ephemeralcontainers',
      'binding',
      'resize',
      'eviction',
    ].map((what) => get(`${core}/pods/p-n1/${what}`)),
    ...['proxy', 'proxy/pods', 'status'].map((what) => get(`/api/v1/nodes/n1/${what}`)),
    ...['storageclasses', 'csidrivers', 'csistoragecapacities'].map((what) => get(`${storage}/${what}`)),
    get('/apis/rbac.authorization.k8s.io/v1/clusterroles'),
    get('/apis/node.k8s.io/v1/runtimeclasses'),
    get('/apis/certificates.k8s.io/v1/certificatesigningrequests'),
    get('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations'),
    get('/apis/discovery.k8s.io/v1/endpointslices'),
    get('/metrics'),
    get('/logs/'),
    get('/debug/pprof/'),
    get('/flagz'),
    get('/statusz'),
  ]);
});

const mirrorOwner = { apiVersion: 'v1', kind: 'Node', name: 'n1', uid: 'n1', controller: true };
const mirror = (name: string, more: object = {}, metadata: object = {}) => ({
  metadata: {
    ...{ name, annotations: { 'kubernetes.io/config.mirror': 'x' }, ownerReferences: [mirrorOwner] },
    ...metadata,
  },
  spec: { nodeName: 'n1', containers: [container], ...more },
});

test('writes of pods: mirror pods, statuses, evictions, deletions', async () => {
  const pods = `${core}/pods`;
  const make = (body: object, query = '?dryRun=All') => asKubelet('POST', `${pods}${query}`, body);
  const status = (name: string, value: unknown, type = strategic) =>
    asKubelet('PATCH', `${pods}/${name}/status`, value, type);
  await compare([
    make(pod('x', 'n1')),
    make(mirror('m')),
    make(mirror('m', { nodeName: 'n2' })),
    make(mirror('m', { nodeName: '' })),
    make(mirror('m', {}, { ownerReferences: [] })),
    make(mirror('m', {}, { ownerReferences: [mirrorOwner, mirrorOwner] })),
    make(mirror('m', {}, { ownerReferences: [{ ...mirrorOwner, name: 'n2' }] })),
    make(mirror('m', {}, { ownerReferences: [{ ...mirrorOwner, controller: false }] })),
    make(mirror('m', {}, { ownerReferences: [{ ...mirrorOwner, blockOwnerDeletion: true }] })),
    asKubelet('PUT', `${pods}/p-n1`, pod('p-n1', 'n1')),
    asKubelet('PATCH', `${pods}/p-n1`, { metadata: { labels: { a: 'b' } } }, merge),
    asKubelet('PATCH', `${pods}/p-n1`, { apiVersion: 'v1', kind: 'Pod' }, applied),
    asKubelet('PATCH', `${pods}/p-n1/ephemeralcontainers`, {}, merge),
    asKubelet('PATCH', `${pods}/p-n1/resize`, {}, merge),
    asKubelet('POST', `${pods}/p-n1/binding`, { target: { kind: 'Node', name: 'n1' } }),
    asKubelet('POST', `${core}/bindings`, {
      metadata: { name: 'p-n1' },
      target: { kind: 'Node', name: 'n1' },
    }),
    asKubelet('POST', `${pods}/p-n2/binding`, { target: { kind: 'Node', name: 'n1' } }),
    status('p-n2', { status: { podIP: '10.0.0.1' } }),
    status('p-n1', { metadata: { labels: { a: 'b' } } }),
    status('p-n1', { metadata: { annotations: { a: 'b' } } }),
    status('p-n1', { metadata: { finalizers: ['a.example.com/b'] } }),
    status('p-n1', { metadata: { finalizers: null } }, merge),
    status('p-n1', {
      metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n2', uid: 'n2' }] },
    }),
    status('p-n1', { spec: { nodeName: 'n2' } }),
    status('p-n1', { status: { resourceClaimStatuses: [{ name: 'a', resourceClaimName: 'rc-n1' }] } }),
    status('p-n1', {
      status: { extendedResourceClaimStatus: { resourceClaimName: 'rc-n1', requestMappings: [] } },
    }),
    ...[
      '127.0.0.1',
      '169.254.169.254',
      '0.0.0.0',
      '::1',
      '::ffff:127.0.0.1',
      '010.0.0.1',
      'x',
      '',
      '10.0.0.1/8',
      '224.0.0.1',
    ].flatMap((ip) => [
      status('p-n1', { status: { podIP: ip, podIPs: [{ ip }] } }, merge),
      status('p-n1', { status: { hostIP: ip, hostIPs: [{ ip }] } }, merge),
    ]),
    status('p-n1', { status: { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.2' }] } }, merge),
    status(
      'p-n1',
      { status: { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }] } },
      merge,
    ),
    status(
      'p-n1',
      { status: { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }, { ip: 'fd00::2' }] } },
      merge,
    ),
    status('p-n1', { status: { phase: 'Nonsense', qosClass: 'Guaranteed' } }, merge),
    status('p-n1', { status: { nominatedNodeName: 'n2' } }, merge),
    status(
      'p-n1',
      {
        status: {
          containerStatuses: [
            {
              name: 'stranger',
              ready: true,
              restartCount: -1,
              image: '',
              imageID: '',
              containerID: 'x://../..',
            },
          ],
        },
      },
      merge,
    ),
    status(
      'p-n1',
      {
        status: {
          conditions: [
            { type: 'Ready', status: 'Perhaps' },
            { type: 'Ready', status: 'True' },
          ],
        },
      },
      merge,
    ),
    asKubelet('POST', `${pods}/p-n2/eviction?dryRun=All`, { metadata: { name: 'p-n2' } }),
    asKubelet('POST', `${pods}/p-n1/eviction?dryRun=All`, { metadata: { name: 'p-n2' } }),
    asKubelet('POST', `${pods}/none/eviction?dryRun=All`, { metadata: { name: 'none' } }),
    asKubelet('DELETE', `${pods}/p-n2?dryRun=All`),
    asKubelet('DELETE', `${pods}/p-n1?dryRun=All`),
    asKubelet('DELETE', `${pods}/none`),
    asKubelet('DELETE', pods),
    asKubelet('DELETE', `${pods}?fieldSelector=spec.nodeName%3Dn1`),
  ]);
});

test('writes of nodes, their leases and drivers', () => {
  const node = '/api/v1/nodes';
  const label = (key: string, on = 'n1', sub = '') =>
    asKubelet('PATCH', `${node}/${on}${sub}?dryRun=All`, { metadata: { labels: { [key]: 'x' } } }, merge);
  const labels = [
    ...[
      'a',
      'kubernetes.io/hostname',
      'node-restriction.kubernetes.io/a',
      'a.node-restriction.kubernetes.io/a',
    ],
    ...[
      'node-role.kubernetes.io/control-plane',
      'kubernetes.io/arch',
      'topology.kubernetes.io/zone',
      'k8s.io/x',
    ],
    ...[
      'node.kubernetes.io/x',
      'kubelet.kubernetes.io/x',
      'a.kubelet.kubernetes.io/x',
      'a.node.kubernetes.io/x',
    ],
    ...['x.k8s.io/a', 'failure-domain.beta.kubernetes.io/zone', 'node.kubernetes.io/instance-type'],
    ...[
      'NODE-RESTRICTION.kubernetes.io/a',
      'akubernetes.io/x',
      'beta.kubernetes.io/os',
      'node.kubernetes.io/windows-build',
    ],
  ];
  const lease = `${leases}/kube-node-lease/leases`;
  const one = (name: string) => ({ metadata: { name } });
  return compare([
    ...labels.flatMap((key) => [label(key), label(key, 'n1', '/status'), label(key, 'n2')]),
    ...labels.map((key) =>
      asKubelet('POST', `${node}?dryRun=All`, { metadata: { name: 'n1', labels: { [key]: 'x' } } }),
    ),
    asKubelet('POST', `${node}?dryRun=All`, one('n3')),
    asKubelet('POST', `${node}?dryRun=All`, { metadata: { name: 'n1', generateName: 'n' } }),
    asKubelet('DELETE', `${node}/n1`),
    asKubelet('DELETE', node),
    asKubelet(
      'PATCH',
      `${node}/n1?dryRun=All`,
      { spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } },
      merge,
    ),
    asKubelet('PATCH', `${node}/n1?dryRun=All`, { spec: { unschedulable: true } }, merge),
    asKubelet(
      'PATCH',
      `${node}/n1/status?dryRun=All`,
      { spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } },
      merge,
    ),
    asKubelet(
      'PATCH',
      `${node}/n1?dryRun=All`,
      {
        spec: { configSource: { configMap: { namespace: 'a', name: 'b', uid: 'c', kubeletConfigKey: 'd' } } },
      },
      merge,
    ),
    asKubelet(
      'PATCH',
      `${node}/n1?dryRun=All`,
      { spec: { podCIDR: '10.1.0.0/24', podCIDRs: ['10.1.0.0/24'] } },
      merge,
    ),
    asKubelet('PATCH', `${node}/n1?dryRun=All`, { spec: { providerID: 'x://y' } }, merge),
    asKubelet(
      'PATCH',
      `${node}/n1?dryRun=All`,
      { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'x', uid: 'y' }] } },
      merge,
    ),
    asKubelet(
      'PATCH',
      `${node}/n1/status?dryRun=All`,
      { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'x', uid: 'y' }] } },
      merge,
    ),
    asKubelet(
      'PATCH',
      `${node}/n1/status?dryRun=All`,
      { metadata: { finalizers: ['a.example.com/b'] } },
      merge,
    ),
    asKubelet(
      'PATCH',
      `${node}/n1?dryRun=All`,
      { metadata: { finalizers: ['a.example.com/b'], annotations: { a: 'b' } } },
      merge,
    ),
    asKubelet('PATCH', `${node}/n2/status?dryRun=All`, { status: {} }, merge),
    asKubelet('PATCH', `${node}/n1/proxy`, {}, merge),
    ...[
      {
        addresses: [
          { type: 'InternalIP', address: '127.0.0.1' },
          { type: 'InternalIP', address: '127.0.0.1' },
        ],
      },
      { addresses: [{ type: 'Nonsense', address: '../../x' }] },
      { daemonEndpoints: { kubeletEndpoint: { Port: -1 } } },
      { daemonEndpoints: { kubeletEndpoint: { Port: 65536 } } },
      { capacity: { cpu: '-1' } },
      { capacity: { 'a b': '1' } },
      { capacity: { cpu: '1', 'example.com/gpu': '1500m' }, allocatable: { 'example.com/gpu': '1' } },
      { volumesAttached: [{ name: '../x', devicePath: '/../x' }], volumesInUse: ['x'] },
      { images: [{ names: ['x'], sizeBytes: -1 }] },
      { phase: 'Nonsense' },
      {
        conditions: [
          { type: 'Ready', status: 'x' },
          { type: 'Ready', status: 'y' },
        ],
      },
      { features: {}, runtimeHandlers: [{ name: '..' }], declaredFeatures: ['b', 'a'] },
    ].map((status) => asKubelet('PATCH', `${node}/n1/status?dryRun=All`, { status }, merge)),
    asKubelet('POST', `${lease}?dryRun=All`, one('n1')),
    asKubelet('POST', `${lease}?dryRun=All`, one('n3')),
    asKubelet('POST', `${leases}/default/leases?dryRun=All`, one('n1')),
    asKubelet('PATCH', `${lease}/n2?dryRun=All`, { spec: { leaseDurationSeconds: 1 } }, merge),
    asKubelet('PATCH', `${lease}/n1?dryRun=All`, { spec: { leaseDurationSeconds: 1 } }, merge),
    asKubelet('DELETE', `${lease}/n2?dryRun=All`),
    asKubelet('DELETE', lease),
    asKubelet('POST', `${storage}/csinodes?dryRun=All`, { ...one('n3'), spec: { drivers: [] } }),
    asKubelet('PATCH', `${storage}/csinodes/n2?dryRun=All`, { metadata: { labels: { a: 'b' } } }, merge),
    asKubelet('PATCH', `${storage}/csinodes/n1?dryRun=All`, { metadata: { labels: { a: 'b' } } }, merge),
    asKubelet(
      'PATCH',
      `${storage}/csinodes/n4?dryRun=All`,
      { apiVersion: 'storage.k8s.io/v1', kind: 'CSINode', spec: { drivers: [] } },
      applied,
    ),
    asKubelet(
      'PATCH',
      `${lease}/n4?dryRun=All`,
      { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' },
      applied,
    ),
    asKubelet('PATCH', `${node}/n4?dryRun=All`, { apiVersion: 'v1', kind: 'Node' }, applied),
    asKubelet('PUT', `${lease}/n4?dryRun=All`, one('n4')),
    asKubelet(
      'PATCH',
      `${storage}/volumeattachments/at-n1/status?dryRun=All`,
      { status: { attached: true } },
      merge,
    ),
    asKubelet('POST', `${storage}/volumeattachments?dryRun=All`, {
      ...one('x'),
      spec: { attacher: 'a', nodeName: 'n1', source: { persistentVolumeName: 'pv-n2' } },
    }),
  ]);
});

test('writes of claims, slices, accounts, requests and events', () => {
  const token = (account: string, spec: object) =>
    asKubelet('POST', `${core}/serviceaccounts/${account}/token?dryRun=All`, { spec });
  const bound = (name: string, more: object = {}) => ({
    boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, uid: 'x', ...more },
  });
  const claims = `${core}/persistentvolumeclaims`;
  const claimStatus = (name: string, body: object) =>
    asKubelet('PATCH', `${claims}/${name}/status?dryRun=All`, body, merge);
  const slices = `${devices}/resourceslices`;
  const review = (group: string, plural: string, body: object) =>
    asKubelet('POST', `/apis/${group}/v1/${plural}`, body);
  return compare([
    claimStatus('v-n1', { status: { capacity: { storage: '2Gi' } } }),
    claimStatus('v-n1', { status: { phase: 'Bound' } }),
    claimStatus('v-n1', { status: { accessModes: ['ReadOnlyMany'] } }),
    claimStatus('v-n1', { status: { modifyVolumeStatus: { status: 'Pending' } } }),
    claimStatus('v-n1', { metadata: { labels: { a: 'b' } } }),
    claimStatus('v-n1', { metadata: { finalizers: null } }),
    claimStatus('v-n1', { metadata: { annotations: { a: 'b' } } }),
    claimStatus('v-n2', { status: { capacity: { storage: '2Gi' } } }),
    asKubelet(
      'PATCH',
      `${claims}/v-n1?dryRun=All`,
      { spec: { resources: { requests: { storage: '3Gi' } } } },
      merge,
    ),
    asKubelet('POST', `${claims}?dryRun=All`, claim('x')),
    asKubelet('DELETE', `${claims}/v-n1?dryRun=All`),
    token('default', {}),
    token('default', bound('p-n1')),
    token('default', bound('p-n1', { uid: '' })),
    token('default', bound('p-n2')),
    token('other', bound('p-n2')),
    token('default', bound('n1', { kind: 'Node' })),
    token('default', bound('s-n1', { kind: 'Secret' })),
    token('default', bound('p-n1', { apiVersion: '' })),
    token('default', bound('none')),
    token('default', { audiences: ['a-n1'] }),
    asKubelet('POST', `${core}/serviceaccounts?dryRun=All`, { metadata: { name: 'x' } }),
    asKubelet('PATCH', `${core}/serviceaccounts/default?dryRun=All`, {}, merge),
    asKubelet('POST', `${slices}?dryRun=All`, slice('x', { nodeName: 'n1' })),
    asKubelet('POST', `${slices}?dryRun=All`, slice('x', { nodeName: 'n2' })),
    asKubelet('POST', `${slices}?dryRun=All`, slice('x', { allNodes: true })),
    asKubelet(
      'POST',
      `${slices}?dryRun=All`,
      slice('x', {
        nodeSelector: {
          nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }] }],
        },
      }),
    ),
    asKubelet('PATCH', `${slices}/sl-n1?dryRun=All`, { spec: { nodeName: 'n2' } }, merge),
    asKubelet('PATCH', `${slices}/sl-n1?dryRun=All`, { spec: { nodeName: null, allNodes: true } }, merge),
    asKubelet('PATCH', `${slices}/sl-n1?dryRun=All`, { spec: { driver: 'other.example.com' } }, merge),
    asKubelet('PATCH', `${slices}/sl-n1?dryRun=All`, { spec: { pool: { name: 'q' } } }, merge),
    asKubelet('PATCH', `${slices}/sl-n2?dryRun=All`, { metadata: { labels: { a: 'b' } } }, merge),
    asKubelet('PATCH', `${slices}/sl-all?dryRun=All`, { metadata: { labels: { a: 'b' } } }, merge),
    asKubelet(
      'PATCH',
      `${slices}/sl-x?dryRun=All`,
      { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceSlice', ...slice('sl-x', { nodeName: 'n1' }) },
      applied,
    ),
    asKubelet('DELETE', `${slices}/sl-n2?dryRun=All`),
    asKubelet('DELETE', `${slices}?dryRun=All`),
    asKubelet('DELETE', `${slices}?dryRun=All&fieldSelector=spec.nodeName%3Dn1`),
    asKubelet('DELETE', `${slices}?dryRun=All&fieldSelector=spec.nodeName%3Dn2`),
    asKubelet('PATCH', `${devices}/namespaces/default/resourceclaims/rc-n1/status?dryRun=All`, {}, merge),
    asKubelet('POST', '/apis/certificates.k8s.io/v1/certificatesigningrequests?dryRun=All', {
      metadata: { name: 'x' },
      spec: { signerName: 'kubernetes.io/kubelet-serving', request: 'eA==', usages: ['server auth'] },
    }),
    asKubelet('PATCH', '/apis/certificates.k8s.io/v1/certificatesigningrequests/x/approval', {}, merge),
    asKubelet('POST', '/apis/certificates.k8s.io/v1beta1/namespaces/default/podcertificaterequests', {}),
    asKubelet('POST', `${core}/secrets`, { metadata: { name: 'x' } }),
    asKubelet('PUT', `${core}/secrets/s-n1`, { metadata: { name: 's-n1' } }),
    asKubelet('DELETE', `${core}/secrets/s-n1`),
    asKubelet('POST', `${core}/endpoints`, { metadata: { name: 'x' } }),
    asKubelet('PATCH', `${core}/services/kubernetes`, {}, merge),
    asKubelet('POST', '/api/v1/namespaces', { metadata: { name: 'x' } }),
    asKubelet('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', { metadata: { name: 'x' } }),
    asKubelet('DELETE', `${core}/events`),
    review('authorization.k8s.io', 'subjectaccessreviews', {
      spec: { user: 'x', resourceAttributes: { verb: 'get', resource: 'pods' } },
    }),
    review('authentication.k8s.io', 'tokenreviews', { spec: { token: 'x' } }),
    review('authorization.k8s.io', 'selfsubjectrulesreviews', { spec: { namespace: 'default' } }),
    ...['users', 'groups', 'serviceaccounts', 'uids', 'userextras/x'].map((resource) =>
      review('authorization.k8s.io', 'selfsubjectaccessreviews', {
        spec: {
          resourceAttributes: {
            verb: 'impersonate',
            resource: resource.split('/')[0],
            subresource: resource.split('/')[1] ?? '',
            name: 'x',
          },
        },
      }),
    ),
  ]);
});

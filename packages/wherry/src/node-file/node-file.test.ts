import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { writeMirrors } from './mirrors.ts';
import { readNodeFile } from './node-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'wherry-node-file-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const head = 'apiVersion: wherry/v1alpha1\nkind: Node\n';

function read(text: string) {
  const path = join(folder, 'node.yaml');
  writeFileSync(path, text);
  return readNodeFile(path);
}

test('every field is read, and paths are those of the folder of the file', () => {
  const [node] = read(`${head}
name: one
dataDir: ./one
ports: {api: 6443, kubelet: 0}
runtimeConfig: {apps/v1: true}
oidc: {issuerUrl: "https://id.example.com", clientId: k8s, caFile: id.crt, groupsClaim: groups, requiredClaims: {hd: example.com}}
apiserverFlags: {event-ttl: 10m, anonymous-auth: false, audit-policy-file: audit.yaml, authorization-mode: [Node, RBAC]}
controllersFlags: {leader-elect: true}
loadBalancer: false
mirrors: {docker.io: [https://mirror.example.com]}
runtimeHandlers: {crun: /usr/bin/crun}
nriSocket: nri.sock
restoreCheckpointImages: true
proxy: {https: "http://proxy:3128", noProxy: [localhost, 10.0.0.0/8]}
tracing: {endpoint: "collector:4317", samplingRatePerMillion: 100}
kubelet: {maxPods: 20}
cni: {confDir: net.d, binDirs: [/opt/cni/bin, plugins]}
images: [busybox, ./app.tar]
manifests: [pods.yaml]
`);
  assert.deepEqual(node, {
    dataDir: join(folder, 'one'),
    name: 'one',
    apiPort: 6443,
    kubeletPort: 0,
    runtimeConfig: { 'apps/v1': true },
    oidc: {
      ...{ issuerUrl: 'https://id.example.com', clientId: 'k8s', caFile: join(folder, 'id.crt') },
      ...{ groupsClaim: 'groups', requiredClaims: { hd: 'example.com' } },
    },
    apiserverFlags: {
      ...{ 'event-ttl': ['10m'], 'anonymous-auth': ['false'] },
      ...{ 'audit-policy-file': [join(folder, 'audit.yaml')], 'authorization-mode': ['Node', 'RBAC'] },
    },
    controllersFlags: { 'leader-elect': ['true'] },
    loadBalancer: false,
    registryConfig: undefined,
    mirrors: { 'docker.io': ['https://mirror.example.com'] },
    runtimeHandlers: { crun: '/usr/bin/crun' },
    nriSocket: join(folder, 'nri.sock'),
    restoreCheckpointImages: true,
    tracing: { endpoint: 'collector:4317', samplingRatePerMillion: 100 },
    proxy: { httpProxy: undefined, httpsProxy: 'http://proxy:3128', noProxy: 'localhost,10.0.0.0/8' },
    kubelet: { maxPods: 20 },
    cni: { confDir: join(folder, 'net.d'), binDirs: ['/opt/cni/bin', join(folder, 'plugins')] },
    images: ['busybox', './app.tar'],
    manifests: [join(folder, 'pods.yaml')],
    nodes: [],
  });
});

test('further nodes have what the document says, unless they say it themselves', () => {
  const [first] = read(`${head}
dataDir: one
registryConfig: hosts
tracing: {samplingRatePerMillion: 7}
runtimeHandlers: {crun: crun}
nriSocket: /run/one.sock
restoreCheckpointImages: true
kubelet: {maxPods: 20, imageGCLowThresholdPercent: 70}
images: [busybox]
nodes:
  - name: two
  - {name: three, ports: {kubelet: 0}, kubelet: {maxPods: 5}, mirrors: {docker.io: []}, images: [./app.tar]}
`);
  const kubelet = { maxPods: 20, imageGCLowThresholdPercent: 70 };
  const tracing = { endpoint: undefined, samplingRatePerMillion: 7 };
  const runtimeHandlers = { crun: 'crun' };
  const nriSocket = undefined;
  const usual = {
    runtimeHandlers,
    nriSocket,
    restoreCheckpointImages: true,
    mirrors: undefined,
    proxy: undefined,
    kubeletPort: undefined,
    tracing,
  };
  assert.deepEqual(first?.nodes, [
    { ...usual, name: 'two', kubelet, registryConfig: join(folder, 'hosts'), images: ['busybox'] },
    {
      ...{ ...usual, name: 'three', kubeletPort: 0, kubelet: { ...kubelet, maxPods: 5 } },
      ...{ registryConfig: undefined, mirrors: { 'docker.io': [] }, images: ['busybox', './app.tar'] },
    },
  ]);
});

test('the files that documents show are read', () => {
  for (const document of ['docs/running.md', 'packages/wherry/README.md']) {
    const text = readFileSync(new URL(`../../../../${document}`, import.meta.url), 'utf8');
    const shown = [...text.matchAll(/^```yaml\n(apiVersion: wherry\/.*?)^```/gms)];
    assert.ok(shown.length > 0, document);
    for (const [, yaml = ''] of shown) assert.ok(read(yaml)[0]?.name, document);
  }
});

test('what is wrong is refused with its line', () => {
  for (const [text, message] of [
    ['name: x\n', /node\.yaml:1: apiVersion is not set; it is wherry\/v1alpha1/],
    ['apiVersion: wherry/v1\nkind: Node\n', /node\.yaml:1: apiVersion is wherry\/v1alpha1, not "wherry\/v1"/],
    [`${head}color: red\n`, /node\.yaml:3: unknown field "color"; known are/],
    [`${head}ports:\n  api: 99999\n`, /node\.yaml:4: ports\.api must be a whole number from 0 to 65535/],
    [`${head}ports: {etcd: 1}\n`, /node\.yaml:3: unknown field "ports\.etcd"; known are api, kubelet/],
    [`${head}name: Bad_Name\n`, /node\.yaml:3: name "Bad_Name": a node name has/],
    [`${head}runtimeConfig: {apps/v1: yes please}\n`, /runtimeConfig\.apps\/v1 must be true or false/],
    [`${head}proxy: {http: proxy:3128}\n`, /"proxy:3128" is no URL/],
    [
      `${head}tracing: {endpoint: "https://x"}\n`,
      /node\.yaml:3: tracing: endpoint: "https:\/\/x" has the scheme https/,
    ],
    [
      `${head}nriSocket: /run/a\nnodes: [{name: a, nriSocket: /run/a}]\n`,
      /two nodes have the nriSocket "\/run\/a"; each needs one of its own/,
    ],
    [`${head}nodes: [{}]\n`, /node\.yaml:3: name is not set; each node of a cluster has one of its own/],
    [`${head}nodes: [{name: a}, {name: a}]\n`, /node\.yaml:3: two nodes of the cluster are called "a"/],
    [`${head}name: a\nnodes: [{name: a}]\n`, /node\.yaml:4: two nodes of the cluster are called "a"/],
    [`${head}nodes: [{name: ../a}]\n`, /node\.yaml:3: nodes\[0\]\.name "\.\.\/a": a node name has/],
    [`${head}nodes: [{role: worker}]\n`, /nodes\[0\]\.role: the document is the node with the API server/],
    [
      `${head}nodes: [{name: a, ports: {api: 1}}]\n`,
      /nodes\[0\]\.ports\.api: the API server is that of the first/,
    ],
    [`${head}cni: {confDir: a}\nnodes: [{name: b}]\n`, /node\.yaml:4: nodes of one cluster .* not CNI/],
    [`${head}cni: {binDirs: [a]}\n`, /node\.yaml:3: cni: confDir is not set/],
    [`${head}oidc: {clientId: k8s}\n`, /node\.yaml:3: oidc: issuerUrl is not set/],
    [
      `${head}apiserverFlags:\n  event-ttl: 10m\n  etcd-servers: http://etcd\n`,
      /node\.yaml:5: --etcd-servers can't be set: a node keeps its objects in its own folder/,
    ],
    [`${head}controllersFlags: {leader-elect: perhaps}\n`, /node\.yaml:3: .*leader-elect/],
    [`${head}nodes: [{apiserverFlags: {}}]\n`, /nodes\[0\]\.apiserverFlags: it is about the API server/],
    [`${head}images: busybox\n`, /node\.yaml:3: images must be a list/],
    [`${head}registryConfig: a\nmirrors: {b: []}\n`, /node\.yaml:4: mirrors and registryConfig exclude/],
    [`${head}a: [\n`, /node\.yaml:\d: Flow sequence/],
    ['', /the file holds no node/],
    [`${head}---\n${head}`, /two nodes live in "\/var\/lib\/wherry"/],
    [`${head}__proto__: {x: 1}\n`, /unknown field "__proto__"/],
  ] as const) {
    assert.throws(() => read(text), { name: 'CommandError', message }, text);
  }
});

test('mirrors are written as containerd reads them, and a host is no path', () => {
  const written = writeMirrors(join(folder, 'data'), {
    'docker.io': ['https://mirror.example.com', 'http://localhost:5000'],
    'example.com:5000': ['https://other'],
  });
  assert.equal(
    readFileSync(join(written, 'docker.io/hosts.toml'), 'utf8'),
    [
      'server = "https://registry-1.docker.io"\n',
      '[host."https://mirror.example.com"]\n  capabilities = ["pull", "resolve"]\n',
      '[host."http://localhost:5000"]\n  capabilities = ["pull", "resolve"]\n',
    ].join('\n'),
  );
  assert.match(
    readFileSync(join(written, 'example.com_5000_/hosts.toml'), 'utf8'),
    /^server = "https:\/\/example\.com:5000"/,
  );
  assert.throws(() => writeMirrors(join(folder, 'data'), { '../../etc': [] }), /is no registry/);
});

import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { connect } from 'node:tls';
import { kinds, loadClusterAccess } from '@wherry/client';
import { type Clock, systemClock } from '@wherry/clock';
import { type Kubelet, startKubelet } from '@wherry/kubelet';
import { MetricsRegistry, silentLogger } from '@wherry/telemetry';
import { eventually, TestCluster } from '../packages/controllers/test/cluster.ts';
import { MemoryRuntime } from '../packages/kubelet/test/memory-runtime.ts';

const nodeName = 'joiner';
const token = { id: 'abcdef', secret: '0123456789abcdef' };
const rbac = 'rbac.authorization.k8s.io';

describe('a kubelet that has nothing but a bootstrap token', { concurrency: false }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-joining-'));
  const at = (name: string) => join(folder, name);
  const current = at('pki/kubelet-client-current.pem');
  let aheadMs = 0;
  const clock: Clock = { ...systemClock, nowMs: () => systemClock.nowMs() + aheadMs };
  let cluster: TestCluster;
  let runtime: MemoryRuntime;
  let kubelet: Kubelet;
  let metrics: MetricsRegistry;

  const requests = () => cluster.client.resource(kinds.certificateSigningRequests);
  const start = async () => {
    metrics = new MetricsRegistry();
    kubelet = await startKubelet({
      ...{ kubeconfig: at('kubeconfig'), bootstrapKubeconfig: at('bootstrap.kubeconfig') },
      ...{ rootDir: at('root'), certDir: at('pki'), hostnameOverride: nodeName, nodeIp: '192.0.2.1' },
      ...{ clock, metrics, logger: silentLogger, configDir: at('conf.d') },
      configuration: {
        ...{
          address: '127.0.0.1',
          port: 0,
          healthzPort: 0,
          serverTLSBootstrap: true,
          nodeLeaseDurationSeconds: 4,
        },
        ...{ containerRuntimeEndpoint: `unix://${at('cri.sock')}`, podLogsDir: at('logs'), resolvConf: '' },
        ...{ cgroupDriver: 'systemd', failSwapOn: false, failCgroupV1: false, evictionHard: {} },
        authentication: { x509: { clientCAFile: at('client-ca.crt') } },
      },
    });
  };
  /** Binds a cluster role to a group. */
  const bind = (role: string, group: string) =>
    cluster.create(
      kinds.clusterRoleBindings,
      `${group}-${role}`.replaceAll(':', '-'),
      {},
      {
        roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: role },
        subjects: [{ apiGroup: rbac, kind: 'Group', name: group }],
      },
    );
  /** The certificate that the kubelet's server shows; undefined as long as it has none. */
  const shown = () =>
    new Promise<X509Certificate | undefined>((resolve) => {
      const socket = connect({ port: kubelet.port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
        resolve(socket.getPeerX509Certificate());
        socket.destroy();
      });
      socket.on('error', () => resolve(undefined));
    });
  const find = async (signer: string) =>
    (await requests().list()).items.filter(({ spec }) => spec.signerName === `kubernetes.io/${signer}`);

  before(async () => {
    cluster = await TestCluster.startServer({ enableBootstrapTokenAuth: true });
    const { authority, apiserver } = cluster.server;
    writeFileSync(at('ca.crt'), authority.cert);
    writeFileSync(at('ca.key'), await authority.exportKey());
    writeFileSync(at('client-ca.crt'), authority.cert);
    const files = { certFile: at('ca.crt'), keyFile: at('ca.key') };
    const signers = ['kubelet-serving', 'kube-apiserver-client-kubelet'].map(
      (name) => `kubernetes.io/${name}`,
    );
    const authorities = Object.fromEntries(signers.map((name) => [name, files]));
    cluster.keys = { signing: { authorities, lifetimeMs: 600_000 } };
    cluster.startControllers();
    await bind('system:node-bootstrapper', 'system:bootstrappers');
    const mayGet = 'system:certificates.k8s.io:certificatesigningrequests';
    await bind(`${mayGet}:nodeclient`, 'system:bootstrappers');
    await bind(`${mayGet}:selfnodeclient`, 'system:nodes');
    await cluster.create(
      kinds.secrets,
      `bootstrap-token-${token.id}`,
      { namespace: 'kube-system' },
      {
        type: 'bootstrap.kubernetes.io/token',
        stringData: {
          'token-id': token.id,
          'token-secret': token.secret,
          'usage-bootstrap-authentication': 'true',
        },
      },
    );
    const data = Buffer.from(authority.cert).toString('base64');
    const document = {
      'current-context': 'c',
      clusters: [{ name: 'c', cluster: { server: apiserver.url, 'certificate-authority-data': data } }],
      users: [{ name: 'c', user: { token: `${token.id}.${token.secret}` } }],
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'c' } }],
    };
    writeFileSync(at('bootstrap.kubeconfig'), JSON.stringify(document));
    mkdirSync(at('conf.d'));
    const dropIn = {
      apiVersion: 'kubelet.config.k8s.io/v1beta1',
      kind: 'KubeletConfiguration',
      rotateCertificates: true,
    };
    writeFileSync(at('conf.d/10-rotate.conf'), JSON.stringify(dropIn));
    runtime = new MemoryRuntime({ events: true });
    await runtime.listen(at('cri.sock'));
  });
  after(async () => {
    await kubelet?.close();
    await runtime.close();
    await cluster.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('gets a certificate by it, keeps it as upstream does, and registers its node', async () => {
    await start();
    await eventually(
      'the node is there',
      async () => (await cluster.read(kinds.nodes, nodeName)) !== undefined,
    );
    const [request] = await find('kube-apiserver-client-kubelet');
    assert.equal(request?.spec.username, `system:bootstrap:${token.id}`);
    assert.ok(lstatSync(current).isSymbolicLink());
    assert.match(basename(readlinkSync(current)), /^kubelet-client-\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d\.pem$/);
    assert.equal(statSync(current).mode & 0o777, 0o600);
    const pem = readFileSync(current);
    const certificate = new X509Certificate(pem);
    assert.equal(certificate.subject, `O=system:nodes\nCN=system:node:${nodeName}`);
    assert.ok(certificate.checkPrivateKey(createPrivateKey(pem)));
    assert.equal(statSync(at('kubeconfig')).mode & 0o777, 0o600);
    assert.deepEqual(loadClusterAccess({ kubeconfig: at('kubeconfig') }).tls.cert, pem);
  });

  it('serves with a certificate of its node once somebody approves it, and without one never', async () => {
    const pending = await eventually('its request', async () => (await find('kubelet-serving'))[0]);
    assert.equal(pending.spec.username, `system:node:${nodeName}`);
    assert.equal(await shown(), undefined);
    const conditions = [{ type: 'Approved', status: 'True', reason: 'Test', message: 'by hand' }];
    await requests().update({ ...pending, status: { conditions } }, { subresource: 'approval' });
    const certificate = await eventually('the certificate', shown);
    assert.equal(certificate.subjectAltName, `DNS:${nodeName}, IP Address:192.0.2.1`);
    assert.ok(certificate.verify(new X509Certificate(cluster.server.authority.cert).publicKey));
    assert.ok(lstatSync(at('pki/kubelet-server-current.pem')).isSymbolicLink());
  });

  it('asks for nothing when it starts again', async () => {
    const before = (await requests().list()).items.length;
    await kubelet.close();
    await start();
    assert.ok(await eventually('it serves', shown));
    assert.equal((await requests().list()).items.length, before);
  });

  it('replaces its client certificate before it ends, and goes on with the new one', async () => {
    await kubelet.close();
    const before = readFileSync(current);
    // Of the 15 minutes that it is valid, five of them in the past, nine tenths are over after 8.5.
    aheadMs = 9 * 60_000;
    await start();
    await eventually('another certificate', async () => !readFileSync(current).equals(before));
    aheadMs = 0;
    const asked = await find('kube-apiserver-client-kubelet');
    const own = asked.find(({ spec }) => spec.username === `system:node:${nodeName}`);
    const approval = own?.status?.conditions?.find(({ type }) => type === 'Approved');
    assert.match(approval?.message ?? '', /^Auto approving self kubelet client certificate/);
    const figures = metrics.render();
    for (const series of ['client_ttl_seconds', 'server_ttl_seconds', 'client_expiration_renew_errors'])
      assert.match(figures, new RegExp(`^kubelet_certificate_manager_${series} \\d`, 'm'));
    assert.match(figures, /^kubelet_certificate_manager_client_rotation_seconds_count [1-9]/m);
    assert.match(figures, /^rest_client_requests_total\{code="201",method="POST",host="127[^"]+"\} [1-9]/m);
    const renewed = async () =>
      (await cluster.read(kinds.leases, nodeName, 'kube-node-lease')) as { spec?: { renewTime?: string } };
    const { spec } = await renewed();
    await eventually(
      'the lease is renewed',
      async () => (await renewed()).spec?.renewTime !== spec?.renewTime,
    );
  });
});

it('a kubelet that has nobody to join yet starts its static pods: the API server may be among them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-alone-'));
  const at = (name: string) => join(folder, name);
  const runtime = new MemoryRuntime({ events: true });
  await runtime.listen(at('cri.sock'));
  const document = {
    'current-context': 'c',
    // Nobody listens there.
    clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }],
    users: [{ name: 'c', user: { token: `${token.id}.${token.secret}` } }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'c' } }],
  };
  writeFileSync(at('bootstrap.kubeconfig'), JSON.stringify(document));
  mkdirSync(at('manifests'));
  const containers = [{ name: 'server', image: 'server' }];
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'server' }, spec: { containers } };
  writeFileSync(at('manifests/server.json'), JSON.stringify(pod));
  let kubelet: Kubelet | undefined;
  try {
    kubelet = await startKubelet({
      ...{ kubeconfig: at('kubeconfig'), bootstrapKubeconfig: at('bootstrap.kubeconfig') },
      ...{ rootDir: at('root'), certDir: at('pki'), hostnameOverride: nodeName, nodeIp: '192.0.2.1' },
      ...{ metrics: new MetricsRegistry(), logger: silentLogger },
      configuration: {
        ...{ address: '127.0.0.1', port: 0, healthzPort: 0, rotateCertificates: true, evictionHard: {} },
        ...{ containerRuntimeEndpoint: `unix://${at('cri.sock')}`, podLogsDir: at('logs'), resolvConf: '' },
        ...{
          cgroupDriver: 'systemd',
          failSwapOn: false,
          failCgroupV1: false,
          staticPodPath: at('manifests'),
        },
        authentication: { anonymous: { enabled: false }, webhook: { enabled: true } },
      },
    });
    // A machine without systemd gets no further.
    await eventually('its image', async () => runtime.pulls.includes('server:latest'));
  } finally {
    await kubelet?.close();
    await runtime.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

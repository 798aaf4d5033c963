import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { TestEtcd } from '../../../../apiserver/test/test-etcd.ts';
import { TestServer } from '../../../../apiserver/test/test-server.ts';

const main = fileURLToPath(new URL('../../main.ts', import.meta.url));

/** What stands in the manifest that kubeadm 1.36 writes, with files and ports of this test. */
const kubeadmFlags = ({ options }: TestServer) => ({
  'advertise-address': '127.0.0.1',
  'allow-privileged': 'true',
  'authorization-mode': 'Node,RBAC',
  'client-ca-file': options.clientCaFile,
  'enable-admission-plugins': 'NodeRestriction',
  'enable-bootstrap-token-auth': 'true',
  'kubelet-client-certificate': options.tlsCertFile,
  'kubelet-client-key': options.tlsPrivateKeyFile,
  'kubelet-preferred-address-types': 'InternalIP,ExternalIP,Hostname',
  'proxy-client-cert-file': options.tlsCertFile,
  'proxy-client-key-file': options.tlsPrivateKeyFile,
  'requestheader-allowed-names': 'front-proxy-client',
  'requestheader-client-ca-file': options.clientCaFile,
  'requestheader-extra-headers-prefix': 'X-Remote-Extra-',
  'requestheader-group-headers': 'X-Remote-Group',
  'requestheader-username-headers': 'X-Remote-User,X-Other',
  'secure-port': '0',
  'service-account-issuer': 'https://kubernetes.default.svc.cluster.local',
  'service-account-key-file': options.serviceAccountSigningKeyFile,
  'service-account-signing-key-file': options.serviceAccountSigningKeyFile,
  'service-cluster-ip-range': '10.96.0.0/12',
  'tls-cert-file': options.tlsCertFile,
  'tls-private-key-file': options.tlsPrivateKeyFile,
});
/** What suites of operators say beside it. */
const ofSuites = {
  'feature-gates': 'CustomResourceFieldSelectors=true,kube:GenericWorkload=false',
  'max-requests-inflight': '50',
  'max-mutating-requests-inflight': '200',
  'watch-cache': 'false',
  'shutdown-delay-duration': '0s',
  'permit-port-sharing': 'true',
  'permit-address-sharing': 'true',
  'endpoint-reconciler-type': 'lease',
  'strict-transport-security-directives': 'max-age=60',
};
/** What can be said of an etcd besides where it is. */
const etcdFlags = ({ url }: TestEtcd) => ({
  'etcd-servers': url,
  'storage-backend': 'etcd3',
  'etcd-compaction-interval': '0',
  'etcd-count-metric-poll-period': '0',
  'etcd-db-metric-poll-interval': '10s',
  'etcd-healthcheck-timeout': '5s',
  'etcd-readycheck-timeout': '4s',
  'lease-reuse-duration-seconds': '30',
});
const words = (flags: Readonly<Record<string, unknown>>) =>
  Object.entries(flags).map(([name, value]) => `--${name}=${value}`);

for (const where of ['in front of etcd', 'alone'] as const)
  it(`wherry apiserver starts ${where} by the command line of kubeadm’s manifest and a folder for its data`, (test) =>
    startsByManifest(test, where));

async function startsByManifest(test: TestContext, where: 'in front of etcd' | 'alone'): Promise<void> {
  const server = await TestServer.start();
  test.after(() => server.close());
  const etcd = where === 'alone' ? undefined : await TestEtcd.start();
  test.after(() => etcd?.close());
  const flags = {
    ...(etcd && etcdFlags(etcd)),
    ...kubeadmFlags(server),
    ...ofSuites,
    'data-dir': join(server.folder, 'kubeadm'),
    'bind-address': '127.0.0.1',
  };
  const child = spawn(process.execPath, [main, 'apiserver', ...words(flags)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  test.after(() => child.kill('SIGKILL'));
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log += chunk));
  let url: string | undefined;
  while (!url && child.exitCode === null) {
    await delay(20);
    url = /url=(\S+)/.exec(log)?.[1];
  }
  assert.ok(url, log);
  Object.defineProperty(server.apiserver, 'url', { value: url });
  const path = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';
  const { body } = await server.request('GET', path);
  assert.equal(body.data['requestheader-username-headers'], '["X-Remote-User","X-Other"]');
  assert.equal(body.data['requestheader-uid-headers'], '["X-Remote-Uid"]');
  const flagz = await server.request('GET', '/flagz');
  for (const [name, value] of Object.entries(flags))
    assert.ok(flagz.text.includes(`\n${name}=${value}\n`), `${name}=${value}: ${flagz.text}`);
  assert.match(flagz.text, /\nv=2\n/);
  const { text } = await server.request('GET', '/metrics');
  assert.equal(/^apiserver_resource_objects\{/m.test(text), !etcd);
  // 100 of 245 shares.
  const places = /^apiserver_flowcontrol_nominal_limit_seats\{priority_level="workload-low"\} (\d+)$/m;
  assert.equal(places.exec(text)?.[1], '103');
}

it('flags of kube-apiserver that are not there are refused by name, with what is so instead', () => {
  const files = [
    'tls-cert-file',
    'tls-private-key-file',
    'client-ca-file',
    'service-account-signing-key-file',
  ];
  const needed = Object.fromEntries([...files, 'data-dir'].map((name) => [name, 'none']));
  const refused: [string, RegExp][] = [
    ['--audit-log-batch-max-size=1', /^error: --audit-log-batch-max-size is not taken: .*an event at a time/],
    ['--audit-webhook-mode=blocking', /audit-webhook-mode.*batch alone/],
    ['--audit-webhook-batch-max-size=0', /audit-webhook-batch-max-size.*from 1 on/],
    ['--authentication-config=/no/such.yaml', /no such file.*\/no\/such\.yaml/],
    ['--authentication-token-webhook-config-file=/no/such.yaml', /\/no\/such\.yaml/],
    ['--authorization-policy-file=x', /policy-file is for --authorization-mode=ABAC\n$/],
    [
      '--authorization-mode=RBAC,ABAC',
      /^error: --authorization-mode=ABAC needs --authorization-policy-file\n$/,
    ],
    ['--authorization-mode=RBAC,Any', /"Any" is none of Node, RBAC, ABAC, Webhook, AlwaysAllow, AlwaysDeny/],
    ['--storage-backend=etcd3', /^error: --storage-backend=etcd3 needs --etcd-servers/],
    ['--storage-backend=etcd2', /Allowed choices are etcd3/],
    ['--tls-sni-cert-key=a', /--tls-sni-cert-key.*expected CERTIFICATE,KEY/],
    ['--tls-sni-cert-key=a,b:10.0.0.1', /"10\.0\.0\.1" is an address/],
    ['--strict-transport-security-directives=max-age', /"max-age" is none of max-age=SECONDS/],
    ['--endpoint-reconciler-type=master-count', /Allowed choices are lease, none/],
    ['--permit-address-sharing=false', /permit-address-sharing.*SO_REUSEADDR is always set/],
    ['--shutdown-send-retry-after', /shutdown-send-retry-after.*takes no more connections/],
    [
      '--authorization-mode=Webhook',
      /^error: --authorization-mode=Webhook needs --authorization-webhook-config-file\n$/,
    ],
    ['--authorization-mode=RBAC,RBAC', /"RBAC" stands there more than once/],
    ['--advertise-address=x', /--advertise-address.*expected an IP address/],
    ['--authorization-config=/no/such.yaml', /no such file.*\/no\/such\.yaml/],
    ['--encryption-provider-config=/no/such.yaml', /no such file.*\/no\/such\.yaml/],
    ['--encryption-provider-config-automatic-reload', /--encryption-provider-config is missing/],
    ['--feature-gates=A=true', /--feature-gates: unrecognized feature gate: A\n/],
    ['--feature-gates=AllBeta=true', /can not switch AllBeta to true; leave it at its default, false/],
    [
      '--feature-gates=CustomResourceFieldSelectors=false',
      /cannot set feature gate CustomResourceFieldSelectors to false, feature is locked to true/,
    ],
    ['--allow-privileged=false', /allow-privileged.*PodSecurity/],
    ['--requestheader-username-headers=X-Mine', /X-Remote-User must be among them/],
    ['--profiling', /profiling.*the kubelet’s/],
    ['--service-account-lookup=false', /a token ends with its account/],
    ['--request-timeout=0', /--request-timeout.*expected a duration above 0/],
    ['--min-request-timeout=0', /--min-request-timeout.*from 1 on/],
    ['--etcd-servers-overrides=/events#http://a:2379', /overrides needs --etcd-servers/],
    ['--etcd-compaction-interval=-1s', /--etcd-compaction-interval.*from 0 on/],
    ['--etcd-healthcheck-timeout=0', /--etcd-healthcheck-timeout.*above 0/],
    ['--no-such-flag', /^error: unknown option '--no-such-flag'/],
  ];
  for (const [flag, message] of refused) {
    const args = [main, 'apiserver', ...words(needed), flag];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    assert.notEqual(status, 0, flag);
    assert.match(stderr, message, flag);
  }
});

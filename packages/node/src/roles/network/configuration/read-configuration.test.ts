import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { ConfigurationError } from '@wherry/kubelet/configuration-fields';
import { stringify } from 'yaml';
import { readRoleLine } from '../../../../test/role-line.ts';
import type { ProxyFlags } from '../../flags/nodes/proxy-flags.ts';
import { configurationChange } from './configuration-watch.ts';
import { proxySettingsOf } from './proxy-settings.ts';
import { readProxyConfiguration, writtenProxyConfiguration } from './read-configuration.ts';

/** As kubeadm 1.36.2 writes it into its ConfigMap for `podSubnet: 10.244.0.0/16`, and nothing else said. */
const kubeadmDocument = `apiVersion: kubeproxy.config.k8s.io/v1alpha1
bindAddress: 0.0.0.0
bindAddressHardFail: false
clientConnection:
  acceptContentTypes: ""
  burst: 0
  contentType: ""
  kubeconfig: /var/lib/kube-proxy/kubeconfig.conf
  qps: 0
clusterCIDR: 10.244.0.0/16
configSyncPeriod: 0s
conntrack:
  maxPerCore: null
  min: null
  tcpBeLiberal: false
  tcpCloseWaitTimeout: null
  tcpEstablishedTimeout: null
  udpStreamTimeout: 0s
  udpTimeout: 0s
detectLocal:
  bridgeInterface: ""
  interfaceNamePrefix: ""
detectLocalMode: ""
enableProfiling: false
healthzBindAddress: ""
hostnameOverride: ""
iptables:
  localhostNodePorts: null
  masqueradeAll: false
  masqueradeBit: null
  minSyncPeriod: 0s
  syncPeriod: 0s
ipvs:
  excludeCIDRs: null
  minSyncPeriod: 0s
  scheduler: ""
  strictARP: false
  syncPeriod: 0s
  tcpFinTimeout: 0s
  tcpTimeout: 0s
  udpTimeout: 0s
kind: KubeProxyConfiguration
logging:
  flushFrequency: 0
  options:
    json:
      infoBufferSize: "0"
    text:
      infoBufferSize: "0"
  verbosity: 0
metricsBindAddress: ""
mode: ""
nftables:
  masqueradeAll: false
  masqueradeBit: null
  minSyncPeriod: 0s
  syncPeriod: 0s
nodePortAddresses: null
oomScoreAdj: null
portRange: ""
showHiddenMetricsForVersion: ""
winkernel:
  enableDSR: false
  forwardHealthCheckVip: false
  networkName: ""
  rootHnsEndpointName: ""
  sourceVip: ""
`;

const head = { apiVersion: 'kubeproxy.config.k8s.io/v1alpha1', kind: 'KubeProxyConfiguration' };

function folder(t: TestContext): string {
  const made = mkdtempSync(join(tmpdir(), 'kube-proxy-'));
  t.after(() => rmSync(made, { recursive: true }));
  return made;
}

function written(t: TestContext, document: object | string): string {
  const file = join(folder(t), 'config.conf');
  writeFileSync(file, typeof document === 'string' ? document : stringify({ ...head, ...document }));
  return file;
}

const settingsOf = (file: string | undefined, flags: ProxyFlags = {}) =>
  proxySettingsOf(readProxyConfiguration(file, flags).configuration, file !== undefined);

/** What a refusal names. */
function refused(file: string | undefined, flags: ProxyFlags = {}): readonly string[] {
  try {
    readProxyConfiguration(file, flags);
  } catch (error) {
    assert.ok(error instanceof ConfigurationError, `${error}`);
    return error.problems;
  }
  return assert.fail('it was taken');
}

test('the document and the command line of kubeadm are taken as they stand', (t) => {
  const file = written(t, kubeadmDocument);
  const line = readRoleLine('network', [`--config=${file}`, '--hostname-override=Worker-1']);
  assert.equal(line.said, '');
  const flags = line.flags as ProxyFlags & { config: string };
  assert.equal(flags.config, file);
  const { configuration, warnings } = readProxyConfiguration(flags.config, flags);
  assert.deepEqual(warnings, []);
  assert.deepEqual(proxySettingsOf(configuration, true), {
    kubeconfig: '/var/lib/kube-proxy/kubeconfig.conf',
    nodeName: 'worker-1',
    nodeAddress: undefined,
    masqueradesAll: false,
    localTraffic: { ranges: ['10.244.0.0/16'] },
    nodePortAddresses: { ranges: [], loopback: true },
    podCidrs: ['10.244.0.0/16'],
    pages: {
      healthzBindAddress: '0.0.0.0:10256',
      metricsBindAddress: '127.0.0.1:10249',
      bindAddressHardFail: false,
    },
  });
  assert.deepEqual(configuration.conntrack, {
    maxPerCore: 32_768,
    min: 131_072,
    tcpEstablishedTimeout: 86_400_000,
    tcpCloseWaitTimeout: 3_600_000,
    tcpBeLiberal: false,
    udpTimeout: 0,
    udpStreamTimeout: 0,
  });
  assert.equal(configuration.oomScoreAdj, -999);
});

test('every bad field is named at once, by its path', (t) => {
  const file = written(t, {
    mode: 'ipvs',
    bindAddress: 'here',
    clusterCIDR: '10.0.0.0/8,10.1.0.0/16',
    nodePortAddresses: ['primary', '10.0.0.0/8'],
    oomScoreAdj: -1001,
    enableProfiling: true,
    detectLocalMode: 'BridgeInterface',
    conntrack: { maxPerCore: -1, udpTimeout: '-1s' },
    iptables: { syncPeriod: '1s', minSyncPeriod: '2s' },
    logging: { format: 'json' },
    featureGates: { NoSuchGate: true, NFTablesProxyMode: false },
    healthzBindAddress: 'node:10256',
  });
  const paths = refused(file).map((problem) => problem.split(':')[0]);
  assert.deepEqual(paths.toSorted(), [
    ...['bindAddress', 'clusterCIDR', 'conntrack.maxPerCore', 'conntrack.udpTimeout'],
    ...['detectLocal.bridgeInterface', 'enableProfiling', 'featureGates.NFTablesProxyMode'],
    ...['featureGates.NoSuchGate', 'healthzBindAddress', 'iptables.syncPeriod', 'logging.format', 'mode'],
    ...['nodePortAddresses', 'oomScoreAdj'],
  ]);
});

test('a name of an interface that would be more than a name in a rule is refused', (t) => {
  const detectLocal = { bridgeInterface: 'x" accept; iifname "y', interfaceNamePrefix: 'a b' };
  const file = written(t, { detectLocalMode: 'BridgeInterface', detectLocal });
  assert.deepEqual(refused(file), [
    'detectLocal.bridgeInterface: "x\\" accept; iifname \\"y" is no name of an interface',
    'detectLocal.interfaceNamePrefix: "a b" is no name of an interface',
  ]);
});

test('a field that there is not is warned of, as upstream reads v1alpha1; another kind of document is refused', (t) => {
  const { warnings } = readProxyConfiguration(written(t, { mode: 'iptables', udpIdleTimeout: '1s' }), {});
  assert.deepEqual(
    warnings.map((warning) => warning.split(':')[0]),
    ['udpIdleTimeout', 'mode'],
  );
  assert.deepEqual(refused(written(t, 'mode: nftables\n')), ['apiVersion: is missing', 'kind: is missing']);
  assert.match(
    refused(written(t, { kind: 'KubeletConfiguration' }))[0] ?? '',
    /^kind: "KubeletConfiguration"/,
  );
});

test('beside a file the name of the node is said by its flag; others are warned of by name', (t) => {
  const file = written(t, { hostnameOverride: 'of-the-file', iptables: { masqueradeAll: true } });
  const flags = { hostnameOverride: [' Of-The-Flag '], masqueradeAll: ['false'], kubeconfig: ['/other'] };
  const { configuration, warnings } = readProxyConfiguration(file, flags);
  const { nodeName, masqueradesAll, kubeconfig } = proxySettingsOf(configuration, true);
  assert.deepEqual([nodeName, masqueradesAll, kubeconfig], ['of-the-flag', true, undefined]);
  assert.deepEqual(warnings, [
    '--kubeconfig: is ignored, since there is --config: set clientConnection.kubeconfig there',
    '--masquerade-all: is ignored, since there is --config: set iptables.masqueradeAll or nftables.masqueradeAll there',
  ]);
  assert.equal(settingsOf(file).nodeName, 'of-the-file');
  assert.equal(settingsOf(written(t, {})).nodeName, hostname().toLowerCase());
  assert.deepEqual(refused(file, { hostnameOverride: [' '] }), [
    'hostnameOverride: must not be of spaces alone',
  ]);
});

test('without a file flags set the same fields, and zero is a value of theirs', () => {
  const line = readRoleLine('network', [
    ...['--kubeconfig=/k', '--masquerade-all', '--healthz-bind-address=', '--metrics-bind-address=[::1]:9'],
    ...['--conntrack-max-per-core=0', '--conntrack-tcp-timeout-established=0s', '--kube-api-qps=0.5'],
    ...['--nodeport-addresses=10.0.0.0/8,192.0.2.0/24', '--feature-gates=NFTablesProxyMode=true'],
    ...['--detect-local-mode=InterfaceNamePrefix', '--pod-interface-name-prefix=veth'],
  ]);
  assert.equal(line.said, '');
  const { configuration, said } = readProxyConfiguration(undefined, line.flags as ProxyFlags);
  assert.equal(configuration.conntrack.maxPerCore, 0);
  assert.equal(configuration.conntrack.tcpEstablishedTimeout, 0);
  assert.equal(configuration.clientConnection.qps, 0.5);
  assert.ok(said.has('conntrack.maxPerCore') && !said.has('conntrack.min') && !said.has('oomScoreAdj'));
  const settings = proxySettingsOf(configuration, false);
  assert.deepEqual(settings.pages, {
    ...{ healthzBindAddress: '', metricsBindAddress: '[::1]:9', bindAddressHardFail: false },
  });
  assert.deepEqual(settings.nodePortAddresses, { ranges: ['10.0.0.0/8', '192.0.2.0/24'], loopback: true });
  assert.deepEqual(settings.localTraffic, { interface: 'veth*' });
  assert.equal(settings.masqueradesAll, true);
  const { nftables } = readProxyConfiguration(undefined, {}).configuration;
  assert.equal(nftables.masqueradeAll, false, 'one command line leaves nothing to the next');
  assert.deepEqual(
    refused(undefined, readRoleLine('network', ['--proxy-mode=ipvs', '--oom-score-adj=x']).flags),
    [
      '--oom-score-adj: "x" is not a whole number',
      '--proxy-mode: "ipvs" is not supported here: there are no IPVS schedulers here, services are led by nftables; leave it out, or say nftables',
    ],
  );
});

test('where pods of the node are, and node ports, follows detectLocalMode, clusterCIDR and the mode', (t) => {
  const of = (document: object) => {
    const { localTraffic, nodePortAddresses } = settingsOf(written(t, document));
    return [localTraffic, nodePortAddresses];
  };
  const everywhere = { ranges: [], loopback: true };
  assert.deepEqual(of({}), [{ ranges: [] }, everywhere]);
  assert.deepEqual(of({ mode: 'nftables', detectLocalMode: 'NodeCIDR' }), ['node-ranges', 'primary']);
  assert.deepEqual(of({ mode: 'nftables', nodePortAddresses: ['192.0.2.0/24'] }), [
    { ranges: [] },
    { ranges: ['192.0.2.0/24'], loopback: true },
  ]);
  assert.deepEqual(of({ nodePortAddresses: ['primary'], clusterCIDR: '10.0.0.0/8,fd00::/64' }), [
    { ranges: ['10.0.0.0/8', 'fd00::/64'] },
    'primary',
  ]);
  assert.deepEqual(of({ iptables: { localhostNodePorts: false } }), [
    { ranges: [] },
    { ranges: [], loopback: false },
  ]);
  const { nodeAddress, pages } = settingsOf(
    written(t, { bindAddress: '2001:db8::1', metricsBindAddress: '::' }),
  );
  assert.equal(nodeAddress, '2001:db8::1');
  assert.equal(pages.healthzBindAddress, '[::]:10256');
  assert.equal(pages.metricsBindAddress, '[::]:10249');
});

test('a configuration that is written is read as the same', (t) => {
  const file = written(t, {
    mode: 'nftables',
    conntrack: { min: 0 },
    oomScoreAdj: 0,
    clusterCIDR: '10.0.0.0/8',
  });
  const { configuration } = readProxyConfiguration(file, {});
  const again = written(t, writtenProxyConfiguration(configuration) as object);
  assert.deepEqual(readProxyConfiguration(again, {}).configuration, configuration);
});

test('a file that is changed, or replaced, is told of; one that goes is not', {
  timeout: 20_000,
}, async (t) => {
  const ending = new AbortController();
  t.after(() => ending.abort());
  const files = [written(t, {}), written(t, {}), written(t, {})];
  const told = files.map((file) => configurationChange(file, ending.signal));
  writeFileSync(files[0]!, kubeadmDocument);
  const next = `${files[1]}.next`;
  writeFileSync(next, kubeadmDocument);
  renameSync(next, files[1]!);
  rmSync(files[2]!);
  assert.equal(await told[0], `the content of the configuration "${files[0]}" has changed`);
  assert.equal(await told[1], `the content of the configuration "${files[1]}" has changed`);
  assert.equal(await Promise.race([told[2], setTimeout(200, 'nothing')]), 'nothing');
});

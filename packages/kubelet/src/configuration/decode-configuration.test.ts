import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configurationMessages } from '../generated/upstream.ts';
import { configurationFields } from './configuration.ts';
import { ConfigurationError } from './configuration-error.ts';
import { decodeConfiguration, parseConfiguration } from './decode-configuration.ts';
import type { FieldType } from './field-types.ts';

test('an empty document gives the defaults of v1beta1', () => {
  const { configuration, warnings } = parseConfiguration('');
  assert.equal(configuration.port, 10_250);
  assert.equal(configuration.syncFrequency, 60_000);
  assert.equal(configuration.authentication.anonymous.enabled, false);
  assert.equal(configuration.authentication.webhook.cacheTTL, 120_000);
  assert.equal(configuration.containerLogMaxSize, 10_485_760);
  assert.deepEqual(configuration.enforceNodeAllocatable, ['pods']);
  assert.deepEqual(warnings, []);
});

test('fields are read from YAML, nested ones too', () => {
  const { configuration } = parseConfiguration(
    'kind: KubeletConfiguration\nauthentication:\n  webhook: {cacheTTL: 1m30s}\nclusterDNS: [10.0.0.10]\ncontainerLogMaxSize: 5Mi\n',
  );
  assert.equal(configuration.authentication.webhook.cacheTTL, 90_000);
  assert.equal(configuration.authentication.webhook.enabled, true);
  assert.deepEqual(configuration.clusterDNS, ['10.0.0.10']);
  assert.equal(configuration.containerLogMaxSize, 5_242_880);
});

test('every bad field is named at once', () => {
  const bad =
    'port: 70000\nsyncFrequency: soon\nclusterDNS: 10.0.0.10\nauthentication: {anonymous: {enabled: maybe}}';
  assert.throws(
    () => parseConfiguration(bad),
    (error) => {
      assert.ok(error instanceof ConfigurationError);
      assert.deepEqual(
        error.problems.map((line) => line.split(':')[0]),
        ['port', 'authentication.anonymous.enabled', 'syncFrequency', 'clusterDNS'],
      );
      assert.match(error.message, /"soon" is not a duration/);
      return true;
    },
  );
});

test('fields that contradict one another are refused', () => {
  assert.throws(
    () => parseConfiguration('imageGCLowThresholdPercent: 90\ntlsCertFile: /x\nsystemCgroups: /system\n'),
    /imageGCLowThresholdPercent.*[\s\S]*tlsCertFile.*[\s\S]*systemCgroups: needs cgroupRoot/,
  );
});

test('an unknown field is a warning, as upstream decodes v1beta1', () => {
  const { warnings } = parseConfiguration('maxPodz: 3\nauthorization: {webhook: {ttl: 1s}}');
  assert.deepEqual(
    warnings.map((line) => line.split(':')[0]),
    ['maxPodz', 'authorization.webhook.ttl'],
  );
});

test('a document that is no YAML names its line', () => {
  assert.throws(() => parseConfiguration('port: [1'), ConfigurationError);
});

test('zero is the default where Go has no pointer, and itself where it has one', () => {
  const { configuration } = parseConfiguration(
    'syncFrequency: 0s\nmaxPods: 0\ncgroupDriver: ""\neventRecordQPS: 0\nresolvConf: ""\nhealthzPort: 0\n',
  );
  assert.equal(configuration.syncFrequency, 60_000);
  assert.equal(configuration.maxPods, 110);
  assert.equal(configuration.cgroupDriver, 'cgroupfs');
  assert.equal(configuration.eventRecordQPS, 0);
  assert.equal(configuration.resolvConf, '');
  assert.equal(configuration.healthzPort, 0);
});

test("the fields in which zero is a value are upstream's pointers", () => {
  // Port 0 takes any free port here.
  const exceptions = ['KubeletConfiguration.port'];
  const wrong: string[] = [];
  const visit = (message: string, type: FieldType<unknown>) => {
    for (const [name, goType] of (configurationMessages[message] ?? '')
      .split(';')
      .map((field) => field.split(' '))) {
      const field = type.fields?.[name ?? ''];
      if (field?.fields) visit((goType ?? '').replace(/^\*?((logsapi|tracingapi)\.)?/, ''), field);
      else if (field && (field.keepsZero ?? false) !== goType?.startsWith('*'))
        wrong.push(`${message}.${name}`);
    }
  };
  visit('KubeletConfiguration', configurationFields);
  assert.deepEqual(
    wrong.filter((name) => !exceptions.includes(name)),
    [],
  );
});

test('a configuration as kubeadm writes it is taken without a warning', () => {
  const { configuration, warnings } = parseConfiguration(`
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
authentication: {anonymous: {enabled: false}, webhook: {cacheTTL: 0s, enabled: true}, x509: {clientCAFile: /etc/kubernetes/pki/ca.crt}}
authorization: {mode: Webhook, webhook: {cacheAuthorizedTTL: 0s, cacheUnauthorizedTTL: 0s}}
cgroupDriver: systemd
clusterDNS: [10.96.0.10]
clusterDomain: cluster.local
containerRuntimeEndpoint: ""
cpuManagerReconcilePeriod: 0s
crashLoopBackOff: {}
evictionPressureTransitionPeriod: 0s
fileCheckFrequency: 0s
healthzBindAddress: 127.0.0.1
healthzPort: 10248
httpCheckFrequency: 0s
imageMaximumGCAge: 0s
imageMinimumGCAge: 0s
logging: {flushFrequency: 0, options: {json: {infoBufferSize: "0"}, text: {infoBufferSize: "0"}}, verbosity: 0}
memorySwap: {}
nodeStatusReportFrequency: 0s
nodeStatusUpdateFrequency: 0s
rotateCertificates: true
runtimeRequestTimeout: 0s
shutdownGracePeriod: 0s
shutdownGracePeriodCriticalPods: 0s
staticPodPath: /etc/kubernetes/manifests
streamingConnectionIdleTimeout: 0s
syncFrequency: 0s
volumeStatsAggPeriod: 0s
`);
  assert.deepEqual(warnings, []);
  assert.equal(configuration.nodeStatusReportFrequency, 300_000);
});

test('defaults follow other fields as upstream has them', () => {
  assert.equal(parseConfiguration('maxParallelImagePulls: 3').configuration.serializeImagePulls, false);
  assert.equal(parseConfiguration('maxParallelImagePulls: 1').configuration.serializeImagePulls, true);
  const { configuration } = parseConfiguration('nodeStatusUpdateFrequency: 7s');
  assert.equal(configuration.nodeStatusReportFrequency, 7_000);
});

test('what is not built is refused by name, with what to do', () => {
  assert.throws(
    () => parseConfiguration('kernelMemcgNotification: true\nenableControllerAttachDetach: false'),
    (error) => {
      assert.ok(error instanceof ConfigurationError);
      assert.deepEqual(error.problems.map((line) => line.split(':')[0]).sort(), [
        'enableControllerAttachDetach',
        'kernelMemcgNotification',
      ]);
      return true;
    },
  );
});

test('each soft eviction threshold needs its grace period, and signals must be known', () => {
  const problemsOf = (source: string) => {
    try {
      parseConfiguration(source);
      return [];
    } catch (error) {
      return (error as ConfigurationError).problems;
    }
  };
  assert.match(
    problemsOf('evictionSoft: {memory.available: 1Gi}').join(),
    /grace period must be specified for the soft eviction threshold memory\.available/,
  );
  assert.match(
    problemsOf('evictionSoftGracePeriod: {memory: 1m, pid.available: soon, nodefs.available: -1s}').join(
      '\n',
    ),
    /unsupported eviction signal memory\n.*"soon" is not a duration.*\n.*-1s must not be negative/,
  );
  const soft = 'evictionSoft: {memory.available: 1Gi}\nevictionSoftGracePeriod: {memory.available: 1m}';
  assert.deepEqual(problemsOf(`${soft}\nevictionMinimumReclaim: {memory.available: "0"}`), []);
});

test('a configuration is written back in the notation that Go decodes, and reads as itself', () => {
  const source = {
    syncFrequency: '1m30s',
    cpuCFSQuotaPeriod: '20ms',
    containerLogMaxSize: '50Mi',
    maxPods: 7,
    staticPodURLHeader: { agent: ['X-Site: north', 'X-Rack: 7'] },
  };
  const { configuration } = decodeConfiguration({ ...source, containerRuntimeEndpoint: 'unix:///x' });
  const written = configurationFields.encode(configuration) as Record<string, unknown>;
  const { syncFrequency, cpuCFSQuotaPeriod, containerLogMaxSize, maxPods, authentication } = written;
  assert.deepEqual(
    [syncFrequency, cpuCFSQuotaPeriod, containerLogMaxSize, maxPods],
    ['1m30s', '20ms', '50Mi', 7],
  );
  assert.deepEqual(authentication, {
    anonymous: { enabled: false },
    webhook: { enabled: true, cacheTTL: '2m0s' },
    x509: { clientCAFile: '' },
  });
  assert.deepEqual(decodeConfiguration(written).configuration, configuration);
});

test('how a shutdown goes is given by classes or by priority, and each in whole', () => {
  const problemsOf = (source: string) => {
    try {
      return parseConfiguration(source).warnings;
    } catch (error) {
      return (error as ConfigurationError).problems;
    }
  };
  const both = 'shutdownGracePeriod: 30s\nshutdownGracePeriodCriticalPods: 10s\n';
  assert.deepEqual(problemsOf(both), []);
  assert.match(
    problemsOf('shutdownGracePeriodCriticalPods: 10s').join(),
    /must not be longer than shutdownGr/,
  );
  assert.match(problemsOf('shutdownGracePeriod: 500ms').join(), /^shutdownGracePeriod: must be 0s, or 1s/);
  const list = (...items: string[]) => `shutdownGracePeriodByPodPriority: [${items.join()}]\n`;
  const good = '{priority: -5, shutdownGracePeriodSeconds: 3}';
  assert.deepEqual(problemsOf(list(good, '{}')), []);
  assert.match(
    problemsOf(both + list(good)).join(),
    /^shutdownGracePeriodByPodPriority: can not be given beside/,
  );
  assert.deepEqual(
    problemsOf(list('{priority: 3000000000}', '{shutdownGracePeriodSeconds: -1}', '7')).map(
      (line) => line.split(':')[0],
    ),
    [
      'shutdownGracePeriodByPodPriority[0].priority',
      'shutdownGracePeriodByPodPriority[1].shutdownGracePeriodSeconds',
      'shutdownGracePeriodByPodPriority[2]',
    ],
  );
  assert.match(problemsOf(list('{priority: 0, grace: 3}')).join(), /\[0\]\.grace: is not known here/);
  const off = (gate: string) => `featureGates: {${gate}: false}\n`;
  const byPriority = off('GracefulNodeShutdownBasedOnPodPriority');
  assert.match(problemsOf(byPriority + list(good)).join(), /ByPodPriority: needs the feature gate/);
  assert.deepEqual(problemsOf(byPriority + both), []);
  assert.match(problemsOf(off('GracefulNodeShutdown') + both).join(), /need the feature gate GracefulNodeSh/);
});

test('the first processor alone can be reserved, and reserves of memory are read', () => {
  const reservedMemory = [{ numaNode: 0, limits: { memory: '1Gi', 'hugepages-2Mi': '4Mi' } }];
  const { configuration } = decodeConfiguration({ reservedSystemCPUs: '0', reservedMemory });
  assert.equal(configuration.reservedSystemCPUs, '0');
  assert.deepEqual(configuration.reservedMemory, reservedMemory);
});

for (const [field, value, complaint] of [
  ['reservedSystemCPUs', '3-1', /reservedSystemCPUs.*list of processors/],
  ['reservedMemory', [{ numaNode: 0, limits: { cpu: '1' } }], /cpu of memory node 0 can not be reserved/],
  ['reservedMemory', [{ numaNode: 0, limits: { memory: '0' } }], /memory of memory node 0 may not be 0/],
  ['reservedMemory', [{ limits: { memory: '1Gi' } }], /is not a list of numaNode and limits/],
  [
    'reservedMemory',
    [
      { numaNode: 0, limits: { memory: '1Gi' } },
      { numaNode: 0, limits: { memory: '2Gi' } },
    ],
    /memory of memory node 0 is named twice/,
  ],
] as const)
  test(`${field} of ${JSON.stringify(value)} is refused`, () => {
    assert.throws(() => decodeConfiguration({ [field]: value }), complaint);
  });

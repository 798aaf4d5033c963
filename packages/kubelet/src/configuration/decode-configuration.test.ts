import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configurationFields } from './configuration.ts';
import { ConfigurationError, decodeConfiguration, parseConfiguration } from './decode-configuration.ts';

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
        ['syncFrequency', 'port', 'authentication.anonymous.enabled', 'clusterDNS'],
      );
      assert.match(error.message, /"soon" is not a duration/);
      return true;
    },
  );
});

test('fields that contradict one another are refused', () => {
  assert.throws(
    () => parseConfiguration('imageGCLowThresholdPercent: 90\ntlsCertFile: /x\n'),
    /imageGCLowThresholdPercent.*[\s\S]*tlsCertFile/,
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

test('a configuration is written back in the notation that Go decodes, and reads as itself', () => {
  const source = {
    syncFrequency: '1m30s',
    cpuCFSQuotaPeriod: '20ms',
    containerLogMaxSize: '50Mi',
    maxPods: 7,
  };
  const { configuration } = decodeConfiguration({ ...source, containerRuntimeEndpoint: 'unix:///x' });
  const written = configurationFields.encode(configuration) as Record<string, unknown>;
  const { syncFrequency, cpuCFSQuotaPeriod, containerLogMaxSize, maxPods, authentication } = written;
  assert.deepEqual(
    [syncFrequency, cpuCFSQuotaPeriod, containerLogMaxSize, maxPods],
    ['1m30s', '0.02s', '52428800', 7],
  );
  assert.deepEqual(authentication, {
    anonymous: { enabled: false },
    webhook: { enabled: true, cacheTTL: '2m0s' },
    x509: { clientCAFile: '' },
  });
  assert.deepEqual(decodeConfiguration(written).configuration, configuration);
});

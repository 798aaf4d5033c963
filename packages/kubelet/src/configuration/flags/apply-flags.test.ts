import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigurationError } from '../configuration-error.ts';
import { decodeConfiguration } from '../decode-configuration.ts';
import { type FlagTexts, withFlags } from './apply-flags.ts';

const file = {
  maxPods: 7,
  clusterDNS: ['10.0.0.1', '10.0.0.2'],
  evictionHard: { 'memory.available': '1Gi', 'pid.available': '10%' },
  featureGates: { One: true, Two: false },
  authentication: { anonymous: { enabled: true }, webhook: { enabled: true, cacheTTL: '1m' } },
};

test('a flag of each form sets its field, as a whole, and of feature gates those that it names', () => {
  const document = withFlags(file, {
    'max-pods': ['50', '60'],
    'cluster-dns': ['10.0.0.3,10.0.0.4', 'fd00::a'],
    'eviction-hard': ['memory.available<500Mi,nodefs.available<1%'],
    'feature-gates': ['Two=true', 'Three=F'],
    'anonymous-auth': ['false'],
    'authentication-token-webhook-cache-ttl': ['30s'],
    'kube-reserved': ['cpu=100m, memory=1Gi'],
    'cpu-manager-policy-options': ['full-pcpus-only=true'],
    'manifest-url-header': ['a:b,a:c', 'd: e:f'],
    'register-with-taints': ['a=b:NoSchedule,c:NoExecute'],
    'reserved-memory': ['0:memory=1Gi,hugepages-1M=2Gi;1:memory=2Gi'],
    'seccomp-default': ['true'],
    'healthz-bind-address': ['::1'],
  });
  assert.deepEqual(document, {
    maxPods: 60,
    clusterDNS: ['10.0.0.3', '10.0.0.4', 'fd00::a'],
    evictionHard: { 'memory.available': '500Mi', 'nodefs.available': '1%' },
    featureGates: { One: true, Two: true, Three: false },
    authentication: { anonymous: { enabled: false }, webhook: { enabled: true, cacheTTL: '30s' } },
    kubeReserved: { cpu: '100m', memory: '1Gi' },
    cpuManagerPolicyOptions: { 'full-pcpus-only': 'true' },
    staticPodURLHeader: { a: ['b', 'c'], d: ['e:f'] },
    registerWithTaints: [
      { key: 'a', effect: 'NoSchedule', value: 'b' },
      { key: 'c', effect: 'NoExecute' },
    ],
    reservedMemory: [
      { numaNode: 0, limits: { memory: '1Gi', 'hugepages-1M': '2Gi' } },
      { numaNode: 1, limits: { memory: '2Gi' } },
    ],
    seccompDefault: true,
    healthzBindAddress: '::1',
  });
});

test('a value that a flag can not have is refused by its name, all of them at once', () => {
  const bad: FlagTexts = {
    'max-pods': ['many'],
    'fail-swap-on': ['perhaps'],
    address: ['localhost'],
    'eviction-hard': ['memory.available'],
    'kube-reserved': ['cpu'],
    'register-with-taints': ['a'],
    'reserved-memory': ['memory=1Gi'],
    'streaming-connection-idle-timeout': ['0s'],
    'lock-file': ['x'],
  };
  assert.throws(
    () => withFlags({}, bad),
    (error) =>
      error instanceof ConfigurationError &&
      error.problems.map((line) => line.split(':')[0]).join() ===
        Object.keys(bad)
          .map((flag) => `--${flag}`)
          .join(),
  );
});

test('zero is a value where the field has it, and what is wrong with a value is told as of the file', () => {
  const decoded = (flags: FlagTexts) => decodeConfiguration(withFlags({}, flags)).configuration;
  const { registryPullQPS, readOnlyPort } = decoded({ 'registry-qps': ['0'], 'read-only-port': ['0'] });
  assert.deepEqual({ registryPullQPS, readOnlyPort }, { registryPullQPS: 0, readOnlyPort: 0 });
  assert.throws(() => decoded({ 'sync-frequency': ['soon'] }), /syncFrequency: "soon" is not a duration/);
});

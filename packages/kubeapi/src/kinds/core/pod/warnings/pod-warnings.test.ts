import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { podWarningsMax } from '../../../../limits.ts';
import { hostNameWarnings, podWarnings } from './pod-warnings.ts';

const spec = (container: object, more: object = {}) => ({
  containers: [{ name: 'a', image: 'b', ...container }],
  ...more,
});

describe('warnings of a pod', () => {
  it('are none where all is as it seems', () => {
    const env = [
      { name: 'A', value: '1' },
      { name: 'A', value: '$(A)2' },
    ];
    const resources = { limits: { memory: '1Gi' } };
    assert.deepEqual(podWarnings({ spec: spec({ env, resources }) }), []);
  });

  it('tell of variables that hide others, and of parts of bytes', () => {
    const env = [
      { name: 'A', value: '1' },
      { name: 'A', value: '2' },
    ];
    const resources = { limits: { memory: '100m' } };
    assert.deepEqual(podWarnings({ spec: spec({ env, resources }) }, 'spec.template'), [
      'spec.template.spec.containers[0].resources.limits[memory]: fractional byte value "100m" is invalid, must be an integer',
      'spec.template.spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply',
    ]);
  });

  it('tell of ports that are there twice, and of the names of ports', () => {
    const ports = [
      { containerPort: 80, name: 'p' },
      { containerPort: 80, hostPort: 1 },
      { containerPort: 81, name: 'p' },
    ];
    assert.deepEqual(podWarnings({ spec: spec({ ports }) }), [
      'spec.containers[0].ports[1]: overlapping port definition with spec.containers[0].ports[0]',
      'spec.containers[0].ports[2]: duplicate port name "p" with spec.containers[0].ports[0], services and probes that select ports by name will use spec.containers[0].ports[0]',
    ]);
  });

  it('tell of files of a volume that stand at one place, or below each other', () => {
    const items = (...paths: string[]) => paths.map((path) => ({ key: 'k', path }));
    const sources = [
      { configMap: { name: 'm', items: items('a/b') } },
      { secret: { name: 's', items: items('a') } },
      { serviceAccountToken: { path: 'a/b' } },
    ];
    const volumes = [
      { name: 'c', configMap: { name: 'm', items: items('x', 'y', 'x/', 'x/z', 'xy') } },
      { name: 'p', projected: { sources } },
    ];
    assert.deepEqual(podWarnings({ spec: spec({}, { volumes }) }), [
      'volume "c" (ConfigMap "m"): overlapping paths: "x" with "x"',
      'volume "c" (ConfigMap "m"): overlapping paths: "x/z" with "x"',
      'volume "c" (ConfigMap "m"): overlapping paths: "x/z" with "x"',
      'volume "p" (Projected): overlapping paths: "a" (Secret "s") with "a/b" (ConfigMap "m")',
      'volume "p" (Projected): overlapping paths: "a/b" (ServiceAccountToken) with "a/b" (ConfigMap "m")',
      'volume "p" (Projected): overlapping paths: "a/b" (ServiceAccountToken) with "a" (Secret "s")',
    ]);
  });

  it('come to an end soon, however many files and ports are alike', () => {
    const count = 50_000;
    const items = Array.from({ length: count }, (_, index) => ({ key: 'k', path: `a/${index % 2}` }));
    const ports = Array.from({ length: count }, () => ({ containerPort: 1, hostIP: '192.0.2.1' }));
    const volumes = [{ name: 'v', secret: { secretName: 's', items } }];
    assert.equal(podWarnings({ spec: spec({ ports }, { volumes }) }).length, 2 * podWarningsMax);
  });

  it('tell of an address of the machine without a port of it', () => {
    const ports = [{ containerPort: 80, protocol: 'TCP' as const, hostIP: '192.0.2.1' }];
    assert.deepEqual(podWarnings({ spec: spec({ ports }) }), [
      'spec.containers[0].ports[0]: hostIP set without hostPort: {Name: HostPort:0 ContainerPort:80 Protocol:TCP HostIP:192.0.2.1}',
    ]);
  });

  it('tell of profiles that only an annotation names', () => {
    const armor = 'container.apparmor.security.beta.kubernetes.io/a';
    const seccomp = 'seccomp.security.alpha.kubernetes.io/pod';
    const metadata = { annotations: { [armor]: 'unconfined', [seccomp]: 'runtime/default' } };
    const ofSeccomp = `[${seccomp}]: non-functional in v1.27+; use the "seccompProfile" field instead`;
    assert.deepEqual(podWarnings({ metadata, spec: spec({}) }), [`metadata.annotations${ofSeccomp}`]);
    assert.deepEqual(podWarnings({ metadata, spec: spec({}) }, 'spec.template'), [
      `spec.template.metadata.annotations${ofSeccomp}`,
      `spec.template.metadata.annotations[${armor}]: deprecated since v1.30; use the "appArmorProfile" field instead`,
    ]);
    const securityContext = {
      seccompProfile: { type: 'RuntimeDefault' },
      appArmorProfile: { type: 'Unconfined' },
    } as const;
    assert.deepEqual(podWarnings({ metadata, spec: spec({}, { securityContext }) }, 'spec.template'), []);
  });

  it('tell of labels and annotations that are given up', () => {
    const metadata = { annotations: { 'scheduler.alpha.kubernetes.io/critical-pod': '' } };
    const nodeSelector = { 'beta.kubernetes.io/os': 'linux' };
    assert.deepEqual(podWarnings({ metadata, spec: spec({}, { nodeSelector }) }), [
      'spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead',
      'metadata.annotations[scheduler.alpha.kubernetes.io/critical-pod]: non-functional in v1.16+; use the "priorityClassName" field instead',
    ]);
  });

  it('tell of a name that is no host’s', () => {
    assert.deepEqual(hostNameWarnings({ name: 'a-b' }), []);
    assert.deepEqual(hostNameWarnings({ name: 'a.b' }), [
      'metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]',
    ]);
  });
});

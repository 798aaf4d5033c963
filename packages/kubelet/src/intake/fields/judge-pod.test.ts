import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PodSpec } from '@wherry/kubeapi';
import { container, pod } from '../../../test/builders.ts';
import { judgePod } from './judge-pod.ts';

const host = { isSelinuxEnforcing: false, hasAppArmor: true, hasStrictGroups: true };

function refusals(spec: Partial<PodSpec>, more: Partial<typeof host> = {}, annotations = {}): string[] {
  const judged = pod({ containers: [container('a')], ...spec }, { annotations });
  return judgePod({ pod: judged, ...host, ...more }).refusals.map(({ path, reason }) => `${reason} ${path}`);
}

const inContainer = (more: object) => ({ containers: [container('a', more)] });

describe('judgePod', () => {
  it('has nothing to say of an ordinary pod', () => {
    const spec = {
      hostUsers: true,
      ...inContainer({ resizePolicy: [{ resourceName: 'cpu', restartPolicy: '' }] }),
    };
    assert.deepEqual(refusals(spec), []);
  });

  const unsupported: [path: string, spec: Partial<PodSpec>][] = [
    ['spec.volumes[0].iscsi', { volumes: [{ name: 'v', iscsi: { targetPortal: 's', iqn: 'i', lun: 0 } }] }],
    ['spec.volumes[0].emptyDir.medium', { volumes: [{ name: 'v', emptyDir: { medium: 'Flash' } }] }],
    [
      'spec.containers[0].securityContext.procMount',
      inContainer({ securityContext: { procMount: 'Unmasked' } }),
    ],
    ['spec.containers[0].lifecycle.stopSignal', inContainer({ lifecycle: { stopSignal: 'SIGUSR1' } })],
  ];
  for (const [path, spec] of unsupported) {
    it(`refuses ${path} by name`, () => assert.deepEqual(refusals(spec), [`PodFeatureUnsupported ${path}`]));
  }

  it('takes resources of a whole pod, and huge pages', () => {
    const resources = { limits: { cpu: '1', memory: '1Gi', 'hugepages-2Mi': '2Mi' } };
    assert.deepEqual(refusals({ resources, ...inContainer({ resources }) }), []);
    assert.deepEqual(refusals({ volumes: [{ name: 'v', emptyDir: { medium: 'HugePages-2Mi' } }] }), []);
  });

  it('refuses SELinux labels where they would mean something', () => {
    const spec = { securityContext: { seLinuxOptions: { level: 's0:c1' } } };
    assert.deepEqual(refusals(spec), []);
    assert.deepEqual(refusals(spec, { isSelinuxEnforcing: true }), [
      'PodFeatureUnsupported spec.securityContext.seLinuxOptions',
    ]);
  });

  it('refuses AppArmor profiles, annotations too, where the kernel has none', () => {
    const spec = inContainer({ securityContext: { appArmorProfile: { type: 'RuntimeDefault' } } });
    const key = 'container.apparmor.security.beta.kubernetes.io/a';
    assert.deepEqual(refusals(spec), []);
    assert.deepEqual(refusals(spec, { hasAppArmor: false }, { [key]: 'unconfined' }), [
      'AppArmor spec.containers[0].securityContext.appArmorProfile.type',
    ]);
    assert.deepEqual(refusals({}, { hasAppArmor: false }, { [key]: 'localhost/web' }), [
      `AppArmor metadata.annotations[${key}]`,
    ]);
  });

  it('refuses strict groups where the runtime merges them', () => {
    const spec = { securityContext: { supplementalGroupsPolicy: 'Strict' as const } };
    assert.deepEqual(refusals(spec, { hasStrictGroups: false }), [
      'SupplementalGroupsPolicyNotSupported spec.securityContext.supplementalGroupsPolicy',
    ]);
  });

  it('names several fields at once, and what to do about each', () => {
    const judged = pod({
      ...inContainer({ lifecycle: { stopSignal: 'SIGUSR1' } }),
      volumes: [{ name: 'v', iscsi: { targetPortal: 's', iqn: 'i', lun: 0 } }],
    });
    const messages = judgePod({ pod: judged, ...host }).refusals.map(({ message }) => message);
    assert.equal(messages.length, 2);
    assert.match(messages.join('\n'), /^spec\.volumes\[0\]\.iscsi: .*it has emptyDir, /m);
    assert.match(messages.join('\n'), /^spec\.containers\[0\]\.lifecycle\.stopSignal: ./m);
  });
});

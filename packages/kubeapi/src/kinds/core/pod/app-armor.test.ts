import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Pod } from '../../../generated/types.ts';
import { adoptAppArmor } from './app-armor.ts';

const key = 'container.apparmor.security.beta.kubernetes.io/a';
const told = `metadata.annotations[${key}]: deprecated since v1.30; use the "appArmorProfile" field instead`;

function adopt(annotation: string, spec: object = {}) {
  const pod = {
    metadata: { annotations: { [key]: annotation } },
    spec: { containers: [{ name: 'a' }], ...spec },
  } as Pod;
  const warnings = adoptAppArmor(pod);
  return { profile: pod.spec.containers[0]?.securityContext?.appArmorProfile, warnings };
}

describe('a profile of AppArmor that an annotation names', () => {
  it('becomes the field of its container, and who wrote it is told', () => {
    assert.deepEqual(adopt('runtime/default'), { profile: { type: 'RuntimeDefault' }, warnings: [told] });
    assert.deepEqual(adopt('unconfined').profile, { type: 'Unconfined' });
    assert.deepEqual(adopt('localhost/own').profile, { type: 'Localhost', localhostProfile: 'own' });
  });

  it('is only told of where no field can say it', () => {
    for (const text of ['', 'other', 'localhost/', 'localhost/ padded', `localhost/${'x'.repeat(5000)}`])
      assert.deepEqual(adopt(text), { profile: undefined, warnings: [told] });
  });

  it('leaves fields alone, the pod’s where both say the same, and all of another system', () => {
    const own = { appArmorProfile: { type: 'Unconfined' } };
    const containers = [{ name: 'a', securityContext: own }];
    assert.deepEqual(adopt('unconfined', { containers }).warnings, []);
    assert.deepEqual(adopt('unconfined', { securityContext: own }), { profile: undefined, warnings: [] });
    assert.deepEqual(adopt('runtime/default', { securityContext: own }).profile, { type: 'RuntimeDefault' });
    assert.deepEqual(adopt('unconfined', { os: { name: 'windows' } }).warnings, []);
  });
});

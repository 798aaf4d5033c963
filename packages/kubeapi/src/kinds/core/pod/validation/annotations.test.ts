import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Pod } from '../../../../generated/types.ts';
import type { FieldError } from '../../../../status/field-error.ts';
import { contradictedFields, validateAnnotationChange, validatePodAnnotations } from './annotations.ts';

const spec = (more: object = {}) => ({ containers: [{ name: 'a' }], ...more }) as Pod['spec'];
const texts = (errors: readonly FieldError[]) => errors.map(({ field, body }) => `${field}: ${body}`);
const alone = (annotations: Record<string, string>, more: object = {}) =>
  texts(validatePodAnnotations(annotations, spec(more), { field: 'metadata.annotations' }));
const changed = (after: Record<string, string>, before: Record<string, string>) => {
  const pod = (annotations: Record<string, string>) => ({
    metadata: { annotations },
    spec: spec({ nodeName: 'n' }),
  });
  return texts(validateAnnotationChange(pod(after), pod(before)));
};

const mirror = 'kubernetes.io/config.mirror';
const cost = 'controller.kubernetes.io/pod-deletion-cost';
const armor = 'container.apparmor.security.beta.kubernetes.io/';
const seccomp = 'container.seccomp.security.alpha.kubernetes.io/a';

describe('annotations of pods', () => {
  it('of mirrors need a node, and neither come nor go', () => {
    assert.deepEqual(alone({ [mirror]: 'x' }, { nodeName: 'n' }), []);
    assert.match(
      alone({ [mirror]: 'x' })[0] ?? '',
      /must set spec\.nodeName if mirror pod annotation is set/,
    );
    const field = `metadata.annotations[${mirror}]: Forbidden:`;
    assert.deepEqual(changed({ [mirror]: 'x' }, {}), [`${field} may not add mirror pod annotation`]);
    assert.deepEqual(changed({}, { [mirror]: 'x' }), [
      `${field} may not remove or update mirror pod annotation`,
    ]);
    assert.deepEqual(changed({ [mirror]: 'x', own: '1' }, { [mirror]: 'x' }), []);
  });

  it('of AppArmor name a container and a profile, and stay', () => {
    assert.deepEqual(alone({ [`${armor}a`]: 'localhost/own' }), []);
    assert.match(alone({ [`${armor}b`]: 'unconfined' })[0] ?? '', /Invalid value: "b": container not found/);
    assert.match(alone({ [`${armor}a`]: 'other' })[0] ?? '', /invalid AppArmor profile name: "other"/);
    assert.match(changed({ [`${armor}a`]: 'unconfined' }, {})[0] ?? '', /may not add AppArmor annotations/);
    const before = { [`${armor}a`]: 'runtime/default' };
    assert.match(
      changed({ [`${armor}a`]: 'unconfined' }, before)[0] ?? '',
      /may not remove or update AppArmor/,
    );
  });

  it('of what a deletion costs are whole numbers of 32 bits; a wrong one from before may stay', () => {
    for (const number of ['0', '-5', '2147483647', '-2147483648'])
      assert.deepEqual(alone({ [cost]: number }), []);
    for (const text of ['', '+1', '01', '1.5', '2147483648', 'x'])
      assert.match(alone({ [cost]: text })[0] ?? '', /must be a 32bit integer/, text);
    assert.deepEqual(changed({ [cost]: '01' }, { [cost]: 'x' }), []);
  });

  it('of seccomp name a profile', () => {
    for (const name of ['runtime/default', 'docker/default', 'unconfined', 'localhost/a/b'])
      assert.deepEqual(alone({ [seccomp]: name }), []);
    assert.match(alone({ [seccomp]: 'localhost/../b' })[0] ?? '', /must not contain '\.\.'/);
    assert.match(alone({ [seccomp]: 'own' })[0] ?? '', /must be a valid seccomp profile/);
  });

  it('contradict no field that says the same today', () => {
    const context = {
      seccompProfile: { type: 'RuntimeDefault' },
      appArmorProfile: { type: 'Localhost', localhostProfile: 'x' },
    };
    const containers = [{ name: 'a', securityContext: context }];
    const found = (annotations: Record<string, string>) =>
      texts(contradictedFields(annotations, spec({ containers }), 'spec'));
    assert.deepEqual(found({ [seccomp]: 'docker/default', [`${armor}a`]: 'localhost/x' }), []);
    assert.deepEqual(found({ [seccomp]: 'unconfined', [`${armor}a`]: 'localhost/y' }), [
      'spec.containers[0].securityContext.seccompProfile.type: Forbidden: seccomp type in annotation and field must match',
      'spec.containers[0].securityContext.appArmorProfile.localhostProfile: Forbidden: apparmor profile in annotation and field must match',
    ]);
  });
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { TestParts } from '../../test/test-parts.ts';
import { userInfo } from '../authentication/identity.ts';
import type { ApiObject } from '../objects/api-object.ts';
import type { AdmissionRequest } from './admission.ts';
import { defaultIngressClass } from './default-ingress-class.ts';

it('an ingress without a class gets the newest of the default ones', async () => {
  const parts = await TestParts.start();
  const plugin = defaultIngressClass(parts.all);
  const classOf = async (object: object) => {
    const ingress = { metadata: { name: 'a', namespace: 'default' }, ...object } as ApiObject;
    const request = { operation: 'CREATE', object: ingress, user: userInfo('somebody', []) };
    await plugin.admit?.(request as unknown as AdmissionRequest);
    return ingress.spec?.['ingressClassName'];
  };
  const isDefault = { 'ingressclass.kubernetes.io/is-default-class': 'true' };
  const put = (name: string, creationTimestamp: string, annotations = {}) =>
    parts.put('networking.k8s.io/v1/ingressclasses', {
      metadata: { name, creationTimestamp, annotations } as { name: string },
    });
  await put('other', '2026-01-03T00:00:00Z');
  assert.equal(await classOf({}), undefined);
  await put('older', '2026-01-01T00:00:00Z', isDefault);
  await put('newer', '2026-01-02T00:00:00Z', isDefault);
  assert.equal(await classOf({ spec: { rules: [] } }), 'newer');
  assert.equal(await classOf({ spec: { ingressClassName: 'other' } }), 'other');
  const annotations = { 'kubernetes.io/ingress.class': 'old' };
  assert.equal(await classOf({ metadata: { name: 'a', annotations }, spec: {} }), undefined);
  await parts.close();
});

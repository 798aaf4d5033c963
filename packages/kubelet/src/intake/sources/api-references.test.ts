import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PodSpec } from '@wherry/kubeapi';
import { container } from '../../../test/builders.ts';
import { apiReferences } from './api-references.ts';

const secretEnv = container('a', {
  env: [{ name: 'E', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }],
});
const volume = (source: object): Partial<PodSpec> => ({ volumes: [{ name: 'v', ...source }] });

const referring: [what: string, spec: Partial<PodSpec>, named: string[]][] = [
  ['a Secret as a volume', volume({ secret: { secretName: 's' } }), ['secret']],
  ['a ConfigMap as a volume', volume({ configMap: { name: 'm' } }), ['configMap']],
  ['a claim', volume({ persistentVolumeClaim: { claimName: 'c' } }), ['persistentVolumeClaim']],
  ['a projected Secret', volume({ projected: { sources: [{ secret: { name: 's' } }] } }), ['projected']],
  [
    'a projected token',
    volume({ projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }),
    ['projected'],
  ],
  ["a container's variable", { containers: [secretEnv] }, ['env']],
  ["an init container's variable", { initContainers: [secretEnv] }, ['env']],
  [
    'the variables of a ConfigMap',
    { containers: [container('a', { envFrom: [{ configMapRef: { name: 'm' } }] })] },
    ['envFrom'],
  ],
  ['a service account', { serviceAccountName: 'a' }, ['serviceAccountName']],
  ['a pull secret', { imagePullSecrets: [{ name: 's' }] }, ['imagePullSecrets']],
];
for (const [what, spec, named] of referring) {
  test(`a static pod may not reference API objects: ${what}`, () => {
    assert.deepEqual(apiReferences({ containers: [container('a')], ...spec }), named);
  });
}

test('a static pod may have what needs no API server', () => {
  const items = [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }];
  const volumes = [
    { name: 'a', emptyDir: {} },
    { name: 'b', hostPath: { path: '/b' } },
    { name: 'c', downwardAPI: { items } },
    { name: 'd', projected: { sources: [{ downwardAPI: { items } }] } },
  ];
  assert.deepEqual(apiReferences({ containers: [container('a')], volumes }), []);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { container, pod } from '../../test/builders.ts';
import { annotationsOf, containerAnnotations, restoredContainer } from './labels.ts';

test('a container whose spec is gone has its hook and the ports that this may name, as far as they can be read', () => {
  const lifecycle = { preStop: { httpGet: { port: 'web', path: '/bye' } } };
  const ports = [{ name: 'web', containerPort: 8080 }];
  const one = container('a', { lifecycle, ports });
  const annotations = annotationsOf(pod({ containers: [one] }), one, 0);
  assert.deepEqual(restoredContainer('a', annotations), { name: 'a', lifecycle, ports });
  assert.deepEqual(restoredContainer('a', {}), { name: 'a' });
  const broken = { [containerAnnotations.preStopHandler]: '{', [containerAnnotations.ports]: '{}' };
  assert.deepEqual(restoredContainer('a', broken), { name: 'a' });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod } from '@wherry/kubeapi';
import { chooseContainer } from './container-choice.ts';

const pod = (annotations: Record<string, string> = {}) =>
  ({
    metadata: { name: 'p', annotations },
    spec: {
      containers: [{ name: 'a' }, { name: 'b' }],
      ephemeralContainers: [{ name: 'd' }],
      initContainers: [{ name: 'i' }],
    },
  }) as unknown as Pod;

function choose(from: Pod, wanted?: string, quiet = false) {
  const lines: string[] = [];
  const { name } = chooseContainer(from, { wanted, quiet, warn: (line) => lines.push(line) });
  return { name, lines };
}

test('without a wish the first container is taken and the choice is said', () => {
  const lines = ['Defaulted container "a" out of: a, b, d (ephem), i (init)'];
  assert.deepEqual(choose(pod()), { name: 'a', lines });
  assert.deepEqual(choose(pod(), undefined, true), { name: 'a', lines: [] });
});

test('the annotation decides silently, the wish above all', () => {
  const annotated = pod({ 'kubectl.kubernetes.io/default-container': 'b' });
  assert.deepEqual(choose(annotated), { name: 'b', lines: [] });
  assert.deepEqual(choose(annotated, 'i'), { name: 'i', lines: [] });
});

test('a container that the pod lacks is refused with those it has', () => {
  assert.throws(
    () => choose(pod(), 'x'),
    /container x is not valid for pod p out of: a, b, d \(ephem\), i \(init\)/,
  );
});

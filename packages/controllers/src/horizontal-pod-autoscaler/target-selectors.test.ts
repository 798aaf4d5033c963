import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod } from '@wherry/kubeapi';
import { TargetSelectors } from './target-selectors.ts';

const pod = (name: string, namespace: string): Pod => ({
  metadata: { name, namespace, labels: { app: 'web' } },
  spec: { containers: [] },
});

test('pods that two autoscalers would scale are told by both names, until one of them is gone', () => {
  const selectors = new TargetSelectors(() => [pod('a', 'n'), pod('b', 'other')]);
  const namesOf = (key: string, text = 'app=web') => {
    const chosen = selectors.choose(key, text);
    return 'condition' in chosen
      ? chosen.condition.message
      : chosen.pods.map(({ metadata }) => metadata.name);
  };
  assert.deepEqual(namesOf('n/one'), ['a']);
  assert.deepEqual(namesOf('other/one'), ['b']);
  assert.match(String(namesOf('n/two')), /controlled by multiple HPAs: \[n\/one n\/two\]/);
  selectors.forget('n/one');
  assert.deepEqual(namesOf('n/two'), ['a']);
  assert.match(String(namesOf('n/two', '')), /missing a selector/);
});

test('a selector that is none is told of, and is nobody’s', () => {
  const selectors = new TargetSelectors(() => [pod('a', 'n')]);
  for (const text of ['map[app:web', '{"app":"web"}', 'app in']) {
    const chosen = selectors.choose('n/one', text);
    assert.ok('condition' in chosen, text);
    assert.equal(chosen.condition.reason, 'InvalidSelector');
    assert.match(chosen.event.message, /couldn't convert selector/);
  }
});

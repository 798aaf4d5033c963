import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Pod, PodDisruptionBudget } from '@wherry/kubeapi';
import { SharedPods } from './shared-pods.ts';

it('a pod of several budgets is told so once, and again when they are others', () => {
  const told: string[] = [];
  const shared = new SharedPods({
    record: (_pod, { reason, message }) => told.push(`${reason}: ${message}`),
  });
  const pod: Pod = { metadata: { namespace: 'n', name: 'p', uid: 'u' }, spec: { containers: [] } };
  const budgets = (...names: string[]) =>
    names.map((name) => ({ metadata: { name } }) as PodDisruptionBudget);
  shared.look(pod, budgets('b'));
  assert.deepEqual(told, []);
  shared.look(pod, budgets('b', 'a'));
  shared.look(pod, budgets('a', 'b'));
  assert.deepEqual(told, [
    'MultiplePodDisruptionBudgets: Pod "n"/"p" matches multiple PodDisruptionBudgets.  Chose "a" arbitrarily.',
  ]);
  shared.look(pod, budgets('a', 'c'));
  shared.forget(pod);
  shared.look(pod, budgets('a', 'c'));
  assert.equal(told.length, 3);
});

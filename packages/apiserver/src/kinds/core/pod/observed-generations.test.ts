import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Pod, PodCondition } from '@wherry/kubeapi';
import { keepObservedGenerations } from './observed-generations.ts';

const pod = (observedGeneration: number | undefined, conditions: [string, number?][]): Pod => ({
  metadata: { name: 'web', generation: 3 },
  spec: { containers: [] },
  status: {
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
    conditions: conditions.map(
      ([type, generation]): PodCondition => ({
        ...{ type, status: 'True' },
        ...(generation === undefined ? {} : { observedGeneration: generation }),
      }),
    ),
  },
});

it('a status without generations takes none back', () => {
  const next = pod(undefined, [['Own'], ['Ready'], ['Own'], ['New'], ['Own']]);
  keepObservedGenerations(
    next,
    pod(2, [
      ['Ready', 2],
      ['Own', 1],
      ['Own', 3],
      ['Gone', 1],
    ]),
  );
  assert.deepEqual(next, pod(2, [['Own', 1], ['Ready', 2], ['Own', 3], ['New'], ['Own']]));
});

it('generations that are told count', () => {
  const next = pod(3, [['Ready', 3]]);
  keepObservedGenerations(next, pod(2, [['Ready', 2]]));
  assert.deepEqual(next, pod(3, [['Ready', 3]]));
});

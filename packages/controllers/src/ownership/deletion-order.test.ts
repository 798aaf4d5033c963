import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Pod, timeFromMs } from '@wherry/kubeapi';
import { deletionCost, inDeletionOrder, inPlainDeletionOrder } from './deletion-order.ts';

const nowMs = 1_700_000_000_000;

interface Facts {
  node?: string;
  phase?: 'Pending' | 'Running';
  readyForSeconds?: number;
  cost?: string;
  restarts?: number;
  ageSeconds?: number;
}

const podOf = (name: string, facts: Facts = {}): Pod => {
  const { node = 'n', phase = 'Running', readyForSeconds = 10, cost, restarts = 0, ageSeconds = 100 } = facts;
  const lastTransitionTime = timeFromMs(nowMs - readyForSeconds * 1000);
  const main = { name: 'main', image: '', imageID: '', ready: true, restartCount: restarts };
  return {
    metadata: {
      name,
      uid: name,
      creationTimestamp: timeFromMs(nowMs - ageSeconds * 1000),
      ...(cost ? { annotations: { 'controller.kubernetes.io/pod-deletion-cost': cost } } : {}),
    },
    spec: { containers: [], ...(node ? { nodeName: node } : {}) },
    status: {
      phase,
      conditions: [{ type: 'Ready', status: readyForSeconds < 0 ? 'False' : 'True', lastTransitionTime }],
      containerStatuses: [main],
    },
  };
};

it('pods go in the order in which they are missed least', () => {
  const pods = [
    podOf('i-old', { ageSeconds: 5000 }),
    podOf('h-young', { ageSeconds: 100 }),
    podOf('g-restarted', { restarts: 3 }),
    podOf('f-short', { readyForSeconds: 2 }),
    podOf('e-crowded', { node: 'm' }),
    podOf('d-cheap', { cost: '-5' }),
    podOf('c-unready', { readyForSeconds: -1 }),
    podOf('b-pending', { phase: 'Pending' }),
    podOf('a-unplaced', { node: '' }),
  ];
  const crowd = Array.from({ length: 20 }, (_, index) => podOf(`other-${index}`, { node: 'm' }));
  const order = inDeletionOrder(pods, [...pods, ...crowd], nowMs).map(({ metadata }) => metadata.name?.[0]);
  assert.equal(order.join(''), 'abcdefghi');
});

it('pods of a job go by their ages, however near these are, and whatever they cost', () => {
  const pods = [
    podOf('e-old', { ageSeconds: 101 }),
    podOf('d-young', { ageSeconds: 100, cost: '7' }),
    podOf('c-restarted', { restarts: 3 }),
    podOf('b-short', { readyForSeconds: 9, cost: '9' }),
    podOf('a-unready', { readyForSeconds: -1 }),
  ];
  const order = inPlainDeletionOrder(pods).map(({ metadata }) => metadata.name?.[0]);
  assert.equal(order.join(''), 'abcde');
});

it('what a pod costs is a number of 32 bits without a plus or zeros before it; all else costs nothing', () => {
  const costs = ['0', '7', '-7', '-07', '2147483647', '-2147483648'];
  assert.deepEqual(
    costs.map((cost) => deletionCost(podOf('a', { cost }))),
    [0, 7, -7, -7, 2_147_483_647, -2_147_483_648],
  );
  const others = ['+7', '07', '2147483648', '-2147483649', 'much', '1e3'];
  for (const cost of others) assert.equal(deletionCost(podOf('a', { cost })), 0, cost);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { affinityChanges, orderedFrontends, shareOf } from './service-state.ts';
import type { Endpoint } from './services/endpoints.ts';
import type { Frontend } from './services/frontends.ts';
import { ordersIn } from './table/elements.ts';

const endpoint = (last: number): Endpoint => ({
  ...{ ip: `10.88.0.${last}`, port: 8080, isLocal: true, isReady: true, isServingWhileTerminating: false },
  ...{ nodeHints: [], zoneHints: [] },
});
const frontend = (affinitySeconds: number | undefined, ...lasts: number[]): Frontend => ({
  ...{ address: '10.96.0.7', protocol: 'TCP', port: 80, whenNone: 'refuse' },
  ...{ affinitySeconds, endpoints: lasts.map(endpoint), serving: lasts.map(endpoint) },
});
const none = new Map();
const shown = (...[before, after, found = none]: [Frontend[], Frontend[], ReturnType<typeof ordersIn>?]) => {
  const earlier = orderedFrontends(before, [], none);
  const now = orderedFrontends(after, earlier, found);
  return affinityChanges({ before: earlier, after: now, found }).map(({ order, numbers }) =>
    order.map(({ ip, port }) => `${ip.split('.')[3]}→${numbers.get(`${ip}:${port}`)}`).join(' '),
  );
};

test('clients go along with their endpoint’s number, and are let go where it is gone', () => {
  assert.deepEqual(shown([frontend(60, 1, 2, 3)], [frontend(60, 2, 3)]), ['1→undefined 2→1 3→0']);
  assert.deepEqual(shown([frontend(60, 1, 2)], []), ['1→undefined 2→undefined']);
});

test('where clients begin to stay, what was remembered before counts for nothing', () => {
  assert.deepEqual(shown([frontend(undefined, 1, 2)], [frontend(60, 1, 2)]), ['']);
  assert.deepEqual(shown([frontend(undefined, 1)], [frontend(undefined, 2)]), []);
});

test('what an earlier process left in the kernel keeps its order and its clients', () => {
  const found = ordersIn(
    'ip',
    shareOf('ip', orderedFrontends([frontend(60, 3, 1, 2)], [], none)).elements ?? [],
  );
  assert.deepEqual(shown([], [frontend(60, 1, 2, 3)], found), ['3→0 1→1 2→2']);
  assert.deepEqual(shown([], [frontend(60, 1, 2)], found), ['3→undefined 1→1 2→0']);
});

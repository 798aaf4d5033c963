import assert from 'node:assert/strict';
import { test } from 'node:test';
import { container, pod } from '../../../test/builders.ts';
import { chooseVictims, describeUnmet } from './choose-victims.ts';

const gibibyte = 1_024 ** 3;

/** A pod of that name that asks for millicores and Gi of memory; Guaranteed where it may use no more. */
function running(name: string, cpu: number, memory: number, { priority = 0, isGuaranteed = false } = {}) {
  const amounts = { cpu: `${cpu}m`, memory: `${memory}Gi` };
  const resources =
    cpu + memory === 0 ? {} : { requests: amounts, ...(isGuaranteed ? { limits: amounts } : {}) };
  return pod({ containers: [container('a', { resources })], priority }, { name, uid: name });
}

const critical = pod({ containers: [container('a')], priority: 2_000_000_000 }, { uid: 'critical' });
const lack = (resource: string, amount: number) => ({
  resource,
  requested: amount,
  used: 100,
  capacity: 100,
});
const bestEffort = running('best-effort', 0, 0);
const small = running('small', 100, 1);
const large = running('large', 500, 4);
const guaranteed = running('guaranteed', 100, 1, { isGuaranteed: true });
const all = [guaranteed, large, bestEffort, small];
const names = (shortages: ReturnType<typeof lack>[], from = all) =>
  chooseVictims(critical, from, shortages)?.map(({ metadata }) => metadata.name);

test('of a class goes the pod that comes nearest to what is missing, the smaller of two', () => {
  assert.deepEqual(names([lack('cpu', 100)]), ['small']);
  assert.deepEqual(names([lack('cpu', 101)]), ['large']);
  assert.deepEqual(names([lack('cpu', 100), lack('memory', 2 * gibibyte)]), ['large']);
  assert.deepEqual(names([lack('cpu', 550)]), ['large', 'small']);
});

test('Guaranteed pods go only for what all others together do not free', () => {
  assert.deepEqual(names([lack('cpu', 650)]), ['large', 'small', 'guaranteed']);
  assert.deepEqual(names([lack('cpu', 600)]), ['large', 'small']);
});

test('a pod that asks for nothing goes when there are too many pods', () => {
  assert.deepEqual(names([lack('pods', 1)]), ['best-effort']);
});

test('critical pods go for none but those of a higher priority; nobody goes when it would not do', () => {
  const peer = running('peer', 500, 1, { priority: 2_000_000_000 });
  assert.equal(names([lack('cpu', 100)], [peer]), undefined);
  assert.equal(names([lack('cpu', 701)]), undefined);
  const highest = pod({ containers: [container('a')], priority: 2_000_001_000 });
  assert.equal(chooseVictims(highest, [peer], [lack('cpu', 100)])?.length, 1);
});

test('what is told as missing is what would still be, were all gone that may go', () => {
  const shortages = [lack('cpu', 701), lack('memory', gibibyte), lack('pods', 9)];
  assert.equal(describeUnmet(critical, all, shortages), '[(res: cpu, q: 1), (res: pods, q: 5), ]');
  assert.equal(describeUnmet(critical, [], [lack('cpu', 1)]), '[(res: cpu, q: 1), ]');
});

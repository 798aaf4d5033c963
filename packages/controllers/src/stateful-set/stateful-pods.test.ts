import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Pod, type StatefulSet, timeFromMs } from '@wherry/kubeapi';
import { revisionHashLabel } from '../ownership/revision-history.ts';
import { ordinalOf } from './identity.ts';
import { outdated } from './stateful-pods.ts';

const nowMs = 1_800_000_000_000;
const setOf = (replicas: number, rollingUpdate: object, start = 0): StatefulSet => ({
  metadata: { name: 'db', namespace: 'default' },
  spec: {
    ...{ replicas, serviceName: 'db', selector: {}, ordinals: { start } },
    updateStrategy: { type: 'RollingUpdate', rollingUpdate },
    template: { spec: { containers: [] } },
  },
});
const podOf = (ordinal: number, revision: string, status: 'True' | 'False' = 'True'): Pod => ({
  metadata: { name: `db-${ordinal}`, labels: { [revisionHashLabel]: revision } },
  spec: { containers: [] },
  status: {
    phase: 'Running',
    conditions: [{ type: 'Ready', status, lastTransitionTime: timeFromMs(nowMs - 60_000) }],
  },
});
function going(set: StatefulSet, pods: readonly Pod[]): string[] {
  const replicas = new Map(pods.map((pod) => [ordinalOf(set, pod) ?? -1, pod]));
  const version = (revision: string) => ({ revision, template: set.spec.template });
  const turn = { set, pods, nowMs, current: version('old'), update: version('new') };
  const found = outdated({ ...turn, signal: AbortSignal.timeout(1_000) }, [...replicas.keys()], replicas);
  return found.map(({ metadata }) => metadata.name ?? '');
}

it('one outdated pod goes at a time, from the last, while those above it serve', () => {
  const set = setOf(3, {});
  assert.deepEqual(going(set, [podOf(0, 'old'), podOf(1, 'old'), podOf(2, 'old')]), ['db-2']);
  assert.deepEqual(going(set, [podOf(0, 'old'), podOf(1, 'old'), podOf(2, 'new')]), ['db-1']);
  assert.deepEqual(going(set, [podOf(0, 'old'), podOf(1, 'old'), podOf(2, 'new', 'False')]), []);
});

it('the partition counts from the first ordinal, also while a pod below it is missing', () => {
  const set = setOf(4, { partition: 2 }, 10);
  assert.deepEqual(going(set, [podOf(11, 'old'), podOf(12, 'old'), podOf(13, 'new')]), ['db-12']);
  assert.deepEqual(going(set, [podOf(11, 'old'), podOf(12, 'new'), podOf(13, 'new')]), []);
});

it('as many outdated pods go as may be unavailable beside those that are or that are missing', () => {
  const set = setOf(5, { maxUnavailable: 3 });
  const old = [0, 1, 2, 3, 4].map((ordinal) => podOf(ordinal, 'old'));
  assert.deepEqual(going(set, old), ['db-4', 'db-3', 'db-2']);
  assert.deepEqual(going(set, old.with(0, podOf(0, 'old', 'False'))), ['db-4', 'db-3']);
  assert.deepEqual(going(set, old.slice(2)), ['db-4']);
});

it('a pod whose number is none that a set can have is nobody’s', () => {
  const ordinal = (name: string) => ordinalOf(setOf(1, {}), { metadata: { name }, spec: { containers: [] } });
  assert.deepEqual(['db-0', 'db-2147483647'].map(ordinal), [0, 2_147_483_647]);
  assert.deepEqual(['db-01', 'db-2147483648', 'db-x', 'web-0'].map(ordinal), Array(4).fill(undefined));
});

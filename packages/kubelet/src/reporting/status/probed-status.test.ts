import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PodCondition, PodStatus } from '@wherry/kubeapi';
import { container, pod } from '../../../test/builders.ts';
import { withProbed } from './probed-status.ts';

const gate = 'example.com/open';
const of = pod({ containers: [container('a'), container('b')], readinessGates: [{ conditionType: gate }] });
const before = '2026-01-01T00:00:00Z';
const now = '2026-01-01T00:01:00Z';
const running = (name: string) => ({
  ...{ name, ready: true, started: true, containerID: `wherry://${name}-0` },
  state: { running: { startedAt: before } },
});
const condition = (type: string, status = 'True') => ({ type, status, lastTransitionTime: before });
const status = {
  phase: 'Running',
  conditions: [condition('Initialized'), condition('Ready'), condition('ContainersReady'), condition(gate)],
  containerStatuses: [running('a'), running('b')],
} as PodStatus;

const probed = (containerId: string, part: { ready: boolean } | { started: boolean }, from = status) =>
  withProbed(from, { containerId, part }, { pod: { ...of, status: from }, now });
const told = (conditions: readonly PodCondition[] = []) =>
  conditions.map(({ type, status: value, lastTransitionTime }) => `${type}=${value} ${lastTransitionTime}`);

test('a container that fails its readiness probe makes its pod unready, and ready again', () => {
  const unready = probed('b-0', { ready: false });
  assert.deepEqual(
    unready?.containerStatuses?.map(({ ready }) => ready),
    [true, false],
  );
  assert.deepEqual(told(unready?.conditions), [
    `Initialized=True ${before}`,
    `Ready=False ${now}`,
    `ContainersReady=False ${now}`,
    `${gate}=True ${before}`,
  ]);
  assert.equal(unready?.conditions?.[1]?.message, 'containers with unready status: [b]');
  assert.deepEqual(told(probed('b-0', { ready: true }, unready)?.conditions)[1], `Ready=True ${now}`);
});

test('a gate that is shut keeps a pod unready whose containers are ready', () => {
  const shut = {
    ...status,
    conditions: [
      condition('Ready', 'False'),
      condition('ContainersReady', 'False'),
      condition(gate, 'False'),
    ],
  };
  const unready = {
    ...shut,
    containerStatuses: [running('a'), { ...running('b'), ready: false }],
  } as PodStatus;
  const ready = probed('b-0', { ready: true }, unready);
  assert.deepEqual(told(ready?.conditions), [
    `Ready=False ${before}`,
    `ContainersReady=True ${now}`,
    `${gate}=False ${before}`,
  ]);
  assert.equal(ready?.conditions?.[0]?.reason, 'ReadinessGatesNotReady');
});

test('what is said already, of a container that is unknown or of one that has ended, changes nothing', () => {
  const ended = { ...running('a'), state: { terminated: { exitCode: 0 } }, ready: false };
  assert.equal(probed('a-0', { ready: true }), undefined);
  assert.equal(probed('a-0', { started: true }), undefined);
  assert.equal(probed('a-1', { ready: false }), undefined);
  assert.equal(
    probed('a-0', { ready: true }, { ...status, containerStatuses: [ended] } as PodStatus),
    undefined,
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Container, ResourceRequirements } from '@wherry/kubeapi';
import { container, pod, record, verdicts } from '../../../test/builders.ts';
import type { Allocation } from '../../pod/allocation.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { computePodActions } from './compute-pod-actions.ts';
import { isIdle } from './pod-actions.ts';
import { isResizing } from './resize-actions.ts';

const sized = (cpu: string, memory: string): ResourceRequirements => ({
  requests: { cpu, memory },
  limits: { cpu, memory },
});
const running = (of: AssignedPod) =>
  record(
    of,
    [...(of.spec.initContainers ?? []), ...of.spec.containers].map(({ name }) => ({
      name,
      state: 'running',
    })),
  );
const had = (entries: Record<string, ResourceRequirements>, whole?: ResourceRequirements): Allocation => ({
  pod: whole,
  containers: new Map(Object.entries(entries)),
});
const plan = (of: AssignedPod, actuated: Allocation | undefined) =>
  computePodActions(of, running(of), verdicts(), actuated);
const one = (resources: ResourceRequirements, more: Partial<Container> = {}) =>
  pod({ containers: [container('a', { resources, ...more })] });

test('what runs with what was granted is left alone, however it is written', () => {
  const of = one(sized('1', '1Gi'));
  const actuated = had({ a: sized('1000m', '1024Mi') });
  assert.ok(isIdle(plan(of, actuated)));
  assert.equal(isResizing(of, running(of), actuated), false);
});

test('what nobody noted is left alone: it was made before notes were kept', () => {
  assert.ok(isIdle(plan(one(sized('1', '1Gi')), undefined)));
});

test('other amounts change while the container runs; those that shrink come first', () => {
  const of = pod({
    containers: [
      container('grows', { resources: sized('2', '1Gi') }),
      container('shrinks', { resources: sized('1', '1Gi') }),
    ],
  });
  const actuated = had({ grows: sized('1', '1Gi'), shrinks: sized('2', '1Gi') });
  const { resize, kill, start } = plan(of, actuated);
  assert.deepEqual(
    resize.cpu.map(({ container: { name } }) => name),
    ['shrinks', 'grows'],
  );
  assert.deepEqual([resize.memory, resize.wholePod, kill, start], [[], false, [], []]);
  assert.equal(isResizing(of, running(of), actuated), true);
});

test('a container that wants to is started anew for the resource that it named, and for no other', () => {
  const resizePolicy = [
    { resourceName: 'memory', restartPolicy: 'RestartContainer' },
    { resourceName: 'cpu', restartPolicy: 'NotRequired' },
  ];
  const memory = plan(one(sized('1', '2Gi'), { resizePolicy }), had({ a: sized('1', '1Gi') }));
  assert.deepEqual(
    memory.kill.map(({ cause, message }) => [cause, message]),
    [['resize', 'Container a resize requires restart']],
  );
  assert.deepEqual([memory.start.length, memory.resize.wholePod], [1, true]);
  const cpu = plan(one(sized('2', '1Gi'), { resizePolicy }), had({ a: sized('1', '1Gi') }));
  assert.deepEqual([cpu.kill.length, cpu.resize.cpu.length, cpu.resize.wholePod], [0, 1, false]);
});

test('sidecars are resized too, with a restart where they want one', () => {
  const resizePolicy = [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }];
  const sidecar = (more: object) =>
    pod({
      initContainers: [container('s', { restartPolicy: 'Always', resources: sized('2', '1Gi'), ...more })],
      containers: [container('a')],
    });
  const actuated = had({ s: sized('1', '1Gi'), a: {} });
  assert.equal(plan(sidecar({}), actuated).resize.cpu.length, 1);
  const restarted = plan(sidecar({ resizePolicy }), actuated);
  assert.deepEqual(
    [restarted.kill.map(({ target }) => target.container.name), restarted.resize.wholePod],
    [['s'], true],
  );
});

test('limits of the whole pod hold for containers without their own, and change with it', () => {
  const of = pod({
    resources: sized('2', '2Gi'),
    containers: [container('free'), container('own', { resources: sized('1', '1Gi') })],
  });
  const limited = { limits: { cpu: '1', memory: '2Gi' } };
  const { resize } = plan(of, had({ free: limited, own: sized('1', '1Gi') }, sized('1', '2Gi')));
  assert.deepEqual(
    [resize.wholePod, resize.cpu.map(({ container: { name } }) => name), resize.memory.length],
    [true, ['free'], 0],
  );
});

test('a pod that was started without resources of its own is given those that it declares later', () => {
  const of = pod({
    resources: sized('2', '2Gi'),
    containers: [container('own', { resources: sized('1', '1Gi') })],
  });
  const actuated = had({ own: sized('1', '1Gi') });
  assert.equal(plan(of, actuated).resize.wholePod, true);
  assert.equal(isResizing(of, running(of), actuated), true);
  assert.ok(isIdle(plan(of, undefined)));
});

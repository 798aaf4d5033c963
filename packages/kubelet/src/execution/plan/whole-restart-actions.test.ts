import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PodSandboxState } from '@wherry/cri';
import { container, pod, record, sandboxStatus, verdicts } from '../../../test/builders.ts';
import { computePodActions } from './compute-pod-actions.ts';
import { isIdle } from './pod-actions.ts';

const restartPolicyRules = [{ action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [42] } }];
const of = pod({
  restartPolicy: 'Never',
  initContainers: [container('i'), container('s', { restartPolicy: 'Always' })],
  containers: [container('cause', { restartPolicy: 'Never', restartPolicyRules }), container('b')],
});
const runs = record(of, [
  { name: 'b', state: 'running', restartCount: 1 },
  { name: 'b', state: 'exited' },
  { name: 'cause', state: 'exited', exitCode: 42 },
  { name: 's', state: 'running' },
  { name: 'i', state: 'exited' },
]);
const plan = (from = runs) => computePodActions(of, from, verdicts(), undefined, { isRestartingWhole: true });

test('all that the runtime has of a pod that begins anew goes, the container whose end wanted it last', () => {
  const actions = plan();
  assert.deepEqual(
    actions.reset.map(({ containerId, isLive }) => [containerId, isLive]),
    [
      ['b-1', true],
      ['b-0', false],
      ['i-0', false],
      ['s-0', true],
      ['cause-0', false],
    ],
  );
  assert.deepEqual([actions.kill, actions.start, actions.killPod, isIdle(actions)], [[], [], false, false]);
});

test('a pod that begins anew and has lost its sandbox is given another one first', () => {
  const lost = { ...runs, sandboxes: [sandboxStatus(of, { state: PodSandboxState.SANDBOX_NOTREADY })] };
  const { reset, start, killPod, createSandbox } = plan(lost);
  assert.deepEqual([reset, start, killPod, createSandbox], [[], [], true, true]);
});

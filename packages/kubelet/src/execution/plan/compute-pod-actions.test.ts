import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NamespaceMode, PodSandboxState } from '@wherry/cri';
import { container, pod, record, sandboxStatus, verdicts } from '../../../test/builders.ts';
import type { PodRecord } from '../../observation/pod-record.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { computePodActions } from './compute-pod-actions.ts';
import { changesAnything, isIdle, type PodActions } from './pod-actions.ts';

const plan = (of: AssignedPod, runs: PodRecord, said = verdicts()) => computePodActions(of, runs, said);
const started = ({ start }: PodActions) => start.map((target) => target.container.name);
const killed = ({ kill }: PodActions) => kill.map(({ containerId }) => containerId);
const two = pod({ containers: [container('a'), container('b')] });

test('a new pod gets a sandbox and all its containers', () => {
  const actions = plan(two, record(two, [], { sandboxes: [] }));
  assert.deepEqual([actions.createSandbox, actions.attempt, started(actions)], [true, 0, ['a', 'b']]);
  assert.equal(actions.announceSandbox, false);
});

test('a pod that runs as it should is left alone', () => {
  const runs = record(two, [
    { name: 'a', state: 'running' },
    { name: 'b', state: 'running' },
  ]);
  assert.ok(isIdle(plan(two, runs)));
});

test('a pod with init containers starts with the first of them alone', () => {
  const withInit = pod({ initContainers: [container('i1'), container('i2')], containers: [container('a')] });
  assert.deepEqual(started(plan(withInit, record(withInit, [], { sandboxes: [] }))), ['i1']);
});

test('a sandbox that is not ready is replaced, and that is said', () => {
  const sandboxes = [sandboxStatus(two, { state: PodSandboxState.SANDBOX_NOTREADY })];
  const actions = plan(two, record(two, [{ name: 'a', state: 'exited' }], { sandboxes }));
  assert.deepEqual([actions.killPod, actions.createSandbox, actions.attempt], [true, true, 1]);
  assert.equal(actions.announceSandbox, true);
});

test('a sandbox without an address is replaced, unless the pod is on the host network', () => {
  const nowhere = { network: { ip: '', additionalIps: [] } };
  assert.equal(plan(two, record(two, [], { sandboxes: [sandboxStatus(two, nowhere)] })).createSandbox, true);
  const onHost = pod({ hostNetwork: true, containers: [container('a')] });
  const sandboxes = [sandboxStatus(onHost, nowhere)];
  assert.equal(plan(onHost, record(onHost, [], { sandboxes })).createSandbox, false);
});

test('a changed network mode replaces the sandbox without an event', () => {
  const options = { network: NamespaceMode.NODE, ipc: 0, pid: 1, targetId: '' } as const;
  const sandboxes = [sandboxStatus(two, { linux: { namespaces: { options } } })];
  const actions = plan(two, record(two, [], { sandboxes }));
  assert.deepEqual([actions.createSandbox, actions.announceSandbox], [true, false]);
});

test('a pod that is never restarted gets no second sandbox', () => {
  const never = pod({ restartPolicy: 'Never', containers: [container('a')] });
  const sandboxes = [sandboxStatus(never, { state: PodSandboxState.SANDBOX_NOTREADY })];
  const actions = plan(never, record(never, [{ name: 'a', state: 'exited', exitCode: 1 }], { sandboxes }));
  assert.deepEqual([actions.killPod, actions.createSandbox, started(actions)], [true, false, []]);
});

test('a pod that is never restarted gets a second sandbox when its container never began in the first', () => {
  const never = pod({ restartPolicy: 'Never', containers: [container('a')] });
  const sandboxes = [sandboxStatus(never, { state: PodSandboxState.SANDBOX_NOTREADY })];
  const actions = plan(never, record(never, [{ name: 'a', state: 'created' }], { sandboxes }));
  assert.deepEqual([actions.createSandbox, started(actions)], [true, ['a']]);
});

test('to stop a pod of which nothing runs any more changes nothing: no look follows at once', () => {
  const stop: PodActions = { ...plan(two, record(two, [])), killPod: true, createSandbox: false, start: [] };
  const over = [sandboxStatus(two, { state: PodSandboxState.SANDBOX_NOTREADY })];
  const looksAgain = (state: 'running' | 'created' | 'exited', sandboxes?: typeof over) =>
    changesAnything(stop, record(two, [{ name: 'a', state }], sandboxes && { sandboxes }));
  assert.deepEqual([looksAgain('created', over), looksAgain('exited', over)], [false, false]);
  assert.deepEqual([looksAgain('running', over), looksAgain('exited')], [true, true]);
});

for (const [policy, exitCode, restarts] of [
  ['Always', 0, true],
  ['Always', 1, true],
  ['OnFailure', 0, false],
  ['OnFailure', 1, true],
  ['Never', 0, false],
  ['Never', 1, false],
] as const) {
  test(`with policy ${policy} exit code ${exitCode} ${restarts ? 'restarts' : 'does not restart'} a container`, () => {
    const one = pod({ restartPolicy: policy, containers: [container('a'), container('b')] });
    const actions = plan(
      one,
      record(one, [
        { name: 'a', state: 'exited', exitCode },
        { name: 'b', state: 'running' },
      ]),
    );
    assert.deepEqual(started(actions), restarts ? ['a'] : []);
    assert.equal(actions.killPod, false);
  });
}

test('a pod with nothing left to run loses its sandbox', () => {
  const job = pod({ restartPolicy: 'OnFailure', containers: [container('a')] });
  const actions = plan(job, record(job, [{ name: 'a', state: 'exited', exitCode: 0 }]));
  assert.deepEqual([actions.killPod, actions.createSandbox], [true, false]);
});

test("rules on exit codes come before the container's and the pod's policy", () => {
  const restartPolicyRules = [{ action: 'Restart', exitCodes: { operator: 'In', values: [42] } }];
  const one = pod({
    restartPolicy: 'Never',
    containers: [container('a', { restartPolicy: 'Never', restartPolicyRules }), container('b')],
  });
  const after = (exitCode: number) =>
    plan(
      one,
      record(one, [
        { name: 'a', state: 'exited', exitCode },
        { name: 'b', state: 'running' },
      ]),
    );
  assert.deepEqual(started(after(42)), ['a']);
  assert.deepEqual(started(after(1)), []);
});

test('a container of another image than the spec says is replaced', () => {
  const runs = record(two, [
    { name: 'a', state: 'running', image: 'demo:0' },
    { name: 'b', state: 'running' },
  ]);
  const actions = plan(two, runs);
  assert.deepEqual([killed(actions), started(actions)], [['a-0'], ['a']]);
  assert.equal(actions.kill[0]?.message, 'Container a definition changed, will be restarted');
});

test('a failed liveness probe kills and restarts, or only kills where nothing restarts', () => {
  const probed = (restartPolicy: 'Always' | 'Never') =>
    pod({ restartPolicy, containers: [container('a', { livenessProbe: {} }), container('b')] });
  const said = verdicts({ liveness: { 'a-0': 'failure' } });
  const runs = (of: AssignedPod) =>
    record(of, [
      { name: 'a', state: 'running' },
      { name: 'b', state: 'running' },
    ]);
  const always = plan(probed('Always'), runs(probed('Always')), said);
  assert.deepEqual([killed(always), started(always)], [['a-0'], ['a']]);
  assert.equal(always.kill[0]?.message, 'Container a failed liveness probe, will be restarted');
  const never = plan(probed('Never'), runs(probed('Never')), said);
  assert.deepEqual([killed(never), started(never)], [['a-0'], []]);
});

test('a container of unknown state is killed before it is started again', () => {
  const actions = plan(
    two,
    record(two, [
      { name: 'a', state: 'unknown' },
      { name: 'b', state: 'running' },
    ]),
  );
  assert.deepEqual([killed(actions), started(actions)], [['a-0'], ['a']]);
});

test('a pod that is being deleted gets no container back', () => {
  const leaving = pod(
    { containers: [container('a'), container('b')] },
    { deletionTimestamp: '2026-01-01T00:00:00Z' },
  );
  const runs = record(leaving, [
    { name: 'a', state: 'exited', exitCode: 1 },
    { name: 'b', state: 'running' },
  ]);
  assert.deepEqual(started(plan(leaving, runs)), []);
});

const initialized = pod({
  initContainers: [container('i1'), container('side', { restartPolicy: 'Always' }), container('i2')],
  containers: [container('a')],
});

test('init containers run one after the other', () => {
  const steps: [Parameters<typeof record>[1], string[]][] = [
    [[{ name: 'i1', state: 'running' }], []],
    [[{ name: 'i1', state: 'exited', exitCode: 0 }], ['side']],
    [
      [
        { name: 'side', state: 'running' },
        { name: 'i1', state: 'exited' },
      ],
      ['i2'],
    ],
    [
      [
        { name: 'i2', state: 'running' },
        { name: 'side', state: 'running' },
      ],
      [],
    ],
    [
      [
        { name: 'i2', state: 'exited' },
        { name: 'side', state: 'running' },
      ],
      ['a'],
    ],
  ];
  for (const [runs, expected] of steps) {
    assert.deepEqual(started(plan(initialized, record(initialized, runs))), expected);
  }
});

test('a sidecar holds the next init container back until its startup probe has passed', () => {
  const probed = pod({
    initContainers: [container('side', { restartPolicy: 'Always', startupProbe: {} }), container('i2')],
    containers: [container('a')],
  });
  const runs = record(probed, [{ name: 'side', state: 'running' }]);
  assert.deepEqual(started(plan(probed, runs)), []);
  assert.deepEqual(started(plan(probed, runs, verdicts({ startup: { 'side-0': 'success' } }))), ['i2']);
});

test('a sidecar that is started anew holds nothing back once it counted as started', () => {
  const side = container('side', { restartPolicy: 'Always', livenessProbe: {}, startupProbe: {} });
  const [first, last] = [
    pod({ initContainers: [side, container('i2')], containers: [container('a')] }),
    pod({ initContainers: [side], containers: [container('a')] }),
  ];
  const said = verdicts({ startup: { 'side-0': 'success' }, liveness: { 'side-0': 'failure' } });
  const of = (one: AssignedPod, image: string) =>
    plan(one, record(one, [{ name: 'side', state: 'running', image }]), said);
  assert.deepEqual(killed(of(first, 'demo:1')), ['side-0']);
  assert.deepEqual(started(of(first, 'demo:1')), ['side', 'i2']);
  assert.deepEqual(started(of(last, 'demo:1')), ['side', 'a']);
  assert.deepEqual(started(of(last, 'demo:0')), ['side', 'a']);
});

test('of a sidecar whose startup probe has not passed nothing but that probe decides', () => {
  const side = container('side', { restartPolicy: 'Always', livenessProbe: {}, startupProbe: {} });
  const one = pod({ initContainers: [side], containers: [container('a')] });
  const runs = record(one, [{ name: 'side', state: 'running', image: 'demo:0' }]);
  assert.ok(isIdle(plan(one, runs, verdicts({ liveness: { 'side-0': 'failure' } }))));
  const failed = plan(one, runs, verdicts({ startup: { 'side-0': 'failure' } }));
  assert.deepEqual([killed(failed), started(failed)], [['side-0'], ['side']]);
});

test('an init container of which a process was killed for memory has failed, whatever its exit code', () => {
  const of = (restartPolicy: 'Always' | 'OnFailure' | 'Never') => {
    const one = pod({ restartPolicy, initContainers: [container('i1')], containers: [container('a')] });
    const ended = record(one, [{ name: 'i1', state: 'exited', exitCode: 0 }]);
    const containers = ended.containers.map((status) => ({ ...status, reason: 'OOMKilled' }));
    return plan(one, { ...ended, containers });
  };
  assert.deepEqual([started(of('Always')), started(of('OnFailure'))], [['i1'], ['i1']]);
  assert.deepEqual([of('Never').killPod, started(of('Never'))], [true, []]);
});

test('a sidecar that ends is started again at any time', () => {
  const runs = record(initialized, [
    { name: 'a', state: 'running' },
    { name: 'side', state: 'exited', exitCode: 0 },
  ]);
  assert.deepEqual(started(plan(initialized, runs)), ['side']);
});

test('a failed init container is run again, or ends the pod where nothing restarts', () => {
  const of = (restartPolicy: 'Always' | 'Never') =>
    pod({ restartPolicy, initContainers: [container('i1')], containers: [container('a')] });
  const failed = (one: AssignedPod) => record(one, [{ name: 'i1', state: 'exited', exitCode: 1 }]);
  assert.deepEqual(started(plan(of('Always'), failed(of('Always')))), ['i1']);
  assert.equal(plan(of('Never'), failed(of('Never'))).killPod, true);
});

test('an ephemeral container is started once', () => {
  const debugged = pod({ containers: [container('a')], ephemeralContainers: [container('debug')] });
  const runs = record(debugged, [{ name: 'a', state: 'running' }]);
  assert.deepEqual(started(plan(debugged, runs)), ['debug']);
  const again = record(debugged, [
    { name: 'debug', state: 'exited', exitCode: 1 },
    { name: 'a', state: 'running' },
  ]);
  assert.deepEqual(started(plan(debugged, again)), []);
});

test('an ephemeral container whose end was told is not started again where the runtime has forgotten it', () => {
  const debugged = pod({ containers: [container('a')], ephemeralContainers: [container('debug')] });
  const runs = record(debugged, [{ name: 'a', state: 'running' }]);
  const withState = (state: object): AssignedPod => ({
    ...debugged,
    status: {
      ephemeralContainerStatuses: [
        { name: 'debug', state, ready: false, restartCount: 0, image: 'i', imageID: 'i' },
      ],
    },
  });
  assert.deepEqual(started(plan(withState({ terminated: { exitCode: 0 } }), runs)), []);
  assert.deepEqual(started(plan(withState({ waiting: {} }), runs)), ['debug']);
});

test('whether a container comes back at once after a kill says its policy: its rules wait for the exit code', () => {
  const restartPolicyRules = [{ action: 'Restart', exitCodes: { operator: 'In', values: [137] } }];
  const ruled = container('a', { livenessProbe: {}, restartPolicy: 'Never', restartPolicyRules });
  const one = pod({ containers: [ruled, container('b')] });
  const b = { name: 'b', state: 'running' } as const;
  const said = verdicts({ liveness: { 'a-0': 'failure' } });
  const actions = plan(one, record(one, [{ name: 'a', state: 'running' }, b]), said);
  assert.deepEqual([killed(actions), started(actions)], [['a-0'], []]);
  const ended = record(one, [{ name: 'a', state: 'exited', exitCode: 137 }, b]);
  assert.deepEqual(started(plan(one, ended, said)), ['a']);
});

test('why a sidecar, or a container of unknown state, is killed is said in upstream words', () => {
  const probed = pod({
    initContainers: [container('side', { restartPolicy: 'Always', livenessProbe: {} })],
    containers: [container('a')],
  });
  const messages = (runs: Parameters<typeof record>[1]) =>
    plan(probed, record(probed, runs), verdicts({ liveness: { 'side-0': 'failure' } })).kill.map(
      ({ message }) => message,
    );
  const running = { name: 'side', state: 'running' } as const;
  const ofA = { name: 'a', state: 'running' } as const;
  assert.deepEqual(messages([running, ofA]), ['Init container side failed liveness probe']);
  assert.deepEqual(messages([{ ...running, image: 'demo:0' }, ofA]), [
    'Init container side definition changed',
  ]);
  assert.deepEqual(messages([{ ...running, state: 'unknown' }, ofA]), [
    'Init container is in "unknown" state, try killing it before restart',
  ]);
  assert.deepEqual(
    plan(two, record(two, [{ name: 'a', state: 'unknown' }])).kill.map(({ message }) => message),
    ['Container is in "unknown" state, try killing it before restart'],
  );
});

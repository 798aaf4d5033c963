import assert from 'node:assert/strict';
import { test } from 'node:test';
import { container, pod, type RecordedContainer, record, sandboxStatus } from '../../../test/builders.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { type PodStatusContext, podStatus, withoutEnd } from './pod-status.ts';

const nowMs = Date.parse('2026-01-01T00:00:00Z');

function statusOf(of: AssignedPod, runs: RecordedContainer[], more: Partial<PodStatusContext> = {}) {
  return podStatus({
    pod: of,
    record: record(of, runs),
    previous: undefined,
    runtimeName: 'wherry',
    hostIps: ['192.0.2.1'],
    nowMs,
    isTerminating: false,
    waitingReason: () => undefined,
    isStarted: () => true,
    isReady: () => true,
    ...more,
  });
}

const one = pod({ containers: [container('a')] });
const condition = (status: ReturnType<typeof podStatus>, type: string) =>
  status.conditions?.find((candidate) => candidate.type === type);

test('a pod whose container was not made yet is Pending', () => {
  const status = statusOf(one, []);
  assert.equal(status.phase, 'Pending');
  assert.equal(status.containerStatuses?.[0]?.state?.waiting?.reason, 'ContainerCreating');
  assert.equal(condition(status, 'ContainersReady')?.message, 'containers with unready status: [a]');
});

test('a running pod has its phase, conditions, addresses and container ID', () => {
  const status = statusOf(one, [{ name: 'a', state: 'running' }]);
  assert.equal(status.phase, 'Running');
  assert.deepEqual(
    status.conditions?.map(({ type, status: value }) => `${type}=${value}`),
    [
      'PodReadyToStartContainers=True',
      'Initialized=True',
      'Ready=True',
      'ContainersReady=True',
      'PodScheduled=True',
    ],
  );
  assert.deepEqual(status.podIPs, [{ ip: '10.0.0.5' }]);
  assert.equal(status.hostIP, '192.0.2.1');
  assert.equal(status.containerStatuses?.[0]?.containerID, 'wherry://a-0');
  assert.equal(status.startTime, '2026-01-01T00:00:00Z');
});

test("a pod on the machine's network has the machine's addresses before its sandbox stands", () => {
  const nothing = (of: AssignedPod) => ({ record: { ...record(of, []), sandboxes: [] } });
  const onHost = pod({ containers: [container('a')], hostNetwork: true });
  assert.deepEqual(statusOf(onHost, [], nothing(onHost)).podIPs, [{ ip: '192.0.2.1' }]);
  assert.equal(statusOf(one, [], nothing(one)).podIPs, undefined);
});

test("an address that the runtime tells of a pod on the machine's network is that pod's, beside the machine's of the other family", () => {
  const onHost = pod({ containers: [container('a')], hostNetwork: true });
  const ips = (ip: string, additional: string[] = []) => {
    const network = { ip, additionalIps: additional.map((one) => ({ ip: one })) };
    const told = { ...record(onHost, []), sandboxes: [sandboxStatus(onHost, { network })] };
    return statusOf(onHost, [], { record: told, hostIps: ['192.0.2.1', '2001:db8::1'] }).podIPs;
  };
  assert.deepEqual(ips(''), [{ ip: '192.0.2.1' }, { ip: '2001:db8::1' }]);
  assert.deepEqual(ips('198.51.100.1'), [{ ip: '198.51.100.1' }, { ip: '2001:db8::1' }]);
  assert.deepEqual(ips('2001:db8::2'), [{ ip: '2001:db8::2' }]);
  assert.deepEqual(ips('2001:db8::2', ['198.51.100.1']), [{ ip: '198.51.100.1' }, { ip: '2001:db8::2' }]);
});

test("of a pod's addresses the one of the node's family comes first, and one of each is told", () => {
  const network = { ip: '10.0.0.5', additionalIps: [{ ip: 'fd00::5' }, { ip: 'fd00::6' }] };
  const both = record(one, [], { sandboxes: [sandboxStatus(one, { network })] });
  const told = (hostIp: string) => statusOf(one, [], { record: both, hostIps: [hostIp] }).podIPs;
  assert.deepEqual(told('192.0.2.1'), [{ ip: '10.0.0.5' }, { ip: 'fd00::5' }]);
  assert.deepEqual(told('2001:db8::1'), [{ ip: 'fd00::5' }, { ip: '10.0.0.5' }]);
});

test('what ends a pod is told only once its containers have stopped', () => {
  const verdict = { phase: 'Failed' as const, reason: 'DeadlineExceeded', message: 'too long' };
  const ended = statusOf(one, [{ name: 'a', state: 'running' }], { verdict });
  assert.deepEqual([ended.phase, ended.reason], ['Failed', 'DeadlineExceeded']);
  const told = ({ phase, reason, message }: ReturnType<typeof podStatus>) => [phase, reason, message];
  assert.deepEqual(told(withoutEnd(ended, { phase: 'Pending' })), ['Pending', undefined, undefined]);
  const before = { phase: 'Running' as const, reason: 'Known', message: 'before' };
  assert.deepEqual(told(withoutEnd(ended, before)), ['Running', 'Known', 'before']);
  assert.equal(condition(withoutEnd(ended, before), 'Ready')?.reason, 'PodFailed');
});

for (const [policy, exitCodes, phase] of [
  ['Always', [0], 'Running'],
  ['OnFailure', [0], 'Succeeded'],
  ['OnFailure', [1], 'Running'],
  ['Never', [0], 'Succeeded'],
  ['Never', [1], 'Failed'],
  ['Never', [0, 1], 'Failed'],
] as const) {
  test(`with policy ${policy}, containers that exited ${exitCodes.join(' and ')} make the pod ${phase}`, () => {
    const names = exitCodes.map((_, index) => `c${index}`);
    const of = pod({ restartPolicy: policy, containers: names.map((name) => container(name)) });
    const runs = exitCodes.map((exitCode, index) => ({
      name: `c${index}`,
      state: 'exited' as const,
      exitCode,
    }));
    assert.equal(statusOf(of, runs).phase, phase);
  });
}

test('a pod that crashes and waits is still Running, and says how it ended before', () => {
  const waiting = { reason: 'CrashLoopBackOff', message: 'back-off 10s' };
  const status = statusOf(one, [{ name: 'a', state: 'exited', exitCode: 5, restartCount: 2 }], {
    waitingReason: () => waiting,
  });
  assert.equal(status.phase, 'Running');
  const [shown] = status.containerStatuses ?? [];
  assert.deepEqual(shown?.state, { waiting });
  assert.equal(shown?.lastState?.terminated?.exitCode, 5);
  assert.equal(shown?.restartCount, 2);
});

test('a final phase never changes', () => {
  const previous = { phase: 'Failed' as const, reason: 'Evicted', message: 'low on memory' };
  const status = statusOf(one, [{ name: 'a', state: 'running' }], { previous });
  assert.deepEqual([status.phase, status.reason, status.message], ['Failed', 'Evicted', 'low on memory']);
});

test('a pod that was made to end and whose containers ended in order is Succeeded, and a disruption still', () => {
  const killed = { phase: 'Failed' as const, reason: 'Preempting', message: 'room for a critical pod' };
  const verdict = { ...killed, isDisruption: true, yieldsToSuccess: true };
  const ended = (exitCode: number, verdict: PodStatusContext['verdict']) =>
    statusOf(one, [{ name: 'a', state: 'exited', exitCode }], { isTerminating: true, verdict });
  const succeeded = ended(0, verdict);
  assert.deepEqual([succeeded.phase, succeeded.reason], ['Succeeded', undefined]);
  assert.equal(condition(succeeded, 'DisruptionTarget')?.status, 'True');
  assert.deepEqual([ended(143, verdict).phase, ended(143, verdict).reason], ['Failed', 'Preempting']);
  assert.equal(ended(0, killed).phase, 'Failed', 'what its deadline ends has failed');
});

test('a deleted pod whose container ended in order is Succeeded', () => {
  const status = statusOf(one, [{ name: 'a', state: 'exited', exitCode: 0 }], { isTerminating: true });
  assert.equal(status.phase, 'Succeeded');
});

test('a stopped pod with a container that never ran is Failed with ContainerStatusUnknown', () => {
  const status = statusOf(one, [], { isTerminating: true });
  assert.equal(status.phase, 'Failed');
  assert.equal(status.containerStatuses?.[0]?.state?.terminated?.reason, 'ContainerStatusUnknown');
});

test('a container that never ran in a pod that was stopped has no earlier end, whatever kept it', () => {
  const more = {
    isTerminating: true,
    waitingReason: () => ({ reason: 'ImagePullBackOff', message: 'Back-off pulling image' }),
  };
  const previous = statusOf(one, [], more);
  const [shown] = statusOf(one, [], { ...more, previous }).containerStatuses ?? [];
  assert.deepEqual(shown?.lastState, {});
  assert.equal(shown?.state?.terminated?.reason, 'ContainerStatusUnknown');
});

test('a container that waited for its restart when its pod was stopped is told as it ended', () => {
  const status = statusOf(one, [{ name: 'a', state: 'exited', exitCode: 5 }], {
    isTerminating: true,
    waitingReason: () => ({ reason: 'CrashLoopBackOff', message: 'back-off 10s' }),
  });
  assert.equal(status.containerStatuses?.[0]?.state?.terminated?.exitCode, 5);
});

test('an ephemeral container is never told to be ready or started, as it has no probes', () => {
  const of = pod({ containers: [container('a')], ephemeralContainers: [container('debug')] });
  const runs = ['a', 'debug'].map((name) => ({ name, state: 'running' as const }));
  for (const known of [runs, []]) {
    const [shown] = statusOf(of, known).ephemeralContainerStatuses ?? [];
    assert.deepEqual([shown?.ready, shown?.started], [false, undefined]);
  }
});

test('behind an init container that failed for good the others stay waiting, and the pod is not initialized', () => {
  const of = pod({
    restartPolicy: 'Never',
    initContainers: [container('i'), container('j')],
    containers: [container('a')],
  });
  const runs = [{ name: 'i', state: 'exited' as const, exitCode: 9 }];
  const previous = statusOf(of, runs);
  for (const known of [undefined, previous]) {
    const status = statusOf(of, runs, { isTerminating: true, previous: known });
    assert.equal(status.phase, 'Failed');
    const waiting = [...(status.initContainerStatuses ?? []).slice(1), ...(status.containerStatuses ?? [])];
    const reasons = waiting.map(({ state }) => state?.waiting?.reason);
    assert.deepEqual(reasons, ['PodInitializing', 'PodInitializing']);
    assert.equal(condition(status, 'Initialized')?.reason, 'ContainersNotInitialized');
  }
});

test('a pod that is deleted while an init container runs is Failed, and its containers stay waiting', () => {
  const of = pod({ initContainers: [container('i')], containers: [container('a')] });
  const status = statusOf(of, [{ name: 'i', state: 'exited', exitCode: 143 }], { isTerminating: true });
  assert.equal(status.phase, 'Failed');
  assert.equal(status.containerStatuses?.[0]?.state?.waiting?.reason, 'PodInitializing');
});

test('a pod whose init containers succeeded is Failed with ContainerStatusUnknown where a container never ran', () => {
  const of = pod({ initContainers: [container('i')], containers: [container('a')] });
  const status = statusOf(of, [{ name: 'i', state: 'exited', exitCode: 0 }], { isTerminating: true });
  assert.equal(status.phase, 'Failed');
  assert.equal(status.containerStatuses?.[0]?.state?.terminated?.reason, 'ContainerStatusUnknown');
});

test('init containers keep the pod Pending and uninitialized', () => {
  const of = pod({ initContainers: [container('i')], containers: [container('a')] });
  const status = statusOf(of, [{ name: 'i', state: 'running' }]);
  assert.equal(status.phase, 'Pending');
  assert.equal(condition(status, 'Initialized')?.message, 'containers with incomplete status: [i]');
  assert.equal(status.containerStatuses?.[0]?.state?.waiting?.reason, 'PodInitializing');
});

test('an init container that failed for good makes the pod Failed', () => {
  const of = pod({ restartPolicy: 'Never', initContainers: [container('i')], containers: [container('a')] });
  assert.equal(statusOf(of, [{ name: 'i', state: 'exited', exitCode: 1 }]).phase, 'Failed');
});

test('a container that vanished while running counts as a restart', () => {
  const previous = statusOf(one, [{ name: 'a', state: 'running', restartCount: 1 }]);
  const [shown] = statusOf(one, [], { previous }).containerStatuses ?? [];
  assert.equal(shown?.restartCount, 2);
  assert.equal(shown?.lastState?.terminated?.reason, 'ContainerStatusUnknown');
});

test('a container that vanished while its pod was being deleted has an end of which nothing is known, and is no restart', () => {
  const previous = statusOf(one, [{ name: 'a', state: 'running', restartCount: 1 }]);
  const leaving = pod({ containers: [container('a')] }, { deletionTimestamp: '2026-01-01T00:00:00Z' });
  const status = statusOf(leaving, [], { previous });
  const [shown] = status.containerStatuses ?? [];
  assert.deepEqual([status.phase, shown?.restartCount], ['Running', 1]);
  assert.equal(shown?.state?.waiting?.reason, 'ContainerCreating');
  assert.equal(shown?.lastState?.terminated?.reason, 'ContainerStatusUnknown');
  const over = statusOf(leaving, [], { previous: status, isTerminating: true });
  assert.equal(over.phase, 'Failed');
  assert.equal(over.containerStatuses?.[0]?.state?.terminated?.reason, 'ContainerStatusUnknown');
  assert.match(String(over.containerStatuses?.[0]?.lastState?.terminated?.message), /used to be Running/);
});

test('a container that runs after one whose end was told has been started once more, whatever its record counts', () => {
  const previous = statusOf(one, [{ name: 'a', state: 'exited', exitCode: 1, restartCount: 5 }]);
  const runs: RecordedContainer[] = [{ name: 'a', state: 'running', id: 'new', restartCount: 0 }];
  const status = statusOf(one, runs, { previous });
  assert.equal(status.containerStatuses?.[0]?.restartCount, 6);
  assert.equal(status.containerStatuses?.[0]?.lastState?.terminated?.exitCode, 1);
  assert.equal(statusOf(one, runs, { previous: status }).containerStatuses?.[0]?.restartCount, 6);
});

const ran = { restartPolicy: 'Always' as const, startupProbe: {} };
const withSidecar = pod({
  initContainers: [container('i'), container('s', ran)],
  containers: [container('a')],
});
const allRun: RecordedContainer[] = [
  { name: 'i', state: 'exited', exitCode: 0 },
  { name: 's', state: 'running' },
  { name: 'a', state: 'running' },
];

test('after the machine started again a pod is Pending while its first sidecar starts, and stays initialized', () => {
  const told = (status: ReturnType<typeof podStatus>) => [
    status.phase,
    condition(status, 'Initialized')?.status,
    ...[...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])].map(
      ({ name, state, lastState, restartCount }) =>
        `${name} ${Object.keys(state ?? {})} ${lastState?.terminated?.reason ?? ''} ${restartCount}`,
    ),
  ];
  const before = statusOf(withSidecar, allRun);
  assert.equal(before.phase, 'Running');
  const gone = statusOf(withSidecar, [], { previous: before });
  const lost = 'waiting ContainerStatusUnknown 1';
  assert.deepEqual(told(gone), ['Running', 'True', 'i terminated  0', `s ${lost}`, `a ${lost}`]);
  const starts = { previous: gone, isStarted: () => false };
  const again = statusOf(withSidecar, [{ name: 's', state: 'running', restartCount: 1 }], starts);
  assert.deepEqual(told(again).slice(0, 2), ['Pending', 'True']);
  const begun = statusOf(withSidecar, allRun, { previous: again, isStarted: () => false });
  assert.equal(begun.phase, 'Running');
});

test('a pod that must not restart is Failed when the machine started again under its init container', () => {
  const of = pod({ restartPolicy: 'Never', initContainers: [container('i')], containers: [container('a')] });
  const before = statusOf(of, [{ name: 'i', state: 'running' }]);
  assert.deepEqual([before.phase, statusOf(of, [], { previous: before }).phase], ['Pending', 'Failed']);
});

test('a container of which the runtime knows no state has ended once more if it ran, and is waited for if it never did', () => {
  const lost = [{ name: 'a', state: 'unknown' as const, restartCount: 1 }];
  const told = (previous?: ReturnType<typeof podStatus>) => {
    const status = statusOf(one, lost, { previous });
    const [shown] = status.containerStatuses ?? [];
    return { status, told: [shown?.restartCount, shown?.state?.terminated?.reason, shown?.state?.waiting] };
  };
  assert.deepEqual(told().told, [1, undefined, {}]);
  const ran = statusOf(one, [{ name: 'a', state: 'running', restartCount: 1 }]);
  const first = told(ran);
  assert.deepEqual(first.told, [2, 'ContainerStatusUnknown', undefined]);
  assert.deepEqual(told(first.status).told, [2, 'ContainerStatusUnknown', undefined]);
});

test('a container that had ended before keeps that end when it vanishes', () => {
  const first = statusOf(one, [{ name: 'a', state: 'exited', exitCode: 3 }]);
  const second = statusOf(one, [{ name: 'a', state: 'running', restartCount: 1 }], { previous: first });
  const terminated = { exitCode: 3, reason: 'Error' };
  const known = second.containerStatuses?.map((status) => ({ ...status, lastState: { terminated } }));
  const [shown] =
    statusOf(one, [], { previous: { ...second, containerStatuses: known ?? [] } }).containerStatuses ?? [];
  assert.deepEqual([shown?.lastState?.terminated, shown?.restartCount], [terminated, 1]);
});

test('a pod that begins anew says so until its containers are gone, and counts that as a restart of each', () => {
  const exitCodes = { operator: 'In' as const, values: [42] };
  const restartPolicyRules = [{ action: 'RestartAllContainers' as const, exitCodes }];
  const of = pod({
    restartPolicy: 'Never',
    initContainers: [container('i')],
    containers: [container('a', { restartPolicy: 'Never', restartPolicyRules }), container('b')],
  });
  const begun: RecordedContainer[] = [
    { name: 'i', state: 'exited' },
    { name: 'b', state: 'running' },
  ];
  const told = (status: ReturnType<typeof podStatus>) => [
    status.phase,
    condition(status, 'AllContainersRestarting')?.status,
    condition(status, 'Initialized')?.status,
    ...[...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])].map(
      ({ name, restartCount, state }) => `${name} ${restartCount} ${state?.waiting?.reason ?? ''}`,
    ),
  ];
  const runs = statusOf(of, [...begun, { name: 'a', state: 'running' }]);
  assert.deepEqual(told(runs), ['Running', 'False', 'True', 'i 0 ', 'a 0 ', 'b 0 ']);
  const wanted = statusOf(of, [...begun, { name: 'a', state: 'exited', exitCode: 42 }], { previous: runs });
  assert.deepEqual(told(wanted), ['Running', 'True', 'True', 'i 0 ', 'a 0 ', 'b 0 ']);
  const removed = statusOf(of, [], { previous: wanted });
  const waits = 'RestartingAllContainers';
  assert.deepEqual(told(removed), [
    ...['Running', 'False', 'True'],
    ...[`i 1 ${waits}`, `a 1 ${waits}`, `b 1 ${waits}`],
  ]);
  const [again] =
    statusOf(of, [{ name: 'i', state: 'running' }], { previous: removed }).initContainerStatuses ?? [];
  assert.deepEqual([again?.restartCount, again?.lastState?.terminated?.reason], [1, waits]);
  assert.equal(condition(statusOf(one, []), 'AllContainersRestarting'), undefined);
});

test('readiness gates hold the pod back', () => {
  const of = pod({ containers: [container('a')], readinessGates: [{ conditionType: 'example.com/ready' }] });
  const closed = statusOf(of, [{ name: 'a', state: 'running' }]);
  assert.equal(condition(closed, 'Ready')?.reason, 'ReadinessGatesNotReady');
  const open = { ...of, status: { conditions: [{ type: 'example.com/ready', status: 'True' as const }] } };
  assert.equal(condition(statusOf(open, [{ name: 'a', state: 'running' }]), 'Ready')?.status, 'True');
});

test('a condition keeps its transition time while its status stays', () => {
  const first = statusOf(one, [{ name: 'a', state: 'running' }]);
  const later = statusOf(one, [{ name: 'a', state: 'running' }], { previous: first, nowMs: nowMs + 60_000 });
  assert.equal(condition(later, 'Ready')?.lastTransitionTime, '2026-01-01T00:00:00Z');
});

const sized = (cpu: string, memory: string) =>
  pod({ containers: [container('a', { resources: { limits: { cpu, memory }, requests: { cpu } } })] });
const running = { cpuShares: 512, cpuPeriod: 100_000, cpuQuota: 50_000, memoryLimitInBytes: 64 * 1_048_576 };

/** The status of a container that the runtime runs with the numbers of `running`. */
function statusOfSized(of: AssignedPod) {
  const runs = record(of, [{ name: 'a', state: 'running' }]);
  const containers = runs.containers.map((status) => ({ ...status, resources: { linux: running } }));
  const status = statusOf(of, [], { record: { ...runs, containers } as unknown as typeof runs });
  return status.containerStatuses?.[0];
}

test('a pod has its resources as a whole in its status, also where only its containers declare them, or nobody does', () => {
  const told = ({ resources, allocatedResources }: ReturnType<typeof podStatus>) => ({
    resources,
    allocatedResources,
  });
  assert.deepEqual(told(statusOf(one, [])), { resources: {}, allocatedResources: undefined });
  const amounts = { requests: { cpu: '100m', 'ephemeral-storage': '1Gi' }, limits: { memory: '64Mi' } };
  const of = pod({ containers: ['a', 'b'].map((name) => container(name, { resources: amounts })) });
  const requests = { cpu: '200m', 'ephemeral-storage': '2Gi' };
  const limits = { memory: '128Mi' };
  assert.deepEqual(told(statusOf(of, [])), { resources: { requests, limits }, allocatedResources: requests });
  const runs = { ...of, status: { phase: 'Running' as const } };
  assert.deepEqual(told(statusOf(runs, [])).resources, { requests: { cpu: '200m' }, limits });
  const both = ['a', 'b'].map((name) => ({ name, state: 'running' as const }));
  assert.deepEqual(told(statusOf(of, both)).resources, { requests: { cpu: '200m' }, limits });
  const whole = { requests: { memory: '1Gi' }, limits: { cpu: '2' } };
  const declared = { ...of, spec: { ...of.spec, resources: whole } };
  assert.deepEqual(told(statusOf(declared, [], { actuated: { requests: { memory: '512Mi' } } })), {
    resources: { requests: { ...requests, memory: '512Mi' }, limits },
    allocatedResources: { ...requests, memory: '1Gi' },
  });
});

test('resources that are in force are told in the words of the spec', () => {
  const { resources, allocatedResources } = statusOfSized(sized('0.5', '64Mi')) ?? {};
  assert.deepEqual(resources, { limits: { cpu: '0.5', memory: '64Mi' }, requests: { cpu: '0.5' } });
  assert.deepEqual(allocatedResources, { cpu: '0.5' });
});

test('a running container whose resize is on its way is told to have what is in force and what was granted', () => {
  const { resources, allocatedResources } = statusOfSized(sized('2', '1Gi')) ?? {};
  assert.deepEqual(resources, {
    limits: { cpu: '500m', memory: String(running.memoryLimitInBytes) },
    requests: { cpu: '500m' },
  });
  assert.deepEqual(allocatedResources, { cpu: '2' });
});

test('a mount counts as read-only all the way down when the runtime made it so', () => {
  const volumeMounts = ['one', 'two'].map((name) => ({ name, mountPath: `/${name}`, readOnly: true }));
  const of = pod({ containers: [container('a', { volumeMounts })] });
  const runs = record(of, [{ name: 'a', state: 'running' }]);
  const mounts = [{ containerPath: '/one', recursiveReadOnly: true }, { containerPath: '/two' }];
  const containers = runs.containers.map((status) => ({ ...status, mounts }));
  const status = statusOf(of, [], { record: { ...runs, containers } as unknown as typeof runs });
  const told = status.containerStatuses?.[0]?.volumeMounts?.map(({ recursiveReadOnly }) => recursiveReadOnly);
  assert.deepEqual(told, ['Enabled', 'Disabled']);
});

test('a container that waits has its mounts in its status, as its spec says them', () => {
  const mount = (name: string, more = {}) => ({ name, mountPath: `/${name}`, ...more });
  const readOnly = { readOnly: true, recursiveReadOnly: 'IfPossible' } as const;
  const volumeMounts = [
    mount('a'),
    mount('b', { readOnly: true }),
    mount('c', readOnly),
    mount('d', { ...readOnly, mountPropagation: 'HostToContainer' }),
  ];
  const of = pod({ containers: [container('a', { volumeMounts })] });
  const told = (supportsRecursiveReadOnly: boolean) =>
    statusOf(of, [], { supportsRecursiveReadOnly }).containerStatuses?.[0]?.volumeMounts;
  const plain = { readOnly: true, recursiveReadOnly: 'Disabled' };
  const recursive = { readOnly: true, recursiveReadOnly: 'Enabled' };
  assert.deepEqual(told(true), [mount('a'), mount('b', plain), mount('c', recursive), mount('d', plain)]);
  assert.deepEqual(told(false), [mount('a'), mount('b', plain), mount('c', plain), mount('d', plain)]);
});

test('a resize is told by conditions about its own generation, until the pod has ended', () => {
  const of = pod({ containers: [container('a')] }, { generation: 3 });
  const resizes = [
    { type: 'PodResizePending', status: 'True', reason: 'Deferred', message: 'no', observedGeneration: 2 },
  ] as const;
  const runs = record(of, [{ name: 'a', state: 'running' }]);
  const told = (more: object) =>
    statusOf(of, [], { record: runs, resizes, ...more }).conditions?.find(
      ({ type }) => type === 'PodResizePending',
    );
  const { reason, observedGeneration } = told({}) ?? {};
  assert.deepEqual([reason, observedGeneration], ['Deferred', 2]);
  assert.equal(told({ isTerminating: true }), undefined);
});

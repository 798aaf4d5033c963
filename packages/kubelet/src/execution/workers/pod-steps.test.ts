import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import type { PodStatus } from '@wherry/kubeapi';
import { noTracer } from '@wherry/telemetry';
import { container, pod, type RecordedContainer, record } from '../../../test/builders.ts';
import { NodePaths } from '../../ground/node-paths.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { ContainerStartError } from '../container-start-error.ts';
import { NoRoomError } from '../volumes/volume-manager.ts';
import { KubeletPodSteps, type PodStepsOptions } from './pod-steps.ts';

/** The steps of a pod whose runtime holds `runs`; making its group or starting its containers may fail. What they say of it is kept. */
function stepsOf(
  of: AssignedPod,
  runs: RecordedContainer[],
  failures: { start?: Error; group?: Error } = {},
) {
  const root = mkdtempSync(join(tmpdir(), 'pod-steps-'));
  mkdirSync(join(root, 'logs'));
  const clock = new FakeClock({ nowMs: Date.parse('2026-01-01T00:10:00Z') });
  const told: PodStatus[] = [];
  const events: string[] = [];
  const nothing = () => {};
  const options = {
    clock,
    tracer: noTracer,
    recorder: {
      record: ({ reason, message }: { reason: string; message: string }) =>
        void events.push(`${reason}: ${message}`),
    },
    cache: { get: async () => record(of, runs), touch: nothing },
    statuses: { get: () => told.at(-1), set: (_pod: unknown, status: PodStatus) => void told.push(status) },
    starts: { follows: () => false, initEnded: nothing },
    probes: { add: nothing, isStarted: () => true, isReady: () => true, liveness: nothing, startup: nothing },
    allocations: { written: async () => {}, given: (asked: AssignedPod) => asked },
    actuated: { of: nothing, setPod: nothing },
    resizes: { complete: nothing, conditionsOf: () => [] },
    health: { view: { name: 'wherry' } },
    reasons: { get: nothing },
    hostIps: () => ['192.0.2.1'],
    devices: { statusesOf: () => [] },
    claims: { views: { statusesOf: () => [] } },
    paths: new NodePaths({ rootDir: root, podLogsDir: join(root, 'logs') }),
    classes: { requireUserNamespaces: async () => {} },
    userRanges: { usersOf: nothing },
    dns: { clusterDns: [], clusterDomain: '', resolvConf: '', hostIps: ['10.0.0.1'] },
    resources: { hasOwnCpus: () => false, cpuPeriodMs: 100 },
    volumes: { mount: async () => new Map() },
    cgroups: {
      ensure: () => (failures.group ? Promise.reject(failures.group) : Promise.resolve()),
      parentOf: () => '',
    },
    inputs: { credentials: async () => [], tokenDueInMs: nothing },
    starter: {
      run: async () => ({ errors: failures.start ? [failures.start] : [], retryAfterMs: undefined }),
    },
    syncMs: 60_000,
  };
  const steps = new KubeletPodSteps(options as unknown as PodStepsOptions);
  return { steps, told, events, [Symbol.dispose]: () => rmSync(root, { recursive: true }) };
}

const { signal } = new AbortController();

test('a pod that is past its deadline stays Pending while an init container of it is still running', async () => {
  const of: AssignedPod = {
    ...pod({ initContainers: [container('i')], containers: [container('a')], activeDeadlineSeconds: 5 }),
    status: { phase: 'Pending', startTime: '2026-01-01T00:00:00Z' },
  };
  using made = stepsOf(of, [{ name: 'i', state: 'running' }]);
  const { isTerminal, verdict } = await made.steps.sync(of, signal);
  assert.deepEqual([isTerminal, verdict?.reason], [true, 'DeadlineExceeded']);
  const [{ phase, reason, message } = {}] = made.told;
  assert.deepEqual([phase, reason, message], ['Pending', undefined, undefined]);
});

test('a pod whose control group can not be made says why', async () => {
  const of = pod({ containers: [container('a')] });
  using made = stepsOf(of, [], { group: new Error('no such controller') });
  await made.steps.sync(of, signal);
  assert.deepEqual(made.events, [
    'FailedCreatePodContainer: unable to ensure pod container exists: no such controller',
  ]);
});

test('a pod whose node can not have one more of its volumes is rejected', async () => {
  const of = pod({ containers: [container('a')] });
  const full = new NoRoomError(new Map([['v', new Error('no slot')]]));
  const failure = new ContainerStartError('ContainerCreating', full.message, { cause: full });
  using made = stepsOf(of, [], { start: failure });
  const { isTerminal, verdict } = await made.steps.sync(of, signal);
  assert.deepEqual(
    [isTerminal, verdict],
    [
      true,
      {
        phase: 'Failed',
        reason: 'VolumeAttachmentLimitExceeded',
        message: `Pod was rejected: ${full.message}`,
      },
    ],
  );
  assert.deepEqual(made.events, [`VolumeAttachmentLimitExceeded: ${full.message}`]);
});

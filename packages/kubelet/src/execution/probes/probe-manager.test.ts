import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { type CriClient, CriError } from '@wherry/cri';
import type { PodStatus } from '@wherry/kubeapi';
import { container, pod, type RecordedContainer, record } from '../../../test/builders.ts';
import { ProbeManager } from './probe-manager.ts';

const probe = { exec: { command: ['true'] }, periodSeconds: 1 };
const one = pod({ containers: [container('a', { livenessProbe: probe, startupProbe: probe })] });

/** The probes of a pod whose runtime holds what `runs` says. */
function probes(runs: { now: RecordedContainer[] }, of = one, known?: PodStatus) {
  const clock = new FakeClock();
  const server = { isAway: false };
  const events: string[] = [];
  const changes: (string | undefined)[] = [];
  const runtime = {
    async execSync() {
      if (server.isAway) throw new CriError('UNKNOWN', 'away');
      return { exitCode: 0, stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) };
    },
  } as unknown as CriClient['runtime'];
  const manager: ProbeManager = new ProbeManager({
    runtime,
    clock,
    recorder: { record: ({ message }) => void events.push(message) },
    hostIp: () => '192.0.2.1',
    record: () => record(of, runs.now),
    apiStatus: () => known,
    onTold: () => {},
    onChanged: () => void changes.push(manager.startup('s-0')),
  });
  manager.add(of);
  return { clock, manager, changes, events, server };
}

test('what probes said of a container is forgotten with its successor, and with the pod', async () => {
  const runs: { now: RecordedContainer[] } = { now: [{ name: 'a', state: 'running' }] };
  const { clock, manager } = probes(runs);
  const said = (id: string) => [manager.liveness(id), manager.startup(id)];
  await clock.advanceAsync(5_000);
  assert.deepEqual(said('a-0'), ['success', 'success']);
  runs.now = [{ name: 'a', state: 'running', restartCount: 1 }];
  await clock.advanceAsync(5_000);
  assert.deepEqual(
    [said('a-0'), said('a-1')],
    [
      [undefined, undefined],
      ['success', 'success'],
    ],
  );
  // Its record is gone by now.
  runs.now = [];
  manager.remove(one.metadata.uid);
  assert.deepEqual(said('a-1'), [undefined, undefined]);
});

test('a probe that can not be run tells of an unknown state, whatever was said before', async () => {
  const runs: { now: RecordedContainer[] } = { now: [{ name: 'a', state: 'running' }] };
  const { clock, events, server } = probes(runs);
  await clock.advanceAsync(5_000);
  server.isAway = true;
  await clock.advanceAsync(1_000);
  assert.deepEqual(events, [
    'Liveness probe errored and resulted in unknown state: rpc error: code = Unknown desc = away',
  ]);
});

test('a sidecar that had started before the kubelet does not hold back what comes after it', async () => {
  const sidecar = container('s', { restartPolicy: 'Always', startupProbe: probe });
  const of = pod({ initContainers: [sidecar], containers: [container('a')] });
  const status = { name: 's', started: true, containerID: 'wherry://s-0' };
  const known = { initContainerStatuses: [status] } as PodStatus;
  const { clock, changes } = probes({ now: [{ name: 's', state: 'running' }] }, of, known);
  await clock.advanceAsync(1_000);
  assert.deepEqual(changes, ['success']);
});

test('while a pod ends its sidecars are probed on, and its regular containers are asked for their readiness alone', async () => {
  const all = { livenessProbe: probe, readinessProbe: probe };
  const of = pod({
    initContainers: [container('s', { restartPolicy: 'Always', ...all })],
    containers: [container('a', all)],
  });
  const runs: RecordedContainer[] = [
    { name: 's', state: 'running' },
    { name: 'a', state: 'running' },
  ];
  const { clock, manager, events, server } = probes({ now: runs }, of);
  await clock.advanceAsync(5_000);
  manager.stopRestarts(of);
  server.isAway = true;
  await clock.advanceAsync(1_000);
  const count = (kind: string) =>
    events.filter((message) => message.startsWith(`${kind} probe errored`)).length;
  assert.deepEqual([count('Liveness'), count('Readiness')], [1, 2]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { podAnnotations } from '@wherry/podrules';
import { MetricsRegistry, silentLogger } from '@wherry/telemetry';
import { container, memoryRecords, pod } from '../../test/builders.ts';
import { Allocations } from '../board/allocations.ts';
import { PodStore } from '../board/pod-store.ts';
import { ResizeStates } from '../board/resize-states.ts';
import { WorkerPhases } from '../board/worker-phases.ts';
import { PodWorkers } from '../execution/workers/pod-workers.ts';
import { housekeepingMs } from '../limits.ts';
import type { AssignedPod } from '../pod/assigned-pod.ts';
import { SyncLoop, type SyncLoopOptions } from './sync-loop.ts';

const { source, hash, mirror } = podAnnotations;
const staticPod = (version: string) =>
  pod({ containers: [container('a')] }, { uid: version, annotations: { [source]: 'file', [hash]: version } });
const mirrorOf = (version: string): AssignedPod =>
  pod({ containers: [container('a')] }, { uid: `m-${version}`, annotations: { [mirror]: version } });

/** A loop over workers whose pods take as long to stop as the test wants; `mirrors` lists what became of mirrors. */
function loopWithSlowStops() {
  const clock = new FakeClock();
  const store = new PodStore();
  const stop = Promise.withResolvers<void>();
  const mirrors: string[] = [];
  const reconcile = (of: AssignedPod) => mirrors.push(`reconciled with ${of.metadata.uid}`);
  const steps = {
    async sync(of: AssignedPod) {
      reconcile(of);
      return { isTerminal: false, didWork: false, retryAfterMs: 60_000 };
    },
    terminate: () => stop.promise,
    clear: async () => {},
  };
  const workers = new PodWorkers({
    steps,
    phases: new WorkerPhases(),
    clock,
    logger: silentLogger,
    onFinished: () => {},
  });
  const loop = new SyncLoop({
    store,
    workers,
    clock,
    logger: silentLogger,
    recorder: { record: () => {} },
    statuses: { uids: [], check: () => {}, checkAll: () => {}, forget: () => {}, set: () => {} } as never,
    cache: {} as never,
    hostIps: [],
    sources: 1,
    allowedUnsafeSysctls: [],
    host: { isSelinuxEnforcing: false, hasAppArmor: false },
    pressures: () => new Set(),
    isShuttingDown: () => false,
    allocatable: () => ({}),
    node: () => undefined,
    allocations: new Allocations(memoryRecords()),
    resizes: new ResizeStates(),
    accepted: new MetricsRegistry().counter('accepted', ''),
    preemptions: new MetricsRegistry().counter('preemptions', ''),
    reconcileMirror: reconcile,
    removeMirror: (of: AssignedPod) => void mirrors.push(`removed ${of.metadata.uid}`),
    collectGarbage: async () => {},
  } as SyncLoopOptions);
  loop.ready();
  loop.start();
  return { clock, loop, mirrors, stop, turn: () => clock.advanceAsync(housekeepingMs) };
}

test('the mirror of a static pod stays until its containers have stopped', async () => {
  const { loop, mirrors, stop, turn } = loopWithSlowStops();
  loop.added(staticPod('v1'));
  loop.added(mirrorOf('v1'));
  await turn();
  mirrors.length = 0;
  loop.removed(staticPod('v1'));
  await turn();
  await turn();
  assert.deepEqual(mirrors, []);
  stop.resolve();
  await turn();
  await turn();
  assert.equal(mirrors[0], 'removed m-v1');
  loop.close();
});

test('the mirror of an edited static pod is replaced when the old version has stopped', async () => {
  const { loop, mirrors, stop, turn } = loopWithSlowStops();
  loop.added(staticPod('v1'));
  loop.added(mirrorOf('v1'));
  await turn();
  mirrors.length = 0;
  loop.removed(staticPod('v1'));
  loop.added(staticPod('v2'));
  loop.updated(mirrorOf('v1'));
  await turn();
  assert.deepEqual(mirrors, []);
  stop.resolve();
  await turn();
  assert.deepEqual(mirrors.slice(0, 1), ['reconciled with v2']);
  loop.close();
});

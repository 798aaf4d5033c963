import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import type { Node } from '@wherry/kubeapi';
import { podAnnotations } from '@wherry/podrules';
import { MetricsRegistry, silentLogger } from '@wherry/telemetry';
import { container, memoryRecords, pod, record } from '../../test/builders.ts';
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

/** Of a node that has nothing to give which has a place. */
const nothingToGive: SyncLoopOptions['managers'] = {
  brings: () => false,
  isFree: () => true,
  allocate: async () => {},
  release: () => {},
  settle: () => {},
};

/** A loop over workers whose pods take as long to stop as the test wants; `mirrors` lists what became of mirrors. */
function loopWithSlowStops(more: Partial<SyncLoopOptions> = {}) {
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
    recorder: { record: () => {} },
    returned: new MetricsRegistry().counter('returned', ''),
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
    hostIps: () => [],
    sources: 1,
    allowedUnsafeSysctls: [],
    host: { isSelinuxEnforcing: false, hasAppArmor: false },
    pressures: () => new Set(),
    isShuttingDown: () => false,
    allocatable: () => ({}),
    node: () => undefined,
    allocations: new Allocations(memoryRecords()),
    managers: nothingToGive,
    resizes: new ResizeStates(),
    onAsked: () => {},
    onRejected: () => {},
    orphans: new MetricsRegistry().counter('orphans', ''),
    accepted: new MetricsRegistry().counter('accepted', ''),
    preemptions: new MetricsRegistry().counter('preemptions', ''),
    reconcileMirror: reconcile,
    removeMirror: (of: AssignedPod) => void mirrors.push(`removed ${of.metadata.uid}`),
    collectGarbage: async () => {},
    ...more,
  } as SyncLoopOptions);
  loop.ready();
  loop.start();
  return { clock, loop, mirrors, workers, stop, turn: () => clock.advanceAsync(housekeepingMs) };
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

const node = (labels: Record<string, string>, taints: { key: string; effect: 'NoExecute' }[] = []): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n', labels },
  spec: { taints },
});
const choosy = pod({ containers: [container('a')], nodeSelector: { disk: 'fast' } }, { uid: 'u' });

test('a pod that the node as last read keeps out is judged by the node as it is now', async () => {
  let known = node({}, [{ key: 'old', effect: 'NoExecute' }]);
  const asked = Promise.withResolvers<void>();
  const lookAtNode = async () => {
    await asked.promise;
    known = node({ disk: 'fast' });
  };
  const { loop, workers, turn } = loopWithSlowStops({ node: () => known, lookAtNode });
  loop.added(choosy);
  loop.updated(choosy);
  await turn();
  assert.equal(workers.phaseOf('u'), undefined, 'not before the node is known');
  asked.resolve();
  await turn();
  assert.equal(workers.phaseOf('u'), 'syncing');
  loop.close();
});

test('a pod that the node keeps out also after a look, or when none is possible, is refused', async () => {
  const looks = [async () => {}, () => Promise.reject(new Error('no answer'))];
  for (const lookAtNode of looks) {
    const said: string[] = [];
    const { loop, workers, turn } = loopWithSlowStops({
      node: () => node({}),
      lookAtNode,
      recorder: { record: ({ reason }) => void said.push(reason) },
    });
    loop.added(choosy);
    await turn();
    assert.deepEqual(said, ['NodeAffinity']);
    assert.equal(workers.phaseOf('u'), undefined);
    loop.close();
  }
});

test('a pod that is deleted while the node is read is not taken', async () => {
  const asked = Promise.withResolvers<void>();
  const { loop, workers, turn } = loopWithSlowStops({
    node: () => node({}),
    lookAtNode: () => asked.promise,
    recorder: { record: () => assert.fail('nothing is said of it') },
  });
  loop.added(choosy);
  loop.removed(choosy);
  asked.resolve();
  await turn();
  assert.equal(workers.phaseOf('u'), undefined);
  loop.close();
});

for (const [what, answer, phase] of [
  ['begins with them', async () => {}, 'syncing'],
  ['is refused where it can not have them', () => Promise.reject(new Error('there are none')), undefined],
] as const) {
  test(`a pod that asks for devices waits for them, and ${what}`, async () => {
    const asked = Promise.withResolvers<void>();
    const allocate = () => asked.promise.then(answer);
    const { loop, workers, turn } = loopWithSlowStops({
      managers: { ...nothingToGive, isFree: () => false, allocate },
    });
    const waiting = pod({ containers: [container('a')] });
    loop.added(waiting);
    loop.updated(waiting);
    await turn();
    assert.equal(workers.phaseOf(waiting.metadata.uid), undefined);
    asked.resolve();
    await turn();
    loop.updated(waiting);
    assert.equal(workers.phaseOf(waiting.metadata.uid), phase);
    loop.close();
  });
}

test('a pod that goes while it waits for devices is not begun', async () => {
  const asked = Promise.withResolvers<void>();
  const { loop, workers, turn } = loopWithSlowStops({
    managers: { ...nothingToGive, isFree: () => false, allocate: () => asked.promise },
  });
  const waiting = pod({ containers: [container('a')] });
  loop.added(waiting);
  loop.removed(waiting);
  asked.resolve();
  await turn();
  assert.equal(workers.phaseOf(waiting.metadata.uid), undefined);
  loop.close();
});

test('a pod that only the runtime knows is stopped, and counted once', async () => {
  const orphans = new MetricsRegistry().counter('orphans', '');
  const held = record(pod({ containers: [container('a')] }, { uid: 'u' }), [{ name: 'a', state: 'running' }]);
  const { loop, workers, turn } = loopWithSlowStops({ orphans, cache: { get: async () => held } as never });
  for (const _ of ['listed', 'and listed again']) {
    loop.relisted(['u']);
    loop.relisted(['u']);
    await turn();
  }
  assert.equal(workers.phaseOf('u'), 'terminating');
  assert.equal(orphans.value(), 1);
  loop.close();
});

import type { PodBoard } from '../board/pod-board.ts';
import { evictionRules } from '../configuration/eviction-thresholds.ts';
import type { Ground } from '../ground/ground.ts';
import { groupPath } from '../pod/group-path.ts';
import { PodInspector } from './inspect-pod.ts';
import { LifecycleEvents } from './lifecycle-events.ts';
import { listFigures } from './list-figures.ts';
import { ShutdownRecord } from './node-shutdown/shutdown-record.ts';
import { PodCache } from './pod-cache.ts';
import { NodeSignals } from './pressure/node-signals.ts';
import { PressureState } from './pressure/pressure-state.ts';

/** What there is: pods as the container runtime holds them, and what the node has left. */
export interface Observation {
  lifecycle: LifecycleEvents;
  cache: PodCache;
  /** Measures what the node has left. */
  nodeSignals: NodeSignals;
  /** What it is short of. */
  pressure: PressureState;
  /** Whether the machine is about to shut down. */
  shutdown: ShutdownRecord;
}

/** Builds it; nothing is asked yet. */
export function assembleObservation(ground: Ground, { signals }: PodBoard): Observation {
  const { clock, logger, cri, paths } = ground;
  const { runtime } = cri;
  const { timed, onMeasured, stream } = listFigures(ground.metrics, clock);
  const lifecycle = new LifecycleEvents({
    runtime,
    clock,
    logger,
    onPodChanged: (uid, changedAtMs) => signals.podChanged(uid, changedAtMs),
    onMeasured,
    stream,
    onRelisted: (snapshot) => signals.relisted([...snapshot.keys()]),
  });
  const inspector = new PodInspector({ runtime, clock, paths });
  const cache = new PodCache({
    inspect: timed((uid, signal) => inspector.inspect(uid, signal)),
    clock,
    isUnknownToRuntime: (uid) => lifecycle.hasListed && !lifecycle.snapshot.has(uid),
    onForgotten: (uid) => inspector.forget(uid),
  });
  return {
    lifecycle,
    cache,
    nodeSignals: nodeSignals(ground),
    shutdown: new ShutdownRecord({ path: paths.shutdownFile, clock, logger, metrics: ground.metrics }),
    pressure: new PressureState({
      rules: evictionRules(ground.configuration),
      transitionMs: ground.configuration.evictionPressureTransitionPeriod,
    }),
  };
}

function nodeSignals({ cri, rootDir, groups, forAllPods }: Ground): NodeSignals {
  const { memoryBytes } = forAllPods;
  const pods = memoryBytes === undefined ? undefined : { cgroup: () => groupPath(groups), memoryBytes };
  return new NodeSignals({ images: cri.images, rootDir, pods });
}

import type { PodBoard } from '../board/pod-board.ts';
import type { Ground } from '../ground/ground.ts';
import { PodInspector } from './inspect-pod.ts';
import { LifecycleEvents } from './lifecycle-events.ts';
import { PodCache } from './pod-cache.ts';

/** What there is: pods as the container runtime holds them. */
export interface Observation {
  lifecycle: LifecycleEvents;
  cache: PodCache;
  inspector: PodInspector;
}

/** Builds it; nothing is asked yet. */
export function assembleObservation(ground: Ground, { signals }: PodBoard): Observation {
  const { clock, logger, cri, paths } = ground;
  const { runtime } = cri;
  const lifecycle = new LifecycleEvents({
    runtime,
    clock,
    logger,
    onPodChanged: (uid, changedAtMs) => signals.podChanged(uid, changedAtMs),
    onRelisted: (snapshot) => signals.relisted([...snapshot.keys()]),
  });
  const inspector = new PodInspector({ runtime, clock, paths });
  const cache = new PodCache({
    inspect: (uid, signal) => inspector.inspect(uid, signal),
    clock,
    isUnknownToRuntime: (uid) => lifecycle.hasListed && !lifecycle.snapshot.has(uid),
  });
  return { lifecycle, cache, inspector };
}

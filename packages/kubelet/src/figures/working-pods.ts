import type { Gauge } from '@wherry/telemetry';
import type { WorkerPhase } from '../board/worker-phases.ts';
import { type AssignedPod, isStaticPod } from '../pod/assigned-pod.ts';

/** A pod that has a worker. */
export interface WorkingPod {
  pod: AssignedPod;
  phase: WorkerPhase;
  /** Only the runtime knows it. */
  isOrphan: boolean;
}

/** Upstream has one word for what is being cleared and what is done. */
const lifecycles: Readonly<Record<WorkerPhase, string>> = {
  syncing: 'sync',
  terminating: 'terminating',
  terminated: 'terminated',
  finished: 'terminated',
};

const kinds = ['desired', 'orphan'].flatMap((config) =>
  ['true', ''].map((value) => ({ config, static: value })),
);

/**
 * Counts pods that have a worker: those that a source names, those that none names any more, and those that only the runtime
 * knows, by how far each is. All series are there always, as upstream.
 */
export function countWorkingPods(
  gauge: Gauge,
  pods: Iterable<WorkingPod>,
  isDesired: (uid: string) => boolean,
): void {
  for (const lifecycle of new Set(Object.values(lifecycles)))
    for (const kind of [...kinds, { config: 'runtime_only', static: 'unknown' }])
      gauge.set(0, { lifecycle, ...kind });
  for (const { pod, phase, isOrphan } of pods) {
    const config = isDesired(pod.metadata.uid) ? 'desired' : 'orphan';
    const kind = isOrphan
      ? { config: 'runtime_only', static: 'unknown' }
      : { config, static: isStaticPod(pod) ? 'true' : '' };
    gauge.add(1, { lifecycle: lifecycles[phase], ...kind });
  }
}

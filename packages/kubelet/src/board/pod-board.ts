import { PodSignals } from './pod-signals.ts';
import { PodStore } from './pod-store.ts';
import { WorkerPhases } from './worker-phases.ts';

/** What every room knows of pods. It stands before all rooms do. */
export class PodBoard {
  /** Which pods there should be. */
  readonly store = new PodStore();
  /** How far each is. */
  readonly phases = new WorkerPhases();
  /** What happens to them. */
  readonly signals = new PodSignals();
}

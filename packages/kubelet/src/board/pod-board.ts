import { type AllocationStore, Allocations } from './allocations.ts';
import { PodSignals } from './pod-signals.ts';
import { PodStore } from './pod-store.ts';
import { ResizeStates } from './resize-states.ts';
import { WorkerPhases } from './worker-phases.ts';

/** What every room knows of pods. It stands before all rooms do. */
export class PodBoard {
  /** Which pods there should be. */
  readonly store = new PodStore();
  /** How far each is. */
  readonly phases = new WorkerPhases();
  /** What happens to them. */
  readonly signals = new PodSignals();
  /** What was granted to them. */
  readonly allocations: Allocations;
  /** How far changes of that are. */
  readonly resizes = new ResizeStates();

  constructor(granted: AllocationStore) {
    this.allocations = new Allocations(granted);
  }
}

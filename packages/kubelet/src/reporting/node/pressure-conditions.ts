import {
  type EvictionSignal,
  type Threshold,
  thresholdAmount,
} from '../../configuration/eviction-thresholds.ts';
import type { Observations } from './pressure-signals.ts';

/** Conditions of a node that runs short of something. */
export type PressureType = 'MemoryPressure' | 'DiskPressure' | 'PIDPressure';

const typeOf: Record<EvictionSignal, PressureType> = {
  'memory.available': 'MemoryPressure',
  'nodefs.available': 'DiskPressure',
  'nodefs.inodesFree': 'DiskPressure',
  'imagefs.available': 'DiskPressure',
  'imagefs.inodesFree': 'DiskPressure',
  'pid.available': 'PIDPressure',
};

/**
 * Which conditions hold: those whose threshold is crossed, and those where that was so within the transition period
 * (pkg/kubelet/eviction/eviction_manager.go). Time comes in from outside.
 */
export class PressureConditions {
  readonly #thresholds: ReadonlyMap<EvictionSignal, Threshold>;
  readonly #transitionMs: number;
  readonly #metAtMs = new Map<PressureType, number>();
  #holding: ReadonlySet<PressureType> = new Set();

  constructor(options: { thresholds: ReadonlyMap<EvictionSignal, Threshold>; transitionMs: number }) {
    this.#thresholds = options.thresholds;
    this.#transitionMs = options.transitionMs;
  }

  /** Conditions of the last observation. */
  get holding(): ReadonlySet<PressureType> {
    return this.#holding;
  }

  /** Takes an observation made at `nowMs` of a monotonic clock; true when the conditions changed. */
  observe(observations: Observations, nowMs: number): boolean {
    for (const [signal, threshold] of this.#thresholds) {
      const seen = observations.get(signal);
      if (seen && seen.available < thresholdAmount(threshold, seen.capacity))
        this.#metAtMs.set(typeOf[signal], nowMs);
    }
    const before = this.#holding;
    const held = [...this.#metAtMs].filter(([, metAtMs]) => nowMs - metAtMs < this.#transitionMs);
    this.#holding = new Set(held.map(([type]) => type));
    return before.symmetricDifference(this.#holding).size > 0;
  }
}

import {
  type EvictionRule,
  type EvictionSignal,
  thresholdAmount,
} from '../../configuration/eviction-thresholds.ts';
import type { Observations } from './node-signals.ts';

/** Conditions of a node that runs short of something. */
export type PressureType = 'MemoryPressure' | 'DiskPressure' | 'PIDPressure';

const typeOf: Record<EvictionSignal, PressureType> = {
  'memory.available': 'MemoryPressure',
  'allocatableMemory.available': 'MemoryPressure',
  'nodefs.available': 'DiskPressure',
  'nodefs.inodesFree': 'DiskPressure',
  'imagefs.available': 'DiskPressure',
  'imagefs.inodesFree': 'DiskPressure',
  'pid.available': 'PIDPressure',
};

/** What an observation means. */
export interface PressureVerdict {
  /** Other conditions hold than before. */
  changed: boolean;
  /** Thresholds that have been crossed for their whole grace: pods are to go for them. */
  due: readonly EvictionRule[];
}

/**
 * What the node is short of: which conditions hold, those whose threshold is crossed and those where that was so within the
 * transition period, and which thresholds are due (pkg/kubelet/eviction/eviction_manager.go). One that was due stays
 * crossed until what is left is above the threshold by its minimum to reclaim. Time comes in from outside.
 */
export class PressureState {
  readonly #rules: readonly EvictionRule[];
  readonly #transitionMs: number;
  readonly #crossedAtMs = new Map<EvictionRule, number>();
  readonly #metAtMs = new Map<PressureType, number>();
  #due: readonly EvictionRule[] = [];
  #holding: ReadonlySet<PressureType> = new Set();

  constructor(options: { rules: readonly EvictionRule[]; transitionMs: number }) {
    this.#rules = options.rules;
    this.#transitionMs = options.transitionMs;
  }

  /** Conditions of the last observation. */
  get holding(): ReadonlySet<PressureType> {
    return this.#holding;
  }

  /** Takes an observation made at `nowMs` of a monotonic clock. */
  observe(observations: Observations, nowMs: number): PressureVerdict {
    for (const rule of this.#rules) {
      const reclaims = this.#due.includes(rule);
      if (!isCrossed(rule, observations, reclaims)) this.#crossedAtMs.delete(rule);
      else if (!this.#crossedAtMs.has(rule)) this.#crossedAtMs.set(rule, nowMs);
    }
    for (const { signal } of this.#crossedAtMs.keys()) this.#metAtMs.set(typeOf[signal], nowMs);
    this.#due = this.#rules.filter(
      (rule) => nowMs - (this.#crossedAtMs.get(rule) ?? Number.POSITIVE_INFINITY) >= rule.graceMs,
    );
    const before = this.#holding;
    const held = [...this.#metAtMs].filter(([, metAtMs]) => nowMs - metAtMs < this.#transitionMs);
    this.#holding = new Set(held.map(([type]) => type));
    return { changed: before.symmetricDifference(this.#holding).size > 0, due: this.#due };
  }

  /** Whether no threshold is crossed, all minimums to reclaim counted in. */
  isRelieved(observations: Observations): boolean {
    return !this.#rules.some((rule) => isCrossed(rule, observations, true));
  }
}

function isCrossed(
  { signal, threshold, minReclaim }: EvictionRule,
  observations: Observations,
  reclaims: boolean,
): boolean {
  const seen = observations.get(signal);
  if (!seen) return false;
  const reserve = reclaims && minReclaim ? thresholdAmount(minReclaim, seen.capacity) : 0;
  return seen.available < thresholdAmount(threshold, seen.capacity) + reserve;
}

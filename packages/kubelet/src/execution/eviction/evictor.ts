import { type Clock, sleep } from '@wherry/clock';
import type { Counter, Histogram, Logger } from '@wherry/telemetry';
import {
  type EvictionRule,
  type EvictionSignal,
  thresholdAmount,
} from '../../configuration/eviction-thresholds.ts';
import { evictedGoneMs, pressureMs, usagePatienceMs } from '../../limits.ts';
import type { NodeObservation, NodeSignals } from '../../observation/pressure/node-signals.ts';
import type { PressureState } from '../../observation/pressure/pressure-state.ts';
import { type AssignedPod, describePod, isCriticalPod } from '../../pod/assigned-pod.ts';
import { type EventRecorder, nodeEvents, podObject } from '../../reporting/events/recorder.ts';
import type { KillReason } from '../workers/pod-worker.ts';
import { untilGone } from '../workers/until-gone.ts';
import { type EvictionWords, evictionWords } from './eviction-message.ts';
import type { PodMeter } from './pod-meter.ts';
import type { StoragePart } from './pod-usage.ts';
import { rankPods, type StarvedResource } from './rank-pods.ts';
import { hasStorageLimits, storageExcess } from './storage-limits.ts';

/** What the evictor is made of. */
export interface EvictorOptions {
  signals: NodeSignals;
  pressure: PressureState;
  meter: PodMeter;
  clock: Clock;
  logger: Logger;
  recorder: EventRecorder;
  nodeName: string;
  /** Counts evicted pods, by what they went for. */
  evictions: Counter;
  /** Counts how old what was measured is when pods are ranked by it, by what is short. */
  ages: Histogram;
  /** Whether limits on what pods keep on the node's disk hold. */
  limitsStorage: boolean;
  /** Longest grace of a pod that goes for a soft threshold. */
  maxGraceSeconds: number;
  /** Pods that run or are about to. */
  activePods(): AssignedPod[];
  kill(uid: string, reason: KillReason): void;
  /** Nothing of the pod is left to stop or to clear. */
  isGone(uid: string): boolean;
  /** Removes dead containers and unused images. */
  freeDisk(): Promise<void>;
  /** Other conditions hold than before. */
  onPressureChanged(): void;
}

const resourceOf: Record<EvictionSignal, StarvedResource> = {
  'memory.available': 'memory',
  'allocatableMemory.available': 'memory',
  'nodefs.available': 'ephemeral-storage',
  'nodefs.inodesFree': 'inodes',
  'imagefs.available': 'ephemeral-storage',
  'imagefs.inodesFree': 'inodes',
  'pid.available': 'pids',
};
const hardGraceSeconds = 1;

/**
 * Keeps the node from running out: every ten seconds it measures what is left, tells which conditions hold, ends pods over
 * their limits on disk, and, when a threshold is crossed, frees what nobody uses and then ends one pod, the first in
 * upstream's order (pkg/kubelet/eviction/eviction_manager.go). The disk is measured anew before each pod, so that none goes
 * for what was freed already.
 */
export class Evictor {
  readonly #options: EvictorOptions;
  readonly #abort = new AbortController();

  constructor(options: EvictorOptions) {
    this.#options = options;
  }

  start(): void {
    void this.#run();
  }

  close(): void {
    this.#abort.abort(new Error('the kubelet is stopping'));
  }

  async #run(): Promise<void> {
    const { clock, logger, isGone } = this.#options;
    const { signal } = this.#abort;
    while (!signal.aborted) {
      const evicted = await this.look().catch((error: unknown) => {
        if (!signal.aborted) logger.warn('what the node is short of could not be looked at', { error });
        return [];
      });
      if (evicted.length > 0) await untilGone(evicted, { clock, patienceMs: evictedGoneMs, isGone, signal });
      else await sleep({ clock, delayMs: pressureMs, signal }).catch(() => {});
    }
  }

  /** One round; the pods that were told to stop. Throws what the runtime says. */
  async look(): Promise<readonly AssignedPod[]> {
    const { signals, pressure, clock, logger, onPressureChanged, meter } = this.#options;
    const { signal } = this.#abort;
    const measuredMs = clock.monotonicMs();
    const seen = await signals.observe(signal);
    const { changed, due } = pressure.observe(seen.observations, clock.monotonicMs());
    if (changed) {
      const conditions = [...pressure.holding].join(', ') || 'nothing';
      logger.warn('what the node is short of changed', { conditions });
      onPressureChanged();
    }
    meter.keep(new Set(this.#options.activePods().map(({ metadata }) => metadata.uid)));
    const overLimit = await this.#endOverLimit(seen);
    if (overLimit.length > 0) return overLimit;
    const [first] = [...due].sort((a, b) => Number(isOfMemory(b)) - Number(isOfMemory(a)));
    const noteAges = () => this.#noteAges(due, clock.monotonicMs() - measuredMs);
    return first ? this.#reclaim(first, seen, noteAges) : [];
  }

  /** Pods that take more of the disk than they may; each is ended. */
  async #endOverLimit(seen: NodeObservation): Promise<AssignedPod[]> {
    if (!this.#options.limitsStorage) return [];
    const limited = this.#options.activePods().filter(hasStorageLimits);
    if (limited.length === 0) return [];
    const usages = await this.#measure(limited);
    return limited.filter((pod) => {
      const usage = usages.get(pod.metadata.uid);
      const excess = usage && storageExcess(pod, usage, seen);
      if (!excess) return false;
      const words = { message: excess.message, annotations: {} };
      return this.#evict(pod, {
        words,
        graceSeconds: hardGraceSeconds,
        cause: excess.signal,
        isDisruption: false,
      });
    });
  }

  #noteAges(due: readonly EvictionRule[], ageMs: number): void {
    for (const { signal } of due) this.#options.ages.observe(ageMs / 1_000, { eviction_signal: signal });
  }

  async #reclaim(
    rule: EvictionRule,
    seen: NodeObservation,
    noteAges: () => void,
  ): Promise<readonly AssignedPod[]> {
    const { recorder, nodeName, pressure, signals, freeDisk, logger } = this.#options;
    const resource = resourceOf[rule.signal];
    const message = `Attempting to reclaim ${resource}`;
    nodeEvents(recorder, nodeName).warn('EvictionThresholdMet', message);
    if (freesDisk(rule, seen)) {
      await freeDisk().catch((error: unknown) => logger.warn('the disk could not be freed', { error }));
      const { observations } = await signals.observe(this.#abort.signal);
      if (pressure.isRelieved(observations)) return [];
    }
    return this.#evictOne(rule, seen, noteAges);
  }

  /** The first in order that may go. */
  async #evictOne(
    rule: EvictionRule,
    seen: NodeObservation,
    noteAges: () => void,
  ): Promise<readonly AssignedPod[]> {
    const pods = this.#options.activePods();
    const resource = resourceOf[rule.signal];
    const usages = await this.#measure(pods);
    const usageOf = (uid: string) => usages.get(uid);
    const ranked = rankPods(pods, { resource, usageOf, parts: storageParts(rule, seen) });
    if (pods.length > 0) noteAges();
    const left = seen.observations.get(rule.signal) ?? { available: 0, capacity: 0 };
    const pod = ranked.find((candidate) => {
      const words = evictionWords({
        pod: candidate,
        resource,
        thresholdAmount: thresholdAmount(rule.threshold, left.capacity),
        available: left.available,
        usage: usageOf(candidate.metadata.uid),
      });
      const graceSeconds = rule.graceMs === 0 ? hardGraceSeconds : this.#softGraceSeconds(candidate);
      return this.#evict(candidate, { words, graceSeconds, cause: rule.signal, isDisruption: true });
    });
    if (!pod) this.#options.logger.warn('the node is short, and no pod may be evicted', { resource });
    return pod ? [pod] : [];
  }

  #softGraceSeconds({ spec }: AssignedPod): number {
    return Math.min(this.#options.maxGraceSeconds, spec.terminationGracePeriodSeconds ?? 30);
  }

  /** False for a critical pod, which stays. */
  #evict(
    pod: AssignedPod,
    how: { words: EvictionWords; graceSeconds: number; cause: string; isDisruption: boolean },
  ): boolean {
    const { recorder, logger, kill, evictions } = this.#options;
    const { message, annotations } = how.words;
    if (isCriticalPod(pod)) return false;
    recorder.record({ object: podObject(pod), type: 'Warning', reason: 'Evicted', message, annotations });
    logger.warn('a pod is evicted', { pod: describePod(pod), message });
    evictions.add(1, { eviction_signal: how.cause });
    kill(pod.metadata.uid, {
      graceSeconds: how.graceSeconds,
      verdict: {
        ...{ phase: 'Failed', reason: 'Evicted', message },
        ...{ isDisruption: how.isDisruption, yieldsToSuccess: true },
      },
    });
    return true;
  }

  #measure(pods: readonly AssignedPod[]) {
    const { clock, meter } = this.#options;
    const patience = new AbortController();
    const timer = clock.after(usagePatienceMs, () => patience.abort());
    return meter
      .measure(pods, { signal: this.#abort.signal, patience: patience.signal })
      .finally(() => timer.cancel());
  }
}

const isOfMemory = ({ signal }: EvictionRule) => resourceOf[signal] === 'memory';
const isOfImages = ({ signal }: EvictionRule) => signal.startsWith('imagefs.');
const isOfDisk = (rule: EvictionRule) => isOfImages(rule) || rule.signal.startsWith('nodefs.');

/** Dead containers and images lie on the file system of images. */
const freesDisk = (rule: EvictionRule, { hasImageFilesystem }: NodeObservation) =>
  isOfDisk(rule) && (isOfImages(rule) || !hasImageFilesystem);

/** What of a pod lies on the file system that is short. */
function storageParts(rule: EvictionRule, { hasImageFilesystem }: NodeObservation): StoragePart[] {
  if (!hasImageFilesystem) return ['layers', 'logs', 'volumes'];
  return isOfImages(rule) ? ['layers'] : ['logs', 'volumes'];
}

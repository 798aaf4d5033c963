import type { Clock } from '@wherry/clock';
import { emptyPodRecord, type PodRecord } from './pod-record.ts';

/** Asks the runtime about one pod. */
export type InspectPod = (uid: string, signal?: AbortSignal) => Promise<PodRecord>;

/** What the cache is made of. */
export interface PodCacheOptions {
  inspect: InspectPod;
  clock: Clock;
  /** True when the runtime is known to hold nothing of a pod that was never touched. */
  isUnknownToRuntime(uid: string): boolean;
  /** A pod was forgotten: nothing of it is to be remembered elsewhere. */
  onForgotten?(uid: string): void;
}

/** What is known of one pod. Questions and changes have one common order; clocks have only milliseconds. */
interface Known {
  record?: PodRecord;
  /** Place of the question that brought the record. */
  asked: number;
  /** Place of the last change; 0 before the first. */
  touched: number;
}

/**
 * The last known record per pod. A pod that was touched after its record was asked for is asked for anew, so that no
 * pass builds on a state older than the pass before.
 */
export class PodCache {
  readonly #inspect: InspectPod;
  readonly #clock: Clock;
  readonly #isUnknownToRuntime: (uid: string) => boolean;
  readonly #onForgotten: (uid: string) => void;
  readonly #pods = new Map<string, Known>();
  #place = 0;
  #changes = 0;

  constructor(options: PodCacheOptions) {
    this.#inspect = options.inspect;
    this.#clock = options.clock;
    this.#isUnknownToRuntime = options.isUnknownToRuntime;
    this.#onForgotten = (uid) => options.onForgotten?.(uid);
  }

  /** The pod's record, asked for when there is none newer than the last {@link touch}. Throws CriError. */
  async get(uid: string, signal?: AbortSignal): Promise<PodRecord> {
    const known = this.#pods.get(uid);
    if (known?.record && known.asked > known.touched) return known.record;
    if (!known && this.#isUnknownToRuntime(uid)) return emptyPodRecord(uid, this.#clock);
    const pod = known ?? this.#begin(uid);
    this.#place += 1;
    const asked = this.#place;
    const record = await this.#inspect(uid, signal);
    // A later question may have been answered sooner: what it brought is the truth, for who asked before too.
    if (pod.record && pod.asked > asked) return pod.record;
    pod.record = keepAddresses(record, pod.record);
    pod.asked = asked;
    return pod.record;
  }

  /** What is known without asking. */
  peek(uid: string): PodRecord | undefined {
    return this.#pods.get(uid)?.record;
  }

  /**
   * The pod changed, or may have: the next {@link get} asks the runtime. False, and nothing done, when the change at
   * `changedAtMs` (wall clock) is older than what is known.
   */
  touch(uid: string, changedAtMs = Number.POSITIVE_INFINITY): boolean {
    const pod = this.#pods.get(uid) ?? this.#begin(uid);
    if (pod.record && pod.record.observedAtMs > changedAtMs) return false;
    this.#place += 1;
    pod.touched = this.#place;
    this.#changes += 1;
    return true;
  }

  /** An answer that is still on its way is for who asked, and is not kept. */
  forget(uid: string): void {
    this.#pods.delete(uid);
    this.#onForgotten(uid);
  }

  /** How often a pod has changed, or may have: what was read of pods before the last time may be no longer so. */
  get changes(): number {
    return this.#changes;
  }

  get uids(): Iterable<string> {
    return this.#pods.keys();
  }

  #begin(uid: string): Known {
    const pod = { asked: 0, touched: 0 };
    this.#pods.set(uid, pod);
    return pod;
  }
}

/** A stopped sandbox may no longer know its addresses; the pod's status keeps the ones it had. */
function keepAddresses(record: PodRecord, before: PodRecord | undefined): PodRecord {
  if (!before) return record;
  const sandboxes = record.sandboxes.map((sandbox) => {
    const old = before.sandboxes.find(({ id }) => id === sandbox.id);
    const lost = !sandbox.network?.ip && old?.network?.ip;
    return lost && sandbox.state !== 0 ? { ...sandbox, network: old.network } : sandbox;
  });
  return { ...record, sandboxes };
}

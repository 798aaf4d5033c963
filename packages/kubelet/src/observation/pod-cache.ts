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
}

/**
 * The last known record per pod. A pod that was touched after its record was made is asked for anew, so that no pass
 * builds on a state older than the pass before.
 */
export class PodCache {
  readonly #inspect: InspectPod;
  readonly #clock: Clock;
  readonly #isUnknownToRuntime: (uid: string) => boolean;
  readonly #records = new Map<string, PodRecord>();
  readonly #touchedMs = new Map<string, number>();

  constructor(options: PodCacheOptions) {
    this.#inspect = options.inspect;
    this.#clock = options.clock;
    this.#isUnknownToRuntime = options.isUnknownToRuntime;
  }

  /** The pod's record, asked for when there is none newer than the last {@link touch}. Throws CriError. */
  async get(uid: string, signal?: AbortSignal): Promise<PodRecord> {
    const known = this.#records.get(uid);
    if (known && known.observedMs >= (this.#touchedMs.get(uid) ?? 0)) return known;
    if (!known && this.#isUnknown(uid)) return emptyPodRecord(uid, this.#clock);
    const record = await this.#inspect(uid, signal);
    const stored = this.#records.get(uid);
    // A later question may have been answered sooner: what it brought is the truth, for who asked before too.
    if (stored && stored.observedMs > record.observedMs) return stored;
    const kept = keepAddresses(record, stored);
    this.#records.set(uid, kept);
    return kept;
  }

  /** A pod that nothing was done to yet needs no question. */
  #isUnknown(uid: string): boolean {
    return !this.#touchedMs.has(uid) && this.#isUnknownToRuntime(uid);
  }

  /** What is known without asking. */
  peek(uid: string): PodRecord | undefined {
    return this.#records.get(uid);
  }

  /**
   * The pod changed, or may have: the next {@link get} asks the runtime. False, and nothing done, when the change at
   * `changedAtMs` (wall clock) is older than what is known.
   */
  touch(uid: string, changedAtMs = Number.POSITIVE_INFINITY): boolean {
    const known = this.#records.get(uid);
    if (known && known.observedAtMs > changedAtMs) return false;
    this.#touchedMs.set(uid, this.#clock.monotonicMs());
    if (known && known.observedMs >= this.#clock.monotonicMs()) this.#records.delete(uid);
    return true;
  }

  forget(uid: string): void {
    this.#records.delete(uid);
    this.#touchedMs.delete(uid);
  }

  get uids(): Iterable<string> {
    return this.#records.keys();
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

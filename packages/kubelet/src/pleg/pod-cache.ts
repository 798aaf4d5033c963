import type { Clock } from '@wherry/clock';
import type { PodRecord } from '../runtime/pod-record.ts';

/** Asks the runtime about one pod. */
export type InspectPod = (uid: string, signal?: AbortSignal) => Promise<PodRecord>;

/**
 * The last known record per pod. A pod that was touched after its record was made is asked for anew, so that no pass
 * builds on a state older than the pass before.
 */
export class PodCache {
  readonly #inspect: InspectPod;
  readonly #clock: Clock;
  readonly #records = new Map<string, PodRecord>();
  readonly #touchedMs = new Map<string, number>();

  constructor(options: { inspect: InspectPod; clock: Clock }) {
    this.#inspect = options.inspect;
    this.#clock = options.clock;
  }

  /** The pod's record, asked for when there is none newer than the last {@link touch}. Throws CriError. */
  async get(uid: string, signal?: AbortSignal): Promise<PodRecord> {
    const known = this.#records.get(uid);
    if (known && known.observedMs >= (this.#touchedMs.get(uid) ?? 0)) return known;
    const record = await this.#inspect(uid, signal);
    const stored = this.#records.get(uid);
    const kept = keepAddresses(record, stored);
    if (!stored || stored.observedMs <= record.observedMs) this.#records.set(uid, kept);
    return kept;
  }

  /** What is known without asking. */
  peek(uid: string): PodRecord | undefined {
    return this.#records.get(uid);
  }

  /** The pod changed, or may have: the next {@link get} asks the runtime. */
  touch(uid: string): void {
    this.#touchedMs.set(uid, this.#clock.monotonicMs());
    const known = this.#records.get(uid);
    if (known && known.observedMs >= this.#clock.monotonicMs()) this.#records.delete(uid);
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

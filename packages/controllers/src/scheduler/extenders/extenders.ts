import type { Pod } from '@wherry/kubeapi/objects';
import type { Logger } from '@wherry/telemetry';
import type { NodeRoom } from '../cluster/node-room.ts';
import { type Refusal, refuse } from '../filters/filter-plugin.ts';
import type { Candidate } from '../preemption/select-victims.ts';
import type { Extender } from './extender.ts';

/** What refused a pod where an extender did: any change may help. */
export const extenderName = 'Extender';

/** All extenders, in the order in which they are asked: those that scheduling can do without come last. */
export class Extenders {
  readonly #all: readonly Extender[];
  readonly #logger: Logger;

  constructor(all: readonly Extender[], logger: Logger) {
    this.#all = all.toSorted((a, b) => Number(a.role.isIgnorable) - Number(b.role.isIgnorable));
    this.#logger = logger;
  }

  get isEmpty(): boolean {
    return this.#all.length === 0;
  }

  /** Whether more than the first node that fits is worth looking for. */
  get chooses(): boolean {
    return this.#all.some(({ role }) => role.filterVerb || role.prioritizeVerb);
  }

  /** The nodes that all of them leave, one asked about what the other left; why not the others goes to `refusals`. Rejects with ExtenderError. */
  async filter(
    pod: Pod,
    rooms: readonly NodeRoom[],
    { refusals, signal }: { refusals: Map<NodeRoom, Refusal>; signal: AbortSignal },
  ): Promise<readonly NodeRoom[]> {
    let left = rooms;
    for (const extender of this.#interested(pod)) {
      if (left.length === 0) break;
      const asked = left;
      const found = await this.#unlessIgnorable(extender, extender.filter(pod, asked, signal));
      if (!found) continue;
      for (const room of asked) {
        const [hopeless, failed] = [found.hopeless.get(room.name), found.failed.get(room.name)];
        const reason = hopeless ?? failed;
        if (reason !== undefined) refusals.set(room, refuse(reason, { isFinal: hopeless !== undefined }));
      }
      left = found.rooms;
    }
    return left;
  }

  /** What they add to the scores of nodes, by name; who fails adds nothing. */
  async prioritize(pod: Pod, rooms: readonly NodeRoom[], signal: AbortSignal): Promise<Map<string, number>> {
    const sums = new Map<string, number>();
    const all = await Promise.all(
      this.#interested(pod).map((extender) =>
        extender.prioritize(pod, rooms, signal).catch((error: unknown) => {
          signal.throwIfAborted();
          this.#logger.debug('an extender gives no points', { extender: extender.role.name, error });
          return new Map<string, number>();
        }),
      ),
    );
    for (const points of all) for (const [name, more] of points) sums.set(name, (sums.get(name) ?? 0) + more);
    return sums;
  }

  /** The candidates that all of them leave, with the victims that they want. Rejects with ExtenderError. */
  async preempt(
    pod: Pod,
    candidates: readonly Candidate[],
    signal: AbortSignal,
  ): Promise<readonly Candidate[]> {
    let left = candidates;
    for (const extender of this.#interested(pod)) {
      if (left.length === 0) break;
      if (!extender.role.preemptVerb) continue;
      left = (await this.#unlessIgnorable(extender, extender.preempt(pod, left, signal))) ?? left;
    }
    return left;
  }

  /** Has the one that binds bind the pod; false where none does. Rejects with ExtenderError. */
  async bind(pod: Pod, nodeName: string, signal: AbortSignal): Promise<boolean> {
    for (const extender of this.#interested(pod)) {
      if (!extender.role.bindVerb) continue;
      const isBound = extender.bind(pod, nodeName, signal).then(() => true);
      if (await this.#unlessIgnorable(extender, isBound)) return true;
    }
    return false;
  }

  close(): void {
    for (const extender of this.#all) extender.close();
  }

  #interested(pod: Pod): readonly Extender[] {
    return this.#all.filter((extender) => extender.isInterested(pod));
  }

  async #unlessIgnorable<T>({ role }: Extender, answer: Promise<T>): Promise<T | undefined> {
    try {
      return await answer;
    } catch (error) {
      if (!role.isIgnorable) throw error;
      this.#logger.info('an extender fails and is done without', { extender: role.name, error });
      return undefined;
    }
  }
}

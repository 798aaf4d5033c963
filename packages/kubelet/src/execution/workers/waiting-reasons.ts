import { waitingReasonsMax } from '../../limits.ts';
import type { WaitingReason } from '../../reporting/status/container-statuses.ts';

/** Remembers per container why it last failed to start, until it starts. Bounded: the oldest entry goes first. */
export class WaitingReasons {
  readonly #reasons = new Map<string, WaitingReason>();

  get(uid: string, container: string): WaitingReason | undefined {
    return this.#reasons.get(`${uid}/${container}`);
  }

  set(uid: string, container: string, reason: WaitingReason): void {
    const key = `${uid}/${container}`;
    this.#reasons.delete(key);
    this.#reasons.set(key, reason);
    if (this.#reasons.size <= waitingReasonsMax) return;
    const [oldest] = this.#reasons.keys();
    if (oldest !== undefined) this.#reasons.delete(oldest);
  }

  clear(uid: string, container: string): void {
    this.#reasons.delete(`${uid}/${container}`);
  }
}

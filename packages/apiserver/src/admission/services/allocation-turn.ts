import { type Clock, deadline } from '@wherry/clock';
import { internalError } from '@wherry/kubeapi';
import { periods } from '../../limits.ts';
import type { ObjectCache } from '../../objects/object-cache.ts';
import { Turns } from '../../objects/turns.ts';
import type { AdmissionRequest } from '../admission.ts';
import type { AllocationTurn, PluginParts } from '../plugin-parts.ts';

const name = 'allocations';

/**
 * Servers that share a store give out addresses and ports in turns: every service that takes one writes beside itself that
 * it did, under the condition that no other has, of which this server has not heard.
 */
export class AllocationTurns {
  readonly #cache: ObjectCache<AllocationTurn>;
  readonly #clock: Clock;
  readonly #own = new Turns();
  /** Requests that have this server's own turn until they are settled. */
  readonly #inTurn = new WeakSet<AdmissionRequest>();

  constructor({ caches, clock }: Pick<PluginParts, 'caches' | 'clock'>) {
    this.#cache = caches.allocationTurns;
    this.#clock = clock;
  }

  /** Resolves once no other write of this server is in its turn. Throws 500 when that takes too long. */
  async begin(request: AdmissionRequest): Promise<void> {
    if (this.#inTurn.has(request)) return;
    using waiting = deadline({ clock: this.#clock, timeoutMs: periods.quotaTurnMs });
    try {
      request.onSettled(await this.#own.begin('', waiting.signal));
      this.#inTurn.add(request);
    } catch (error) {
      throw internalError(new Error('giving out addresses and ports timed out', { cause: error }));
    }
  }

  /** Stores the turn beside the service. */
  store(request: AdmissionRequest): void {
    const expectedRevision = Number(this.#cache.get(name)?.metadata?.resourceVersion ?? 0);
    const value = JSON.stringify({ apiVersion: 'v1', metadata: { name }, after: expectedRevision });
    request.storeAlongside({ key: this.#cache.keyOf(name), value, expectedRevision });
  }
}

import type { Clock, Timer } from '@wherry/clock';
import type { RangeAllocation, Service } from '@wherry/kubeapi';
import { type Logger, unattended } from '@wherry/telemetry';
import type { PortRange } from '../admission/port-range.ts';
import { GivenPorts } from '../admission/services/given-ports.ts';
import { ServiceLedger } from '../admission/services/ledger.ts';
import { periods } from '../limits.ts';
import type { ObjectCache } from '../objects/object-cache.ts';
import { StoreError } from '../store/errors.ts';
import type { Store } from '../store/store.ts';

/** What the book is kept with. */
export interface PortBookOptions {
  store: Store;
  range: PortRange;
  caches: { services: ObjectCache<Service>; allocatedRanges: ObjectCache<RangeAllocation> };
  clock: Clock;
  logger: Logger;
}

/** A port without a service may be that of one that another server is about to store: it is free when it is found so often. */
const looksMin = 4;

/**
 * Straightens out which node ports are given out in a store that servers share: services that were stored without saying
 * so, ports that a server left behind when it died, and the range of a server before this one that had another flag (upstream:
 * portallocator/controller/repair.go).
 */
export class PortBook {
  readonly #options: PortBookOptions;
  readonly #ports: GivenPorts;
  readonly #ledger: ServiceLedger;
  /** How many looks in a row found a port without its service. */
  #looks = new Map<number, number>();
  #timer: Timer | undefined;
  #running: Promise<void> | undefined;

  constructor(options: PortBookOptions) {
    this.#options = options;
    const { services, allocatedRanges } = options.caches;
    this.#ledger = new ServiceLedger(services);
    this.#ports = new GivenPorts(options.range, allocatedRanges, this.#ledger);
  }

  /** Once the caches have started. */
  start(): void {
    const { clock, logger } = this.#options;
    this.#running = this.look().catch((error: unknown) => {
      // Somebody else has written; or the store is away, of which others tell.
      if (!(error instanceof StoreError)) throw error;
    });
    unattended(this.#running, { logger, task: 'the node ports of services' });
    this.#timer = clock.after(periods.portRepairMs, () => this.start());
  }

  async close(): Promise<void> {
    this.#timer?.cancel();
    await this.#running?.catch(() => {});
  }

  /** Throws a StoreError where nothing could be written. */
  async look(): Promise<void> {
    const held = this.#ledger.storedPorts();
    const given = this.#ports.readOrRebuild();
    const looks = new Map<number, number>();
    for (const port of given.without(held)) looks.set(port, (this.#looks.get(port) ?? 0) + 1);
    this.#looks = looks;
    const lost = [...looks].flatMap(([port, count]) => (count < looksMin ? [] : port));
    const right = given.without(lost).with(held);
    const isOther = this.#ports.otherRange !== undefined;
    if (isOther || !right.equals(given)) await this.#options.store.write(this.#ports.write(right));
  }
}

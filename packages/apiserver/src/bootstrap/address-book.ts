import type { Clock, Timer } from '@wherry/clock';
import { hasReason, type IPAddress, type Service } from '@wherry/kubeapi';
import { type Logger, unattended } from '@wherry/telemetry';
import { addressObject, isManagedAddress, serviceOf } from '../admission/services/address-object.ts';
import { addressesOf, ServiceLedger } from '../admission/services/ledger.ts';
import { periods } from '../limits.ts';
import { as } from '../objects/api-object.ts';
import type { ObjectCache } from '../objects/object-cache.ts';
import { objectOf } from '../objects/stored-text.ts';
import type { Collection } from '../registry/collection.ts';
import { deletionOf } from '../registry/deletion.ts';
import type { StoreEvent, StoreWatch } from '../store/store.ts';
import { ensure } from './ensure.ts';

/** What the book is kept with. */
export interface AddressBookOptions {
  /** IPAddresses. */
  addresses: Collection;
  services: Collection;
  caches: { services: ObjectCache<Service>; ipAddresses: ObjectCache<IPAddress> };
  /** Other servers store services, too. */
  isStoreShared: boolean;
  clock: Clock;
  logger: Logger;
}

/**
 * One IPAddress for each address that a service has, as upstream keeps them: made with it, gone with it, and brought
 * back when somebody else takes it away. Services decide; the objects only say what they do.
 */
export class AddressBook {
  readonly #options: AddressBookOptions;
  readonly #ledger: ServiceLedger;
  /** Addresses to look at: at most those of all services and IPAddresses. */
  readonly #due = new Set<string>();
  /** Of addresses whose service has left them: when, as a revision of the store. */
  readonly #left = new Map<string, number>();
  /** Those that have no service yet, until the next look at them. */
  readonly #waiting = new Set<string>();
  #timer: Timer | undefined;
  #watches: StoreWatch[] = [];
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: AddressBookOptions) {
    this.#options = options;
    this.#ledger = new ServiceLedger(options.caches.services);
  }

  /** Once the caches have started: follows services, and straightens out what changed while nobody did. */
  async start(): Promise<void> {
    const { addresses, services, caches } = this.#options;
    for (const { resource, storage } of [services, addresses]) {
      const onEvents = (events: readonly StoreEvent[]) => this.#follow(events, storage.gvk);
      this.#watches.push(await storage.store.watch({ prefix: resource.keyPrefix, onEvents }));
    }
    for (const service of caches.services.values()) this.#add(addressesOf(service));
    for (const { metadata } of caches.ipAddresses.values()) this.#add([metadata?.name ?? '']);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    for (const watch of this.#watches) watch.close();
    await this.#running;
  }

  #follow(events: readonly StoreEvent[], gvk: Collection['storage']['gvk']): void {
    for (const { current, previous, revision } of events) {
      for (const stored of [previous, current]) {
        if (!stored) continue;
        const object = objectOf(stored, gvk);
        const addresses = gvk.kind === 'Service' ? addressesOf(as<Service>(object)) : [];
        if (stored === previous) for (const address of addresses) this.#left.set(address, revision);
        this.#add(gvk.kind === 'Service' ? addresses : [object.metadata.name ?? '']);
      }
    }
  }

  #add(addresses: Iterable<string>): void {
    for (const address of addresses) this.#due.add(address);
    if (this.#running || this.#due.size === 0 || this.#isClosed) return;
    this.#running = this.#work().finally(() => {
      this.#running = undefined;
      this.#add([]);
    });
    unattended(this.#running, { logger: this.#options.logger, task: 'the addresses of services' });
  }

  async #work(): Promise<void> {
    for (const address of this.#due) {
      if (this.#isClosed) return;
      this.#due.delete(address);
      try {
        await this.#settle(address);
      } catch (error) {
        if (this.#isClosed) return;
        this.#options.logger.warn('an IPAddress can not be kept', { address, error });
      }
    }
  }

  async #settle(address: string): Promise<void> {
    const { addresses, caches } = this.#options;
    const [holder] = this.#ledger.holdersOf(address);
    const known = caches.ipAddresses.get(address);
    const leftAt = this.#left.get(address) ?? 0;
    this.#left.delete(address);
    if (!holder && known && this.#mayGetService(known, leftAt)) return this.#lookLater(address);
    if (known && isManagedAddress(known) && serviceOf(known) !== holder)
      await this.#remove(address, known.metadata?.uid);
    else if (known || !holder) return;
    if (holder) await ensure(addresses, addressObject(address, holder));
  }

  /** Servers that share a store write the address first, unless it is that of a service that has just left it. */
  #mayGetService({ metadata }: IPAddress, leftAt: number): boolean {
    const { isStoreShared, clock } = this.#options;
    const isNewer = Number(metadata?.resourceVersion ?? 0) > leftAt;
    const ageMs = clock.nowMs() - Date.parse(metadata?.creationTimestamp ?? '');
    return isStoreShared && isNewer && ageMs < periods.addressWithoutServiceMs;
  }

  #lookLater(address: string): void {
    this.#waiting.add(address);
    this.#timer ??= this.#options.clock.after(periods.addressWithoutServiceMs, () => {
      this.#timer = undefined;
      const due = [...this.#waiting];
      this.#waiting.clear();
      this.#add(due);
    });
  }

  /** Another server may do so at the same time, and somebody make it anew. */
  async #remove(name: string, uid: string | undefined): Promise<void> {
    const { addresses, clock } = this.#options;
    const { strategy } = addresses.resource;
    const change = (current: Parameters<typeof deletionOf>[0]) =>
      deletionOf(current, {}, { strategy, nowMs: clock.nowMs() });
    if (!(await addresses.storage.find({ namespace: '', name }))) return;
    try {
      await addresses.storage.change({ namespace: '', name, preconditions: { uid }, change });
    } catch (error) {
      if (!hasReason(error, 'NotFound') && !hasReason(error, 'Conflict')) throw error;
    }
  }
}

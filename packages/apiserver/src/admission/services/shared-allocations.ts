import { randomUUID } from 'node:crypto';
import { type Clock, deadline } from '@wherry/clock';
import {
  canonicalAddress,
  type IPAddress,
  internalError,
  type Service,
  serverTimeout,
  timeFromMs,
} from '@wherry/kubeapi';
import { periods } from '../../limits.ts';
import { type ApiObject, as } from '../../objects/api-object.ts';
import type { ObjectCache } from '../../objects/object-cache.ts';
import { isConflict } from '../../objects/object-storage.ts';
import { toStoredText } from '../../objects/stored-text.ts';
import { Turns } from '../../objects/turns.ts';
import type { Store } from '../../store/store.ts';
import type { AdmissionRequest } from '../admission.ts';
import type { PluginParts } from '../plugin-parts.ts';
import { addressObject, serviceOf } from './address-object.ts';
import { GivenPorts } from './given-ports.ts';
import { portsOf, type ServiceLedger } from './ledger.ts';

/** Addresses and node ports that a service is given. */
interface Things {
  readonly addresses: readonly string[];
  readonly ports: readonly number[];
}

/**
 * What servers of one store, upstream's among them, have given to services: an IPAddress for each address, a bit for each
 * port. Bits are written with the service. An IPAddress comes before it and goes after it (bootstrap/address-book.ts), as
 * upstream: whoever follows both never sees a service without.
 */
export class SharedAllocations {
  readonly #addresses: ObjectCache<IPAddress>;
  readonly #ports: GivenPorts;
  readonly #ledger: ServiceLedger;
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #turns = new Turns();
  /** Requests that have this server's turn to write the ports until they are settled. */
  readonly #inTurn = new WeakSet<AdmissionRequest>();

  constructor(
    store: Store,
    ledger: ServiceLedger,
    { caches, nodePorts, clock }: Pick<PluginParts, 'caches' | 'nodePorts' | 'clock'>,
  ) {
    this.#store = store;
    this.#addresses = caches.ipAddresses;
    this.#ports = new GivenPorts(nodePorts, caches.allocatedRanges, ledger);
    this.#ledger = ledger;
    this.#clock = clock;
  }

  /** True when a server has given the address to another service, be it one that is not stored yet. */
  hasAddress(address: string, owner: string): boolean {
    const object = this.#addresses.get(canonicalAddress(address));
    return object !== undefined && serviceOf(object) !== owner;
  }

  /** True when a server has given the port to a service, be it one that is not stored yet. */
  hasPort(port: number): boolean {
    return this.#ports.read().has(port);
  }

  /**
   * Stores what a service has taken, its ports with it, and ports that it had before and has no more are free with that. Throws
   * 500, to be tried again, where somebody else has been given the same meanwhile.
   */
  async store(request: AdmissionRequest, owner: string, taken: Things): Promise<void> {
    const { previous, object } = request;
    const kept = isLeaving(request) ? [] : portsIn(object);
    const left = portsIn(previous).filter((port) => !kept.includes(port));
    const changesPorts = taken.ports.length + left.length > 0;
    if (changesPorts) await this.#begin(request);
    const isOutdated =
      taken.addresses.some((address) => this.hasAddress(address, owner)) ||
      taken.ports.some((port) => this.hasPort(port));
    if (isOutdated) throw tryAgain();
    for (const address of taken.addresses) await this.#give(request, canonicalAddress(address), owner);
    // What is of another range is not this server's to take back.
    if (!changesPorts || (taken.ports.length === 0 && this.#ports.otherRange !== undefined)) return;
    const free = left.filter((port) => !this.#ledger.isPortStored(port, owner));
    request.storeAlongside(this.#ports.write(this.#ports.read().without(free).with(taken.ports)));
  }

  /** Resolves once no other write of this server is about to change the ports. Throws 500 when that takes too long. */
  async #begin(request: AdmissionRequest): Promise<void> {
    if (this.#inTurn.has(request)) return;
    using waiting = deadline({ clock: this.#clock, timeoutMs: periods.quotaTurnMs });
    try {
      request.onSettled(await this.#turns.begin('', waiting.signal));
      this.#inTurn.add(request);
    } catch (error) {
      throw internalError(new Error('giving out ports timed out', { cause: error }));
    }
  }

  async #give(request: AdmissionRequest, address: string, owner: string): Promise<void> {
    if (this.#addresses.get(address)) return;
    const object = addressObject(address, owner);
    const creationTimestamp = timeFromMs(this.#clock.nowMs());
    object.metadata = { ...object.metadata, uid: randomUUID(), creationTimestamp };
    const key = this.#addresses.keyOf(address);
    const value = toStoredText(object, 'networking.k8s.io/v1');
    try {
      const given = await this.#store.write({ key, value, kind: 'IPAddress', expectedRevision: 0 });
      request.onSettled(() => this.#takeBack(address, given.revision));
    } catch (error) {
      if (!isConflict(error)) throw error;
      const stored = await this.#store.get(key);
      // Another server is about to store the same service.
      if (!stored || serviceOf(JSON.parse(stored.value)) !== owner) throw tryAgain();
    }
  }

  /** Where the service was not stored. What fails here goes when nobody has stored it for a minute (bootstrap/address-book.ts). */
  #takeBack(address: string, expectedRevision: number): void {
    if (this.#ledger.holdersOf(address).length > 0) return;
    const key = this.#addresses.keyOf(address);
    this.#store.write({ key, value: null, expectedRevision }).catch(() => {});
  }
}

const tryAgain = () => serverTimeout({ group: '', resource: 'services' }, 'create');

function portsIn(object: ApiObject | undefined): number[] {
  return object ? portsOf(as<Service>(object)) : [];
}

/** A change that lets go of a deleted service: it is removed by that. */
function isLeaving({ object }: AdmissionRequest): boolean {
  const { deletionTimestamp, finalizers = [] } = object?.metadata ?? {};
  return deletionTimestamp !== undefined && finalizers.length === 0;
}

import { canonicalAddress, type Service } from '@wherry/kubeapi';
import type { Logger } from '@wherry/telemetry';
import type { ObjectCache } from '../../objects/object-cache.ts';

/**
 * Who holds which cluster IP and which node port: the stored services, and writes that are under way. Nothing waits
 * between looking and taking, so two writes never get the same; and nothing is kept besides the services, so there is
 * nothing that could go astray and would have to be repaired.
 */
export class ServiceLedger {
  readonly #services: ObjectCache<Service>;
  /** What writes that are under way have taken, by owner. */
  readonly #pending = new Map<string, Map<string, number>>();
  #holders = new Map<string, Set<string>>();
  #generation = -1;

  constructor(services: ObjectCache<Service>) {
    this.#services = services;
  }

  /** True when somebody other than `owner` (`namespace/name`) has it. */
  isTaken(thing: string, owner: string): boolean {
    const isOther = (holder: string) => holder !== owner;
    const pending = this.#pending.get(thing);
    return [...(this.#stored().get(thing) ?? [])].some(isOther) || [...(pending?.keys() ?? [])].some(isOther);
  }

  /** Takes it until the returned function is called, which is when the service stands in the store, or never will. */
  take(thing: string, owner: string): () => void {
    const owners = this.#pending.get(thing) ?? new Map<string, number>();
    this.#pending.set(thing, owners.set(owner, (owners.get(owner) ?? 0) + 1));
    return () => {
      const count = (owners.get(owner) ?? 0) - 1;
      if (count > 0) owners.set(owner, count);
      else owners.delete(owner);
      if (owners.size === 0) this.#pending.delete(thing);
    };
  }

  /** True when a stored service other than `owner` has it. */
  isPortStored(port: number, owner: string): boolean {
    return [...(this.#stored().get(portThing(port)) ?? [])].some((holder) => holder !== owner);
  }

  /** The stored services (`namespace/name`) that have a cluster IP, in their order. */
  holdersOf(address: string): readonly string[] {
    return [...(this.#stored().get(addressThing(address)) ?? [])].sort();
  }

  /** All node ports that stored services have. */
  storedPorts(): number[] {
    return [...this.#services.values()].flatMap(portsOf);
  }

  /** What more than one stored service has, with its holders. */
  conflicts(): { thing: string; holders: string[] }[] {
    return [...this.#stored()]
      .filter(([, holders]) => holders.size > 1)
      .map(([thing, holders]) => ({ thing, holders: [...holders].sort() }));
  }

  /** Holders of the stored services' things; made anew when a service has changed. */
  #stored(): ReadonlyMap<string, ReadonlySet<string>> {
    if (this.#generation === this.#services.generation) return this.#holders;
    const holders = new Map<string, Set<string>>();
    for (const service of this.#services.values()) {
      const { namespace = '', name = '' } = service.metadata ?? {};
      for (const thing of thingsOf(service)) {
        holders.set(thing, (holders.get(thing) ?? new Set()).add(`${namespace}/${name}`));
      }
    }
    this.#holders = holders;
    this.#generation = this.#services.generation;
    return holders;
  }
}

/** Tells of addresses and ports that more than one stored service has; they stay, as upstream. */
export function reportConflicts(services: ObjectCache<Service>, logger: Logger): void {
  for (const { thing, holders } of new ServiceLedger(services).conflicts()) {
    logger.warn('services share what should be one service’s own; delete all but one', { thing, holders });
  }
}

/** How the ledger calls a cluster IP. */
export const addressThing = (address: string): string => `address ${canonicalAddress(address)}`;
/** How the ledger calls a node port. */
export const portThing = (port: number): string => `port ${port}`;

/** Cluster IPs of a service, each in the one way of writing it; none for a headless one. */
export function addressesOf({ spec }: Service): string[] {
  const addresses = new Set([spec?.clusterIP ?? '', ...(spec?.clusterIPs ?? [])]);
  const given = [...addresses].filter((address) => address !== '' && address !== 'None');
  return [...new Set(given.map(canonicalAddress))];
}

/** Node ports of a service, that of health checks among them. */
export function portsOf({ spec }: Service): number[] {
  const ports = [...(spec?.ports ?? []).map(({ nodePort }) => nodePort), spec?.healthCheckNodePort];
  return ports.filter((port): port is number => Boolean(port));
}

function thingsOf(service: Service): string[] {
  return [...addressesOf(service).map(addressThing), ...portsOf(service).map(portThing)];
}

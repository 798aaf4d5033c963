import { type AddressFamily, addressBits, familyOf, type RouteNetlink } from '@wherry/linux';
import { ignoring } from '../errors.ts';
import type { AddressPool } from './address-pool.ts';
import { HostPorts } from './host-ports.ts';

/** What a family's part of the bridge is made of. */
export interface FamilyOptions {
  pool: AddressPool;
  bridgeName: string;
  /** The hardware address of the bridge. */
  hardwareAddress: string;
  /** Name of the node's nftables table. */
  table: string;
}

/**
 * What the bridge does for pods' addresses of one family. By IPv4 the bridge has the whole range, and asks for pods by ARP,
 * which the guard watches over. By IPv6 nobody asks: each pod's address is a route and a neighbour that the runtime
 * writes down, and all others of the range the table refuses, so that no scan of the range fills the machine's table of neighbours.
 */
export class FamilyNetwork {
  readonly pool: AddressPool;
  readonly hostPorts: HostPorts;
  readonly #options: FamilyOptions;

  constructor(options: FamilyOptions) {
    this.#options = options;
    this.pool = options.pool;
    this.hostPorts = new HostPorts({ family: this.family, name: options.table });
  }

  get family(): AddressFamily {
    return this.pool.family;
  }

  /** Which of a pod's addresses is of this family. */
  addressOf(addresses: readonly string[]): string | undefined {
    return addresses.find((address) => familyOf(address) === this.family);
  }

  /** Gives the bridge its address, and takes away what pods of an earlier run left. The bridge is up. */
  setUp(routes: RouteNetlink, heldAddresses: readonly string[]): void {
    const { bridgeName } = this.#options;
    this.hostPorts.forget();
    ignoring('EEXIST', () => routes.addAddress(bridgeName, this.#gatewayPrefix));
    if (this.family === 'ip') return;
    const { index } = routes.link(bridgeName);
    const kept = new Set([this.pool.gateway, ...heldAddresses]);
    for (const { to, interfaceIndex } of routes.routes()) {
      const [address = ''] = to.split('/');
      if (interfaceIndex === index && familyOf(address) === 'ip6' && !kept.has(address))
        this.withdraw(routes, address);
    }
  }

  /** Takes back what {@link setUp} gave. */
  takeDown(routes: RouteNetlink): void {
    const { bridgeName } = this.#options;
    ignoring('EADDRNOTAVAIL', () => routes.deleteAddress(bridgeName, this.#gatewayPrefix));
  }

  /** Gives a pod's interface its address; to be called inside its network namespace. */
  address(routes: RouteNetlink, interfaceName: string, address: string): void {
    routes.addAddress(interfaceName, this.#alone(address));
  }

  /** Leads all that the pod sends to the machine; to be called inside, once the interface is up. */
  lead(routes: RouteNetlink, interfaceName: string): void {
    const { gateway } = this.pool;
    routes.addRoute({ to: this.#alone(gateway), interfaceName });
    routes.addRoute({ via: gateway });
    if (this.family === 'ip6') routes.setNeighbour(interfaceName, gateway, this.#options.hardwareAddress);
  }

  /** Leads what is for the address to its pod. Repeats are fine. */
  announce(routes: RouteNetlink, address: string, hardwareAddress: string): void {
    if (this.family === 'ip') return;
    const { bridgeName } = this.#options;
    routes.setNeighbour(bridgeName, address, hardwareAddress);
    ignoring('EEXIST', () => routes.addRoute({ to: this.#alone(address), interfaceName: bridgeName }));
  }

  /** Takes back what {@link announce} said. Repeats are fine. */
  withdraw(routes: RouteNetlink, address: string): void {
    if (this.family === 'ip') return;
    const { bridgeName } = this.#options;
    ignoring('ESRCH', () => routes.deleteRoute({ to: this.#alone(address), interfaceName: bridgeName }));
    ignoring('ENOENT', () => routes.deleteNeighbour(bridgeName, address));
  }

  get #gatewayPrefix(): string {
    const { gateway, prefixLength } = this.pool;
    return this.family === 'ip' ? `${gateway}/${prefixLength}` : this.#alone(gateway);
  }

  #alone(address: string): string {
    return `${address}/${addressBits[this.family]}`;
  }
}

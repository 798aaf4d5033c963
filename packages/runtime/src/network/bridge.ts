import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import type { Clock, Timer } from '@wherry/clock';
import { RouteNetlink } from '@wherry/linux';
import type { Logger } from '@wherry/telemetry';
import { hasErrno, messageOf } from '../errors.ts';
import { limits } from '../limits.ts';
import { AddressPool } from './address-pool.ts';
import { HostPorts } from './host-ports.ts';
import { setUpTable } from './nftables.ts';
import type { AttachRequest, PodAddress, PodNetwork } from './pod-network.ts';

/** Where the built-in network lives. */
export interface BridgeOptions {
  bridgeName: string;
  /** Range of the pods' addresses; the bridge takes its first one. */
  podCidr: string;
  clock: Clock;
  logger: Logger;
}

/** What a pod of an earlier run has. */
export interface HeldAddress {
  request: AttachRequest;
  address: PodAddress;
  /** Whether the pod still runs: else it only keeps its address until it is stopped. */
  ready: boolean;
}

const vethPrefix = 'wv';

/** Runs an action on rtnetlink of the current network namespace. */
function withRoutes<T>(action: (routes: RouteNetlink) => T): T {
  const routes = new RouteNetlink();
  try {
    return action(routes);
  } finally {
    routes.close();
  }
}

function ignoring(code: string, action: () => void): void {
  try {
    action();
  } catch (error) {
    if (!hasErrno(error, code)) throw error;
  }
}

function setSysctl(name: string, value: string): void {
  const path = `/proc/sys/${name}`;
  if (readFileSync(path, 'utf8').trim() !== value) writeFileSync(path, value);
}

/**
 * The built-in pod network: one bridge per node, a cable per pod, masquerading and host ports by an nftables table of
 * its own. Cables are made by rtnetlink; no program is started for a pod.
 */
export class BridgeNetwork implements PodNetwork {
  readonly #options: BridgeOptions;
  readonly #pool: AddressPool;
  readonly #hostPorts: HostPorts;
  /** The machine's own network namespace, also while this thread visits another. */
  readonly #home = openSync('/proc/thread-self/ns/net', 'r');
  readonly #departing = new Set<string>();
  #sweep: Timer | undefined;
  #retry: Timer | undefined;
  #problem: string | null = 'the pod network is not set up yet';

  constructor(options: BridgeOptions) {
    this.#options = options;
    this.#pool = new AddressPool(options.podCidr);
    this.#hostPorts = new HostPorts(`wherry-${options.bridgeName}`);
  }

  get problem(): string | null {
    return this.#problem;
  }

  /**
   * Makes or mends bridge and table, and takes over what `held` says pods have. A failure shows in {@link problem};
   * it is tried again every few seconds.
   */
  async open(held: () => readonly HeldAddress[]): Promise<void> {
    const { bridgeName, clock, logger } = this.#options;
    try {
      for (const { address } of held()) this.#pool.take(address.ip);
      this.#setUpBridge();
      await setUpTable({ table: this.#hostPorts.table, bridgeName, podCidr: this.#pool.cidr, logger });
      for (const { request, address, ready } of held())
        if (ready) this.#hostPorts.publish(request, address.ip);
      this.#problem = null;
    } catch (error) {
      if (messageOf(error) !== this.#problem) {
        logger.error('the pod network cannot be set up and will be tried again', { error: messageOf(error) });
      }
      this.#problem = messageOf(error);
      this.#retry = clock.after(limits.networkRetryMs, () => void this.open(held));
    }
  }

  reserve({ sandboxId }: AttachRequest): PodAddress {
    return { ip: this.#pool.allocate(), additionalIps: [], hostInterface: cableName(sandboxId) };
  }

  connect({ ip, hostInterface }: PodAddress): void {
    withRoutes((routes) => {
      routes.setLink('lo', { up: true });
      routes.createVeth({
        name: 'eth0',
        peerName: hostInterface,
        peerNamespacePath: `/proc/self/fd/${this.#home}`,
      });
      routes.addAddress('eth0', `${ip}/${this.#pool.prefixLength}`);
      routes.setLink('eth0', { up: true });
      routes.addRoute({ via: this.#pool.gateway });
    });
  }

  plugIn({ hostInterface }: PodAddress): void {
    withRoutes((routes) => routes.setLink(hostInterface, { master: this.#options.bridgeName, up: true }));
  }

  publish(request: AttachRequest, address: PodAddress): void {
    this.#hostPorts.publish(request, address.ip);
  }

  release(request: AttachRequest, { ip, hostInterface }: PodAddress): void {
    this.#hostPorts.withdraw(request, ip);
    this.#pool.release(ip);
    this.#departing.add(hostInterface);
    this.#sweep ??= this.#options.clock.after(limits.cableSweepMs, () => this.#sweepCables());
  }

  /**
   * A cable goes with its pod's namespace, in the kernel's own time. Asking for it at once would hold this thread for
   * some 30 ms per pod; only what is still there later (something keeps the namespace open) is taken away by hand.
   */
  #sweepCables(): void {
    this.#sweep?.cancel();
    this.#sweep = undefined;
    withRoutes((routes) => {
      for (const { name } of routes.links()) if (this.#departing.has(name)) routes.deleteLink(name);
    });
    this.#departing.clear();
  }

  /** Lets go of the namespace; bridge and table stay for the pods. */
  close(): void {
    this.#retry?.cancel();
    if (this.#sweep) this.#sweepCables();
    closeSync(this.#home);
  }

  #setUpBridge(): void {
    const { bridgeName } = this.#options;
    withRoutes((routes) => {
      ignoring('EEXIST', () => routes.createBridge(bridgeName));
      ignoring('EEXIST', () =>
        routes.addAddress(bridgeName, `${this.#pool.gateway}/${this.#pool.prefixLength}`),
      );
      // A fixed address: by default a bridge takes its lowest port's, and pods' ARP caches go stale when that leaves.
      routes.setLink(bridgeName, { up: true, hardwareAddress: hardwareAddressOf(bridgeName) });
    });
    setSysctl('net/ipv4/ip_forward', '1');
    // Lets 127.0.0.1:hostPort reach pods: the kernel otherwise drops loopback sources on the bridge.
    setSysctl(`net/ipv4/conf/${bridgeName}/route_localnet`, '1');
  }
}

/** At most 15 characters, as interface names are. */
const cableName = (sandboxId: string) => `${vethPrefix}${sandboxId.slice(0, 12)}`;

function hardwareAddressOf(name: string): string {
  const digits = createHash('sha256').update(name).digest('hex').slice(0, 10);
  return `0a${digits}`.replace(/(..)(?!$)/g, '$1:');
}

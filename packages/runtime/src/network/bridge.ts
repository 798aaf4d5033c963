import { createHash } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import type { Clock, Timer } from '@wherry/clock';
import { hasCode, RouteNetlink } from '@wherry/linux';
import type { Logger } from '@wherry/telemetry';
import { messageOf, RuntimeError } from '../errors.ts';
import { limits } from '../limits.ts';
import { AddressPool } from './address-pool.ts';
import { HostPorts } from './host-ports.ts';
import { settleBridge, settleCable, settlePod } from './interface-settings.ts';
import { setUpGuardTable, setUpTable } from './nftables.ts';
import type { AttachRequest, HeldAddress, PodAddress, PodNetwork, ReleaseRequest } from './pod-network.ts';
import type { PodRange } from './pod-range.ts';
import { hardwareAddressOfPod, identityTexts, PortGuard } from './port-guard.ts';

/** Where the built-in network lives. */
export interface BridgeOptions {
  bridgeName: string;
  /** Range of the pods' addresses; the bridge takes its first one. */
  range: PodRange;
  /** Largest packet; undefined leaves it to the kernel. */
  mtu: number | undefined;
  /** Ranges that pods are refused at once, such as those of services that nothing routes to. */
  blockedCidrs: readonly string[];
  clock: Clock;
  logger: Logger;
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
    if (!hasCode(error, code)) throw error;
  }
}

/**
 * The built-in pod network: one bridge per node, a cable per pod, masquerading and host ports by an nftables table of
 * its own, and a second one that lets no pod pass for another. Pods reach one another, as all else, by the machine's
 * routing alone: what is translated finds its way back, and what is not allowed is stopped there. Cables are made by
 * rtnetlink; no program is started for a pod.
 */
export class BridgeNetwork implements PodNetwork {
  readonly limitsBandwidth = false;
  readonly #options: BridgeOptions;
  #pool: AddressPool;
  #held: () => readonly HeldAddress[] = () => [];
  readonly #table: string;
  readonly #hostPorts: HostPorts;
  readonly #guard: PortGuard;
  /** The machine's own network namespace, also while this thread visits another. */
  readonly #home = openSync('/proc/thread-self/ns/net', 'r');
  readonly #departing = new Map<string, PodAddress>();
  #sweep: Timer | undefined;
  #retry: Timer | undefined;
  #problem: string | null = 'the pod network is not set up yet';

  constructor(options: BridgeOptions) {
    this.#options = options;
    this.#pool = new AddressPool(options.range.read());
    this.#table = `wherry-${options.bridgeName}`;
    this.#hostPorts = new HostPorts({ family: 'ip', name: this.#table });
    this.#guard = new PortGuard(this.#table);
  }

  get problem(): string | null {
    return this.#problem;
  }

  /**
   * Makes or mends bridge and table, and takes over what `held` says pods have. A failure shows in {@link problem};
   * it is tried again every few seconds.
   */
  async open(held: () => readonly HeldAddress[]): Promise<void> {
    this.#held = held;
    const { bridgeName, blockedCidrs, clock, logger } = this.#options;
    try {
      for (const { address } of held()) this.#pool.take(address.ip);
      this.#setUpBridge();
      const table = this.#table;
      await setUpTable({ table, bridgeName, podCidr: this.#pool.cidr, blockedCidrs, logger });
      const running = held().filter(({ ready }) => ready);
      await setUpGuardTable(table, {
        ...identityTexts(running.map(({ address }) => address)),
        gateway: this.#pool.gateway,
        hardwareAddress: hardwareAddressOf(bridgeName),
      });
      for (const { request, address } of running)
        this.#hostPorts.publish(request.config.portMappings, address.ip);
      this.#problem = null;
    } catch (error) {
      if (messageOf(error) !== this.#problem) {
        logger.error('the pod network cannot be set up and will be tried again', { error: messageOf(error) });
      }
      this.#problem = messageOf(error);
      this.#retry = clock.after(limits.networkRetryMs, () => void this.open(held));
    }
  }

  /**
   * Takes the range that a kubelet names (UpdateRuntimeConfig). As with containerd, a network that was given its range,
   * or that pods live in, keeps what it has. Throws `RuntimeError` INVALID_ARGUMENT for text without an IPv4 range.
   */
  async adoptRange(text: string): Promise<void> {
    const { range, bridgeName, logger } = this.#options;
    const wanted = new AddressPool(text);
    const before = this.#pool;
    if (wanted.cidr === before.cidr) return;
    if (range.isFixed || !before.isUnused) {
      logger.info('the pod network keeps its range', { range: before.cidr, asked: wanted.cidr });
      return;
    }
    range.keep(wanted.cidr);
    this.#pool = wanted;
    this.#problem = 'the pod network takes another range';
    this.#retry?.cancel();
    ignoring('EADDRNOTAVAIL', () =>
      withRoutes((routes) => routes.deleteAddress(bridgeName, `${before.gateway}/${before.prefixLength}`)),
    );
    await this.open(this.#held);
  }

  reserve({ sandboxId }: AttachRequest): PodAddress {
    return { ip: this.#pool.allocate(), additionalIps: [], hostInterface: cableName(sandboxId) };
  }

  connect(reserved: PodAddress | null): void {
    const { ip, hostInterface } = needed(reserved);
    withRoutes((routes) => {
      routes.setLink('lo', { up: true });
      routes.createVeth({
        name: 'eth0',
        peerName: hostInterface,
        peerNamespacePath: `/proc/self/fd/${this.#home}`,
        ...(this.#options.mtu !== undefined && { mtu: this.#options.mtu }),
      });
      settlePod('eth0');
      routes.addAddress('eth0', `${ip}/32`);
      routes.setLink('eth0', { hardwareAddress: hardwareAddressOfPod(ip), up: true });
      routes.addRoute({ to: `${this.#pool.gateway}/32`, interfaceName: 'eth0' });
      routes.addRoute({ via: this.#pool.gateway });
    });
  }

  async attach({ config }: AttachRequest, reserved: PodAddress | null): Promise<PodAddress> {
    const address = needed(reserved);
    const { hostInterface } = address;
    this.#guard.pin(address);
    settleCable(hostInterface);
    withRoutes((routes) =>
      routes.setLink(hostInterface, { master: this.#options.bridgeName, hairpin: true, up: true }),
    );
    this.#hostPorts.publish(config.portMappings, address.ip);
    return address;
  }

  async release(_request: ReleaseRequest, address: PodAddress | null): Promise<void> {
    if (!address) return;
    this.#hostPorts.withdraw(address.ip);
    this.#pool.release(address.ip);
    this.#departing.set(address.hostInterface, address);
    this.#sweep ??= this.#options.clock.after(limits.cableSweepMs, () => this.#sweepCables());
  }

  complaintOf(): undefined {
    return undefined;
  }

  info(): Record<string, string> {
    return {};
  }

  /**
   * A cable goes with its pod's namespace, in the kernel's own time. Asking for it at once would hold this thread for
   * some 30 ms per pod; only what is still there later (something keeps the namespace open) is taken away by hand.
   */
  #sweepCables(): void {
    this.#sweep?.cancel();
    this.#sweep = undefined;
    withRoutes((routes) => {
      for (const name of this.#departing.keys()) routes.deleteLink(name);
    });
    for (const address of this.#departing.values()) this.#guard.unpin(address);
    this.#departing.clear();
  }

  /** Lets go of the namespace; bridge and table stay for the pods. */
  async close(): Promise<void> {
    this.#retry?.cancel();
    if (this.#sweep) this.#sweepCables();
    closeSync(this.#home);
  }

  #setUpBridge(): void {
    const { bridgeName, mtu } = this.#options;
    withRoutes((routes) => {
      ignoring('EEXIST', () => routes.createBridge(bridgeName));
      ignoring('EEXIST', () =>
        routes.addAddress(bridgeName, `${this.#pool.gateway}/${this.#pool.prefixLength}`),
      );
      // A fixed address: by default a bridge takes its lowest port's, and pods' ARP caches go stale when that leaves.
      const hardwareAddress = hardwareAddressOf(bridgeName);
      routes.setLink(bridgeName, { up: true, hardwareAddress, ...(mtu !== undefined && { mtu }) });
    });
    settleBridge(bridgeName);
  }
}

function needed(reserved: PodAddress | null): PodAddress {
  if (reserved) return reserved;
  throw new RuntimeError('INTERNAL', 'a pod of the built-in network has no address reserved');
}

/** At most 15 characters, as interface names are. */
const cableName = (sandboxId: string) => `${vethPrefix}${sandboxId.slice(0, 12)}`;

function hardwareAddressOf(name: string): string {
  const digits = createHash('sha256').update(name).digest('hex').slice(0, 10);
  return `0a${digits}`.replace(/(..)(?!$)/g, '$1:');
}

import { createHash } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import type { Clock, Timer } from '@wherry/clock';
import { type AddressFamily, acceptForwarded, familyOf, RouteNetlink, type TableKeeper } from '@wherry/linux';
import type { Logger } from '@wherry/telemetry';
import { ignoring, messageOf, RuntimeError } from '../errors.ts';
import { limits } from '../limits.ts';
import { AddressPool } from './address-pool.ts';
import { parseRanges } from './address-range.ts';
import { ratesOf } from './bandwidth.ts';
import { FamilyNetwork } from './family-network.ts';
import { checkHostPorts } from './host-ports.ts';
import { settleBridge, settleCable, settlePod } from './interface-settings.ts';
import { keepTables, type PodTable } from './kept-tables.ts';
import { setUpGuardTable, setUpTable } from './nftables.ts';
import type { AttachRequest, HeldAddress, PodAddress, PodNetwork, ReleaseRequest } from './pod-network.ts';
import type { PodRange } from './pod-range.ts';
import { addressesOf, hardwareAddressOfPod, identityTexts, PortGuard } from './port-guard.ts';
import { detourOf, limitRates, removeDetours } from './rate-limits.ts';

/** Where the built-in network lives. */
export interface BridgeOptions {
  bridgeName: string;
  /** Ranges of the pods' addresses; the bridge takes the first one of each. */
  range: PodRange;
  /** Largest packet; undefined leaves it to the kernel. */
  mtu: number | undefined;
  /** Bridges of other nodes, `wh-*`, towards which pods keep their addresses. */
  peerBridges: string | undefined;
  /** Ranges that pods are refused at once, such as those of services that nothing routes to. */
  blockedCidrs: readonly string[];
  clock: Clock;
  logger: Logger;
}

const vethPrefix = 'wv';
const podInterface = 'eth0';

/** Runs an action on rtnetlink of the current network namespace. */
function withRoutes<T>(action: (routes: RouteNetlink) => T): T {
  const routes = new RouteNetlink();
  try {
    return action(routes);
  } finally {
    routes.close();
  }
}

/**
 * The built-in pod network: one bridge per node, a cable per pod, masquerading and host ports by an nftables table of
 * its own, and a second one that lets no pod pass for another. Pods reach one another, as all else, by the machine's
 * routing alone: what is translated finds its way back, and what is not allowed is stopped there. Cables are made by
 * rtnetlink; no program is started for a pod.
 */
export class BridgeNetwork implements PodNetwork {
  readonly #options: BridgeOptions;
  readonly #hardwareAddress: string;
  #families: readonly FamilyNetwork[];
  #held: () => readonly HeldAddress[] = () => [];
  readonly #table: string;
  readonly #guard: PortGuard;
  /** The machine's own network namespace, also while this thread visits another. */
  readonly #home = openSync('/proc/thread-self/ns/net', 'r');
  readonly #departing = new Map<string, PodAddress>();
  #sweep: Timer | undefined;
  #retry: Timer | undefined;
  #keeper: TableKeeper | undefined;
  #problem: string | null = 'the pod network is not set up yet';

  constructor(options: BridgeOptions) {
    this.#options = options;
    this.#table = `wherry-${options.bridgeName}`;
    this.#hardwareAddress = hardwareAddressOf(options.bridgeName);
    this.#families = this.#familiesOf(options.range.read());
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
    const { bridgeName, clock, logger } = this.#options;
    if (this.#families.length === 0) {
      this.#problem = 'the kubelet has not named the range of pods yet, which the cluster gives its node';
      return;
    }
    try {
      const pods = held();
      for (const { pool } of this.#families)
        for (const { address } of pods) for (const ip of addressesOf(address)) pool.take(ip);
      const running = pods.filter(({ ready }) => ready);
      const addresses = running.map(({ address }) => address);
      this.#setUpBridge(addresses.flatMap(addressesOf));
      const cables = addresses.map(({ hostInterface }) => hostInterface);
      withRoutes((routes) => removeDetours(routes, bridgeName, cables));
      for (const { request, address } of running)
        for (const [family, ip] of this.#familiesOfPod(address))
          family.hostPorts.claim(request.config.portMappings, ip);
      for (const family of this.#families) await this.#setUpFamily(family);
      await this.#setUpGuard(addresses);
      this.#guard.takeOver(addresses);
      for (const { address } of running) this.#announce(address);
      this.#problem = null;
      this.#keeper = this.#keepTables();
    } catch (error) {
      if (messageOf(error) !== this.#problem) {
        logger.error('the pod network cannot be set up and will be tried again', { error: messageOf(error) });
      }
      this.#problem = messageOf(error);
      this.#retry = clock.after(limits.networkRetryMs, () => void this.open(held));
    }
  }

  /**
   * Takes the ranges that a kubelet names (UpdateRuntimeConfig). As with containerd, a network that was given its ranges,
   * or that pods live in, keeps what it has. Throws `RuntimeError` INVALID_ARGUMENT for text that is no range.
   */
  async adoptRange(text: string): Promise<void> {
    const { range, logger } = this.#options;
    const wanted = this.#familiesOf(text);
    const [asked, current] = [wanted, this.#families].map(textOf);
    if (asked === undefined || asked === current) return;
    const isUnused = this.#held().length === 0 && this.#families.every(({ pool }) => pool.isUnused);
    if (range.isFixed || !isUnused) {
      logger.info('the pod network keeps its range', { range: current, asked });
      return;
    }
    range.keep(asked);
    const before = this.#families;
    this.#families = wanted;
    this.#problem = 'the pod network takes another range';
    this.#retry?.cancel();
    await this.#keeper?.close();
    withRoutes((routes) => {
      for (const family of before) family.takeDown(routes);
    });
    await this.open(this.#held);
  }

  reserve({ sandboxId, config }: AttachRequest): PodAddress {
    ratesOf(config.annotations);
    if (this.#families.length === 0) throw new RuntimeError('UNAVAILABLE', `pod network: ${this.#problem}`);
    const taken: string[] = [];
    try {
      for (const { pool } of this.#families) taken.push(pool.allocate());
    } catch (error) {
      this.#giveBack(taken);
      throw error;
    }
    const [ip = '', ...additionalIps] = taken;
    return { ip, additionalIps, hostInterface: cableName(sandboxId) };
  }

  connect(reserved: PodAddress | null): void {
    const pod = needed(reserved);
    withRoutes((routes) => {
      routes.setLink('lo', { up: true });
      routes.createVeth({
        name: podInterface,
        peerName: pod.hostInterface,
        peerNamespacePath: `/proc/self/fd/${this.#home}`,
        ...(this.#options.mtu !== undefined && { mtu: this.#options.mtu }),
      });
      const families = this.#familiesOfPod(pod);
      settlePod(
        podInterface,
        families.map(([{ family }]) => family),
      );
      for (const [family, address] of families) family.address(routes, podInterface, address);
      routes.setLink(podInterface, { hardwareAddress: hardwareAddressOfPod(pod), up: true });
      for (const [family] of families) family.lead(routes, podInterface);
    });
  }

  async attach(request: AttachRequest, reserved: PodAddress | null): Promise<PodAddress> {
    const pod = needed(reserved);
    checkHostPorts(request.config.portMappings, addressesOf(pod));
    const { hostInterface: cable } = pod;
    const { bridgeName } = this.#options;
    const rates = ratesOf(request.config.annotations);
    this.#guard.pin(pod);
    settleCable(cable);
    withRoutes((routes) => {
      if (rates) limitRates(routes, rates, { cable, owner: bridgeName });
      routes.setLink(cable, { master: bridgeName, hairpin: true, up: true });
      routes.setBehindPort(cable, hardwareAddressOfPod(pod));
    });
    this.#lead(request, pod);
    return pod;
  }

  async release(_request: ReleaseRequest, pod: PodAddress | null): Promise<void> {
    if (!pod) return;
    withRoutes((routes) => {
      for (const [family, address] of this.#familiesOfPod(pod)) {
        family.hostPorts.withdraw(address);
        family.withdraw(routes, address);
      }
    });
    this.#giveBack(addressesOf(pod));
    this.#departing.set(pod.hostInterface, pod);
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
      for (const cable of this.#departing.keys())
        for (const name of [cable, detourOf(cable)]) routes.deleteLink(name);
    });
    for (const address of this.#departing.values()) this.#guard.unpin(address);
    this.#departing.clear();
  }

  /** Lets go of the namespace; bridge and table stay for the pods. */
  async close(): Promise<void> {
    this.#retry?.cancel();
    await this.#keeper?.close();
    if (this.#sweep) this.#sweepCables();
    closeSync(this.#home);
  }

  #setUpBridge(addresses: readonly string[]): void {
    const { bridgeName, mtu } = this.#options;
    withRoutes((routes) => {
      ignoring('EEXIST', () => routes.createBridge(bridgeName));
      settleBridge(
        bridgeName,
        this.#families.map(({ family }) => family),
      );
      // A fixed address: by default a bridge takes its lowest port's, and pods' ARP caches go stale when that leaves.
      const hardwareAddress = this.#hardwareAddress;
      routes.setLink(bridgeName, { up: true, hardwareAddress, ...(mtu !== undefined && { mtu }) });
      for (const family of this.#families) family.setUp(routes, addresses);
    });
  }

  async #setUpFamily({ family, pool, hostPorts }: FamilyNetwork): Promise<void> {
    const { bridgeName, peerBridges, logger } = this.#options;
    const blockedCidrs = this.#options.blockedCidrs.filter((range) => familyOf(range) === family);
    await this.#acceptForwarded(family);
    const names = { table: this.#table, family, bridgeName, podCidr: pool.cidr, peerBridges };
    await setUpTable({ ...names, blockedCidrs, hostPorts, logger });
  }

  async #setUpGuard(pods: readonly PodAddress[]): Promise<void> {
    const gatewayOf = (family: string) => this.#families.find((each) => each.family === family)?.pool.gateway;
    const gateways = { ip: gatewayOf('ip'), ip6: gatewayOf('ip6') };
    const hardwareAddress = this.#hardwareAddress;
    await setUpGuardTable(this.#table, { ...identityTexts(pods), gateways, hardwareAddress });
  }

  #keepTables(): TableKeeper {
    const { clock, logger } = this.#options;
    const name = this.#table;
    const tables = this.#families.map(
      (each): PodTable => ({
        table: { family: each.family, name },
        make: () => this.#setUpFamily(each),
        restore: () => each.hostPorts.restore(),
      }),
    );
    const guard: PodTable = {
      table: { family: 'bridge', name },
      make: () => this.#setUpGuard([]),
      restore: () => this.#guard.restore(),
    };
    return keepTables({
      tables: [...tables, guard],
      clock,
      lost: () => logger.warn('somebody flushed the rules of the pod network; they are made again'),
      failed: (error) => {
        this.#problem = messageOf(error);
        logger.error('the rules of the pod network cannot be made again and will be tried again', { error });
      },
      kept: () => {
        this.#problem = null;
      },
    });
  }

  /** Other programs of the machine may have had it drop all that it forwards. */
  async #acceptForwarded(family: AddressFamily): Promise<void> {
    const { bridgeName, logger } = this.#options;
    await acceptForwarded(family, bridgeName).catch((error) =>
      logger.warn("the machine's chain FORWARD drops what pods send", { error: messageOf(error) }),
    );
  }

  /** Leads what is for the pod, and for its host ports, to it. */
  #lead({ config }: AttachRequest, pod: PodAddress): void {
    this.#announce(pod);
    for (const [family, address] of this.#familiesOfPod(pod))
      family.hostPorts.publish(config.portMappings, address);
  }

  /** Leads what is for the pod to it. */
  #announce(pod: PodAddress): void {
    withRoutes((routes) => {
      for (const [family, address] of this.#familiesOfPod(pod))
        family.announce(routes, address, hardwareAddressOfPod(pod));
    });
  }

  #giveBack(addresses: readonly string[]): void {
    for (const { pool } of this.#families) for (const address of addresses) pool.release(address);
  }

  #familiesOfPod(pod: PodAddress): [FamilyNetwork, string][] {
    return this.#families.flatMap((family): [FamilyNetwork, string][] => {
      const address = family.addressOf(addressesOf(pod));
      return address === undefined ? [] : [[family, address]];
    });
  }

  #familiesOf(ranges: string): FamilyNetwork[] {
    if (ranges === '') return [];
    const { bridgeName } = this.#options;
    const parts = { bridgeName, hardwareAddress: this.#hardwareAddress, table: this.#table };
    return parseRanges(ranges).map((range) => new FamilyNetwork({ pool: new AddressPool(range), ...parts }));
  }
}

const textOf = (families: readonly FamilyNetwork[]): string =>
  families.map(({ pool }) => pool.cidr).join(',');

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

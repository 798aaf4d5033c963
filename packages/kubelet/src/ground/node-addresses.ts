import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Node, NodeAddress } from '@wherry/kubeapi';

/** What the machine is asked for addresses with. */
export interface AddressFinder {
  /** Addresses that a name has; undefined where no resolver answers. */
  addressesOf(name: string): Promise<string[] | undefined>;
  isOwn(ip: string): boolean;
  /** That of the default route. */
  routeIp(family: 4 | 6): Promise<string | undefined>;
}

const machineFinder: AddressFinder = {
  addressesOf: async (name) => {
    try {
      return (await lookup(name, { all: true })).map(({ address }) => address);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ENOTFOUND' ? [] : undefined;
    }
  },
  isOwn: (ip) => interfaceIps().some(({ address }) => address === ip),
  routeIp: (family) => defaultRouteIp(family),
};

/** How a node comes to its addresses. */
export interface NodeAddressesOptions {
  /** `--node-ip`. */
  given: string;
  nodeName: string;
  /** A cloud's controller says what they are; until it does, they are those given, if any. */
  isOfCloud: boolean;
}

/** Addresses of the node as the machine last told them, which DHCP may change while pods run, or as a cloud's controller did. */
export class NodeAddresses {
  readonly #find: (finder: AddressFinder) => Promise<string[]>;
  readonly #finder: AddressFinder;
  /** Those that the kubelet was given for a cloud's controller, with commas between; undefined where there are none, or no controller. */
  readonly provided: string | undefined;
  readonly isOfCloud: boolean;
  #ips: readonly string[] = [];
  #told: readonly string[] = [];

  private constructor({ given, nodeName, isOfCloud }: NodeAddressesOptions, finder: AddressFinder) {
    const isSilent = isOfCloud && given === '';
    this.#find = async (finder) => (isSilent ? [] : await nodeIps(given, nodeName, finder));
    this.#finder = finder;
    this.isOfCloud = isOfCloud;
    const ips = given.split(',').map((ip) => ip.trim());
    this.provided =
      isOfCloud && ips.every((ip) => ip !== '' && !isUnspecified(ip)) ? ips.join(',') : undefined;
  }

  /** Asks the machine, unless they are given. Throws what {@link nodeIps} does. */
  static async find(options: NodeAddressesOptions, finder = machineFinder): Promise<NodeAddresses> {
    const addresses = new NodeAddresses(options, finder);
    await addresses.look();
    return addresses;
  }

  /** One of each family at most; none while a cloud's controller has not said any. */
  get ips(): readonly string[] {
    return this.#told.length > 0 ? this.#told : this.#ips;
  }

  /** Takes what the API server has of the node: of a node of a cloud its addresses. */
  tell({ status }: Pick<Node, 'status'>): void {
    if (this.isOfCloud) this.#told = ipsOf(status?.addresses ?? []);
  }

  /** Asks the machine anew; whether it tells others than before. While no resolver answers, those stay that are still its own. */
  async look(): Promise<boolean> {
    const found = await this.#look();
    if (found.join() === this.#ips.join()) return false;
    this.#ips = found;
    return true;
  }

  async #look(): Promise<readonly string[]> {
    const { addressesOf, isOwn } = this.#finder;
    let isAnswered = true;
    const asked = async (name: string) => {
      const addresses = await addressesOf(name);
      isAnswered = addresses !== undefined;
      return addresses;
    };
    const found = await this.#find({ ...this.#finder, addressesOf: asked });
    return isAnswered || !this.#ips.some(isOwn) ? found : this.#ips;
  }
}

/** The first of a node's addresses, those of its network before those of others, and the first of the other family. */
function ipsOf(addresses: readonly NodeAddress[]): readonly string[] {
  const ips = ['InternalIP', 'ExternalIP'].flatMap((wanted) =>
    addresses.filter(({ type }) => type === wanted).map(({ address }) => address),
  );
  const [first] = ips;
  if (first === undefined) return [];
  const second = ips.find((ip) => isIP(ip) !== isIP(first));
  return second === undefined ? [first] : [first, second];
}

/**
 * Addresses of the node, at most one of each family, as statuses of pods have them: those given, else what its name is or
 * resolves to of the machine's own, else that of the default route. `0.0.0.0` and `::` name the family to prefer, otherwise
 * that is IPv4.
 */
export async function nodeIps(given: string, nodeName: string, finder = machineFinder): Promise<string[]> {
  const ips = given === '' ? [] : given.split(',').map((ip) => ip.trim());
  const bad = ips.find((ip) => isIP(ip) === 0);
  if (bad !== undefined) throw new Error(`node IP "${bad}" is no IP address`);
  if (new Set(ips.map(isIP)).size < ips.length)
    throw new Error(
      `node IP "${given}" has two addresses of a family: give one of IPv4, one of IPv6, or both`,
    );
  const isAny = ips.some(isUnspecified);
  if (isAny && ips.length > 1)
    throw new Error(`node IP "${given}" has an address that stands for all: give that alone`);
  if (ips.length > 0 && !isAny) return ips;
  return [await foundIp(nodeName, isIP(ips[0] ?? '') === 6 ? 6 : 4, finder)];
}

/** `::` in any of its forms, and `0.0.0.0`. */
const isUnspecified = (ip: string) => /^[0:.]+$/.test(ip);

async function foundIp(nodeName: string, family: 4 | 6, finder: AddressFinder): Promise<string> {
  if (isIP(nodeName) !== 0) return nodeName;
  const addresses = (await finder.addressesOf(nodeName)) ?? [];
  const own = addresses.filter((ip) => isUsable(ip) && finder.isOwn(ip));
  const named = own.find((ip) => isIP(ip) === family) ?? own[0];
  if (named !== undefined) return named;
  const found = (await finder.routeIp(family)) ?? (await finder.routeIp(family === 6 ? 4 : 6));
  return (
    found ??
    interfaceIps().find((entry) => !entry.internal && entry.family === 'IPv4')?.address ??
    '127.0.0.1'
  );
}

/** Whether others could reach an address: not the loopback's, nor one of the link, nor of a group. */
function isUsable(ip: string): boolean {
  return !/^(127\.|169\.254\.|2(2[4-9]|3\d)\.|0\.0\.0\.0$|::1?$|fe[89ab]|ff)/i.test(ip);
}

/** The source address the kernel picks for the world outside; no packet is sent. */
function defaultRouteIp(family: 4 | 6): Promise<string | undefined> {
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4');
  return new Promise((resolve) => {
    const end = (ip: string | undefined) => {
      socket.close();
      resolve(ip);
    };
    socket.once('error', () => end(undefined));
    socket.connect(9, family === 6 ? '2001:db8::1' : '192.0.2.1', () => {
      const { address } = socket.address();
      end(isUsable(address) ? address : undefined);
    });
  });
}

const interfaceIps = () => Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);

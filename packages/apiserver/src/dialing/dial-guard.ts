import { lookup as systemLookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { addressClass, badRequest } from '@wherry/kubeapi';
import { isDialledName } from './backend-url.ts';

/** All addresses of a host name. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

/** What must be known to tell which addresses are this server's own. */
export interface DialGuardOptions {
  /** The port that this server listens on. */
  ownPort(): number;
  /** Addresses that clients know this server by beyond those of the machine's interfaces. */
  ownAddresses: readonly string[];
  /** Default: the machine's resolver. */
  lookup?: Lookup | undefined;
}

/** Where to dial. */
export interface DialRequest {
  /** A host name or an address. */
  host: string;
  port: number;
  /** The machine's own addresses are fine: the node is this machine. The server's own port stays closed. */
  isLocal?: boolean | undefined;
  /** It is dialled elsewhere, by a proxy: a name is left to that. Default false. */
  isRemote?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

/** Where clouds keep the credentials of a machine, apart from 169.254.169.254, which is link-local. */
const metadataServices = new BlockList();
for (const address of ['100.100.100.200', '168.63.129.16', '192.0.0.192']) {
  metadataServices.addAddress(address, 'ipv4');
}
for (const address of ['fd00:ec2::254', 'fd20:ce::254']) metadataServices.addAddress(address, 'ipv6');

/**
 * Decides which addresses this server dials on the word of an object that others may write (nodes, pods, endpoints).
 * A name is resolved once, every address of it is checked, and the answer is the address to dial, so that a second
 * answer of the same name server changes nothing (CVE-2020-8562, CVE-2022-3294).
 */
export class DialGuard {
  readonly #options: DialGuardOptions;

  constructor(options: DialGuardOptions) {
    this.#options = options;
  }

  /**
   * The address to dial; of what is dialled elsewhere the name, where it has one. Throws 400 `address not allowed`, or that
   * the name can't be resolved.
   */
  async resolve({ host, port, isLocal = false, isRemote = false, signal }: DialRequest): Promise<string> {
    if (isRemote && isIP(host) === 0) return remoteName(host, isLocal);
    const addresses = isIP(host) === 0 ? await this.#lookup(host) : [host];
    signal?.throwIfAborted();
    const [first] = addresses;
    if (first === undefined) throw badRequest(`no addresses for hostname ${JSON.stringify(host)}`);
    if (!addresses.every((address) => this.#isAllowed(address, port, isLocal))) {
      throw badRequest('address not allowed');
    }
    return first;
  }

  async #lookup(host: string): Promise<readonly string[]> {
    const { lookup = lookupAll } = this.#options;
    try {
      return await lookup(host);
    } catch (error) {
      const code =
        error instanceof Error && 'code' in error ? (error as NodeJS.ErrnoException).code : 'failed';
      throw badRequest(`lookup ${JSON.stringify(host)}: ${code}`, error);
    }
  }

  #isAllowed(address: string, port: number, isLocal: boolean): boolean {
    const kind = addressClass(address);
    if (kind === undefined || address.includes('%')) return false;
    if (metadataServices.check(address, familyOf(address))) return false;
    if (kind !== 'global' && !(isLocal && kind === 'loopback')) return false;
    return port !== this.#options.ownPort() || !this.#isOwn(address);
  }

  #isOwn(address: string): boolean {
    const own = new BlockList();
    const interfaces = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
    for (const known of [...this.#options.ownAddresses, ...interfaces.map((entry) => entry.address)]) {
      const [plain = ''] = known.split('%', 1);
      if (isIP(plain) !== 0) own.addAddress(plain, familyOf(plain));
    }
    return addressClass(address) === 'loopback' || own.check(address, familyOf(address));
  }
}

/** What it leads to is the proxy's affair, but for its own machine. */
function remoteName(host: string, isLocal: boolean): string {
  const name = host.toLowerCase();
  const isItself = /(^|\.)localhost$/.test(name);
  if (!isDialledName(name) || (isItself && !isLocal)) throw badRequest('address not allowed');
  return name;
}

async function lookupAll(hostname: string): Promise<string[]> {
  return (await systemLookup(hostname, { all: true })).map(({ address }) => address);
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

/** Addresses and networks as values: `ip("10.0.0.1")`, `cidr("10.0.0.0/8")` (upstream: pkg/cel/library/ip.go, cidr.go). */
import { declare, method, type Overload } from '../functions.ts';
import { bool, int, opaqueNamed, string } from '../types.ts';
import { CelError, isError, Opaque, type Value } from '../values/value.ts';
import {
  type Address,
  isGlobalUnicast,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isMapped,
  isUnspecified,
  maskOf,
  parseAddress,
  showAddress,
  widthOf,
} from './address.ts';

const ipType = opaqueNamed('net.IP');
const cidrType = opaqueNamed('net.CIDR');

class Ip extends Opaque {
  readonly typeName = ipType.name;
  readonly address: Address;
  override readonly costSize: number;

  constructor(address: Address) {
    super();
    this.address = address;
    this.costSize = widthOf(address) / 8;
  }

  equals(other: Opaque): boolean {
    return other instanceof Ip && showAddress(other.address) === showAddress(this.address);
  }
}

class Cidr extends Opaque {
  readonly typeName = cidrType.name;
  readonly address: Address;
  readonly length: number;
  override readonly costSize: number;

  constructor(address: Address, length: number) {
    super();
    this.address = address;
    this.length = length;
    this.costSize = Math.ceil(length / 8);
  }

  equals(other: Opaque): boolean {
    return other instanceof Cidr && other.toString() === this.toString();
  }

  /** Whether a network lies within it, or an address as one of full length. */
  contains({ family, bits }: Address, length: number): boolean {
    if (family !== this.address.family || length < this.length) return false;
    return maskOf({ family, bits }, this.length) === maskOf(this.address, this.length);
  }

  override toString(): string {
    return `${showAddress(this.address)}/${this.length}`;
  }
}

function readIp(text: string): Ip | CelError {
  const quoted = JSON.stringify(text);
  if (text.includes('%')) return new CelError(`IP address ${quoted} with zone value is not allowed`);
  const address = parseAddress(text);
  if (!address)
    return new CelError(
      `IP Address ${quoted} parse error during conversion from string: ParseAddr(${quoted}): unable to parse IP`,
    );
  return isMapped(address)
    ? new CelError(`IPv4-mapped IPv6 address ${quoted} is not allowed`)
    : new Ip(address);
}

function readCidr(text: string): Cidr | CelError {
  const slash = text.lastIndexOf('/');
  const [quoted, head, tail] = [JSON.stringify(text), text.slice(0, slash), text.slice(slash + 1)];
  const address = slash < 0 || head.includes('%') ? undefined : parseAddress(head);
  const isLength = /^(?:0|[1-9]\d{0,2})$/.test(tail);
  if (!address || !isLength || Number(tail) > widthOf(address)) {
    const why = 'network address parse error during conversion from string';
    return new CelError(`${why}: ${why}: netip.ParsePrefix(${quoted}): no '/'`);
  }
  if (isMapped(address))
    return new CelError(
      `network address parse error during conversion from string: IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed`,
    );
  return new Cidr(address, Number(tail));
}

const property = (name: string, id: string, holds: (address: Address) => boolean): Overload =>
  method(name, id, [ipType], bool, ({ address }: Ip) => holds(address));
const containsIp = (network: Cidr, { address }: Ip) => network.contains(address, widthOf(address));
const containsCidr = (network: Cidr, { address, length }: Cidr) => network.contains(address, length);

/** With a text in place of the second. */
function reading<T extends Opaque>(
  read: (text: string) => T | CelError,
  then: (network: Cidr, other: T) => Value,
) {
  return (network: Cidr, text: string): Value => {
    const other = read(text);
    return other instanceof CelError ? new CelError('no such overload') : then(network, other);
  };
}

export const networkLibrary: readonly Overload[] = [
  declare('ip', 'string_to_ip', [string], ipType, readIp),
  declare('isIP', 'is_ip', [string], bool, (text: string) => !isError(readIp(text))),
  declare('ip.isCanonical', 'ip_is_canonical', [string], bool, (text: string) => {
    const ip = readIp(text);
    return ip instanceof CelError ? ip : showAddress(ip.address) === text;
  }),
  declare('string', 'ip_to_string', [ipType], string, ({ address }: Ip) => showAddress(address)),
  method('family', 'ip_family', [ipType], int, ({ address }: Ip) => BigInt(address.family)),
  property('isUnspecified', 'ip_is_unspecified', isUnspecified),
  property('isLoopback', 'ip_is_loopback', isLoopback),
  property('isLinkLocalMulticast', 'ip_is_link_local_multicast', isLinkLocalMulticast),
  property('isLinkLocalUnicast', 'ip_is_link_local_unicast', isLinkLocalUnicast),
  property('isGlobalUnicast', 'ip_is_global_unicast', isGlobalUnicast),
  declare('cidr', 'string_to_cidr', [string], cidrType, readCidr),
  declare('isCIDR', 'is_cidr', [string], bool, (text: string) => !isError(readCidr(text))),
  declare('string', 'cidr_to_string', [cidrType], string, (network: Cidr) => network.toString()),
  method('containsIP', 'cidr_contains_ip_string', [cidrType, string], bool, reading(readIp, containsIp)),
  method('containsIP', 'cidr_contains_ip_ip', [cidrType, ipType], bool, containsIp),
  method(
    'containsCIDR',
    'cidr_contains_cidr_string',
    [cidrType, string],
    bool,
    reading(readCidr, containsCidr),
  ),
  method('containsCIDR', 'cidr_contains_cidr', [cidrType, cidrType], bool, containsCidr),
  method('ip', 'cidr_ip', [cidrType], ipType, ({ address }: Cidr) => new Ip(address)),
  method('prefixLength', 'cidr_prefix_length', [cidrType], int, ({ length }: Cidr) => BigInt(length)),
  method(
    'masked',
    'cidr_masked',
    [cidrType],
    cidrType,
    ({ address, length }: Cidr) =>
      new Cidr({ family: address.family, bits: maskOf(address, length) }, length),
  ),
];

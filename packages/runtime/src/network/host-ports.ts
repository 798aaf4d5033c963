import { isIP } from 'node:net';
import { type PortMapping, Protocol } from '@wherry/cri';
import { addElements, familyOf, keyPart, removeElements, type SetElement, type Table } from '@wherry/linux';
import { ignoring, RuntimeError } from '../errors.ts';
import { hairpinSet, hostAddressPortMap, hostPortMap } from './nftables.ts';

const protocolNumbers: Record<Protocol, number> = {
  [Protocol.TCP]: 6,
  [Protocol.UDP]: 17,
  [Protocol.SCTP]: 132,
};

const protocolWords: Record<Protocol, string> = {
  [Protocol.TCP]: 'tcp',
  [Protocol.UDP]: 'udp',
  [Protocol.SCTP]: 'sctp',
};

const familyName = { ip: 'IPv4', ip6: 'IPv6' } as const;
const anyAddress = { ip: '0.0.0.0', ip6: '::' } as const;

const keyOf = ({ set, key }: SetElement) => `${set} ${key.toString('hex')}`;

function entryOf(mapping: PortMapping, podIp: string): Entry {
  const { hostIp, hostPort, containerPort, protocol } = mapping;
  const port = [keyPart.number(protocolNumbers[protocol]), keyPart.port(hostPort)];
  const data = Buffer.concat([keyPart.address(podIp), keyPart.port(containerPort)]);
  const text = `${protocolWords[protocol]} . ${hostPort} : ${podIp} . ${containerPort}`;
  if (hostIp === '' || hostIp === anyAddress[familyOf(podIp)])
    return { element: { set: hostPortMap, key: Buffer.concat(port), data }, text };
  const key = Buffer.concat([keyPart.address(hostIp), ...port]);
  return { element: { set: hostAddressPortMap, key, data }, text: `${hostIp} . ${text}` };
}

/** What a pod has of host ports in one of the maps, or in the set of those that reach themselves. */
interface Entry {
  element: SetElement;
  /** The same in nft's language. */
  text: string;
}

/** Host ports as elements of the maps of a family's table. */
export class HostPorts {
  readonly #table: Table;
  /** Which pod address each key of the maps leads to: only its owner may take an element back. */
  readonly #owned = new Map<string, Entry & { podIp: string }>();

  constructor(table: Table) {
    this.#table = table;
  }

  /** Leads the pod's host ports to it, all or none. Throws `RuntimeError` ALREADY_EXISTS when another pod has one. */
  publish(portMappings: readonly PortMapping[], podIp: string): void {
    const entries = this.#free(portMappings, podIp);
    addElements(
      this.#table,
      entries.map(({ element }) => element),
    );
    this.#own(entries, podIp);
  }

  /** What a running pod has, which the table is made with. Throws `RuntimeError` ALREADY_EXISTS when another pod has one. */
  claim(portMappings: readonly PortMapping[], podIp: string): void {
    this.#own(this.#free(portMappings, podIp), podIp);
  }

  /** What the table has in that map or set, in nft's language. */
  textsOf(set: string): string[] {
    return [...this.#owned.values()].flatMap(({ element, text }) => (element.set === set ? [text] : []));
  }

  /** Nothing is led any more. */
  forget(): void {
    this.#owned.clear();
  }

  /** The table was made again meanwhile: what it misses is put in. */
  restore(): void {
    for (const { element } of this.#owned.values())
      ignoring('EEXIST', () => addElements(this.#table, [element]));
  }

  /** Takes back what the pod has of host ports. */
  withdraw(podIp: string): void {
    for (const [key, { podIp: owner, element }] of this.#owned) {
      if (owner !== podIp) continue;
      this.#owned.delete(key);
      ignoring('ENOENT', () => removeElements(this.#table, [element]));
    }
  }

  #free(portMappings: readonly PortMapping[], podIp: string): Entry[] {
    const entries = entriesOf(portMappings, podIp);
    if (!entries.some(({ element }) => this.#owned.has(keyOf(element)))) return entries;
    const ports = wanted(portMappings, podIp).map((mapping) => mapping.hostPort);
    throw new RuntimeError('ALREADY_EXISTS', `a host port of ${ports.join(', ')} belongs to another pod`);
  }

  #own(entries: readonly Entry[], podIp: string): void {
    for (const entry of entries) this.#owned.set(keyOf(entry.element), { ...entry, podIp });
  }
}

/** One for each host port, and one by which the pod reaches itself through them. */
function entriesOf(mappings: readonly PortMapping[], podIp: string): Entry[] {
  const ports = wanted(mappings, podIp).map((mapping) => entryOf(mapping, podIp));
  const own = keyPart.address(podIp);
  const element = { set: hairpinSet, key: Buffer.concat([own, own]) };
  return ports.length === 0 ? [] : [...ports, { element, text: `${podIp} . ${podIp}` }];
}

/** Those that an address of the pod can answer: of its family, or of no address. */
function wanted(mappings: readonly PortMapping[], podIp: string): PortMapping[] {
  const family = familyOf(podIp);
  return mappings.filter(
    ({ hostPort, hostIp }) => hostPort > 0 && (hostIp === '' || familyOf(hostIp) === family),
  );
}

/** Throws `RuntimeError` INVALID_ARGUMENT for a host port at an address whose family the pod has none of. */
export function checkHostPorts(mappings: readonly PortMapping[], podIps: readonly string[]): void {
  const families = podIps.map(familyOf);
  for (const { hostPort, hostIp } of mappings) {
    if (hostPort <= 0 || hostIp === '') continue;
    if (isIP(hostIp) !== 0 && families.includes(familyOf(hostIp))) continue;
    const known = families.map((family) => familyName[family]).join(' and ');
    throw new RuntimeError(
      'INVALID_ARGUMENT',
      `host port ${hostPort} on "${hostIp}": want no address or one of ${known}, as the pod has`,
    );
  }
}

import { isIPv4 } from 'node:net';
import { type PortMapping, Protocol } from '@wherry/cri';
import { addElements, hasCode, keyPart, removeElements, type SetElement, type Table } from '@wherry/linux';
import { RuntimeError } from '../errors.ts';
import { hairpinSet, hostAddressPortMap, hostPortMap } from './nftables.ts';

const protocolNumbers: Record<Protocol, number> = {
  [Protocol.TCP]: 6,
  [Protocol.UDP]: 17,
  [Protocol.SCTP]: 132,
};

const isAnyAddress = (hostIp: string) => hostIp === '' || hostIp === '0.0.0.0' || hostIp === '::';

const keyOf = ({ set, key }: SetElement) => `${set} ${key.toString('hex')}`;

function elementOf(mapping: PortMapping, podIp: string): SetElement {
  const { hostIp, hostPort, containerPort } = mapping;
  if (!isAnyAddress(hostIp) && !isIPv4(hostIp)) {
    throw new RuntimeError(
      'INVALID_ARGUMENT',
      `host port ${hostPort} on "${hostIp}": only IPv4 is supported`,
    );
  }
  const port = [keyPart.number(protocolNumbers[mapping.protocol]), keyPart.port(hostPort)];
  const data = Buffer.concat([keyPart.address(podIp), keyPart.port(containerPort)]);
  return isAnyAddress(hostIp)
    ? { set: hostPortMap, key: Buffer.concat(port), data }
    : { set: hostAddressPortMap, key: Buffer.concat([keyPart.address(hostIp), ...port]), data };
}

/** Host ports as elements of the table's maps. */
export class HostPorts {
  readonly #table: Table;
  /** Which pod address each key of the maps leads to: only its owner may take an element back. */
  readonly #owned = new Map<string, { podIp: string; element: SetElement }>();

  constructor(table: Table) {
    this.#table = table;
  }

  /** Leads the pod's host ports to it, all or none. Throws `RuntimeError` ALREADY_EXISTS when another pod has one. */
  publish(portMappings: readonly PortMapping[], podIp: string): void {
    const elements = elementsOf(portMappings, podIp);
    if (elements.some((element) => this.#owned.has(keyOf(element)))) {
      const ports = wanted(portMappings).map((mapping) => mapping.hostPort);
      throw new RuntimeError('ALREADY_EXISTS', `a host port of ${ports.join(', ')} belongs to another pod`);
    }
    addElements(this.#table, elements);
    for (const element of elements) this.#owned.set(keyOf(element), { podIp, element });
  }

  /** Takes back what the pod has of host ports. */
  withdraw(podIp: string): void {
    for (const [key, { podIp: owner, element }] of this.#owned) {
      if (owner !== podIp) continue;
      this.#owned.delete(key);
      try {
        removeElements(this.#table, [element]);
      } catch (error) {
        if (!hasCode(error, 'ENOENT')) throw error;
      }
    }
  }
}

/** One for each host port, and one by which the pod reaches itself through them. */
function elementsOf(mappings: readonly PortMapping[], podIp: string): SetElement[] {
  const ports = wanted(mappings).map((mapping) => elementOf(mapping, podIp));
  const own = keyPart.address(podIp);
  return ports.length === 0 ? [] : [...ports, { set: hairpinSet, key: Buffer.concat([own, own]) }];
}

const wanted = (mappings: readonly PortMapping[]) => mappings.filter(({ hostPort }) => hostPort > 0);

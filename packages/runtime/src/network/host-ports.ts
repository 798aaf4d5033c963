import { isIPv4 } from 'node:net';
import { type PortMapping, Protocol } from '@wherry/cri';
import { hasCode } from '@wherry/linux';
import { RuntimeError } from '../errors.ts';
import { hostAddressPortMap, hostPortMap } from './nftables.ts';
import type { AttachRequest } from './pod-network.ts';
import { addElements, keyPart, removeElements, type SetElement, type Table } from './set-elements.ts';

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
  readonly #owners = new Map<string, string>();

  constructor(table: Table) {
    this.#table = table;
  }

  /** Leads the pod's host ports to it, all or none. Throws `RuntimeError` ALREADY_EXISTS when another pod has one. */
  publish({ portMappings }: Pick<AttachRequest, 'portMappings'>, podIp: string): void {
    const elements = wanted(portMappings).map((mapping) => elementOf(mapping, podIp));
    if (elements.length === 0) return;
    if (elements.some((element) => this.#owners.has(keyOf(element)))) {
      const ports = wanted(portMappings).map((mapping) => mapping.hostPort);
      throw new RuntimeError('ALREADY_EXISTS', `a host port of ${ports.join(', ')} belongs to another pod`);
    }
    addElements(this.#table, elements);
    for (const element of elements) this.#owners.set(keyOf(element), podIp);
  }

  /** Takes the pod's host ports back; ports that it does not have are fine. */
  withdraw({ portMappings }: Pick<AttachRequest, 'portMappings'>, podIp: string): void {
    for (const mapping of wanted(portMappings)) {
      const element = elementOf(mapping, podIp);
      if (this.#owners.get(keyOf(element)) !== podIp) continue;
      this.#owners.delete(keyOf(element));
      try {
        removeElements(this.#table, [element]);
      } catch (error) {
        if (!hasCode(error, 'ENOENT')) throw error;
      }
    }
  }
}

const wanted = (mappings: readonly PortMapping[]) => mappings.filter(({ hostPort }) => hostPort > 0);

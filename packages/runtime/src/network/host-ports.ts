import { isIPv4 } from 'node:net';
import { type PortMapping, Protocol } from '@wherry/cri';
import { encodeAttributes, NetlinkSocket, netlinkFlags } from '@wherry/linux';
import { hasErrno, RuntimeError } from '../errors.ts';
import { toNumber } from './ipv4.ts';
import { hostAddressPortMap, hostPortMap } from './nftables.ts';
import type { AttachRequest } from './pod-network.ts';

// linux/netfilter/nfnetlink.h and nf_tables.h
const netfilterProtocol = 12;
const nftablesSubsystem = 10;
const batchBegin = 16;
const batchEnd = 17;
const newElement = (nftablesSubsystem << 8) | 12;
const deleteElement = (nftablesSubsystem << 8) | 14;
const familyIpv4 = 2;
const list = { table: 1, set: 2, elements: 3 } as const;
const listElement = 1;
const element = { key: 1, data: 2 } as const;
const dataValue = 1;

const protocolNumbers: Record<Protocol, number> = {
  [Protocol.TCP]: 6,
  [Protocol.UDP]: 17,
  [Protocol.SCTP]: 132,
};

/** Each part of a concatenated key takes whole 32-bit words. */
function word(bytes: readonly number[]): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.set(bytes);
  return buffer;
}

const port = (value: number) => word([value >> 8, value & 0xff]);

function address(text: string): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32BE(toNumber(text));
  return buffer;
}

const header = (resource: number) => Buffer.from([familyIpv4, 0, resource >> 8, resource & 0xff]);
const cString = (text: string) => Buffer.from(`${text}\0`);
const isAnyAddress = (hostIp: string) => hostIp === '' || hostIp === '0.0.0.0' || hostIp === '::';

interface Element {
  map: string;
  key: Buffer;
  data: Buffer;
}

const keyOf = ({ map, key }: Element) => `${map} ${key.toString('hex')}`;

function elementOf(mapping: PortMapping, podIp: string): Element {
  if (!isAnyAddress(mapping.hostIp) && !isIPv4(mapping.hostIp)) {
    throw new RuntimeError(
      'invalid',
      `host port ${mapping.hostPort} on "${mapping.hostIp}": only IPv4 is supported`,
    );
  }
  const protocol = word([protocolNumbers[mapping.protocol]]);
  const data = Buffer.concat([address(podIp), port(mapping.containerPort)]);
  return isAnyAddress(mapping.hostIp)
    ? { map: hostPortMap, key: Buffer.concat([protocol, port(mapping.hostPort)]), data }
    : {
        map: hostAddressPortMap,
        key: Buffer.concat([address(mapping.hostIp), protocol, port(mapping.hostPort)]),
        data,
      };
}

/** Host ports as elements of the table's maps, changed by netlink directly: about 0.1 ms, no program started. */
export class HostPorts {
  readonly table: string;
  /** Which pod address each key of the maps leads to: only its owner may take an element back. */
  readonly #owners = new Map<string, string>();

  constructor(table: string) {
    this.table = table;
  }

  /** Leads the pod's host ports to it, all or none. Throws `RuntimeError` alreadyExists when another pod has one. */
  publish({ portMappings }: Pick<AttachRequest, 'portMappings'>, podIp: string): void {
    const elements = wanted(portMappings).map((mapping) => elementOf(mapping, podIp));
    if (elements.length === 0) return;
    if (elements.some((element) => this.#owners.has(keyOf(element)))) {
      const ports = wanted(portMappings).map((mapping) => mapping.hostPort);
      throw new RuntimeError('alreadyExists', `a host port of ${ports.join(', ')} belongs to another pod`);
    }
    this.#change(newElement, netlinkFlags.create | netlinkFlags.exclusive, elements);
    for (const element of elements) this.#owners.set(keyOf(element), podIp);
  }

  /** Takes the pod's host ports back; ports that it does not have are fine. */
  withdraw({ portMappings }: Pick<AttachRequest, 'portMappings'>, podIp: string): void {
    for (const mapping of wanted(portMappings)) {
      const element = elementOf(mapping, podIp);
      if (this.#owners.get(keyOf(element)) !== podIp) continue;
      this.#owners.delete(keyOf(element));
      try {
        this.#change(deleteElement, 0, [element]);
      } catch (error) {
        if (!hasErrno(error, 'ENOENT')) throw error;
      }
    }
  }

  #change(type: number, flags: number, elements: readonly Element[]): void {
    const requests = elements.map(({ map, key, data }) => ({
      type,
      flags: flags | netlinkFlags.acknowledge,
      payload: Buffer.concat([
        header(0),
        encodeAttributes([
          [list.table, cString(this.table)],
          [list.set, cString(map)],
          [
            list.elements,
            [
              [
                listElement,
                [
                  [element.key, [[dataValue, key]]],
                  [element.data, [[dataValue, data]]],
                ],
              ],
            ],
          ],
        ]),
      ]),
    }));
    const socket = new NetlinkSocket(netfilterProtocol);
    try {
      socket.batch(
        [
          { type: batchBegin, flags: 0, payload: header(nftablesSubsystem) },
          ...requests,
          { type: batchEnd, flags: 0, payload: header(nftablesSubsystem) },
        ],
        `host ports in table "${this.table}"`,
      );
    } finally {
      socket.close();
    }
  }
}

const wanted = (mappings: readonly PortMapping[]) => mappings.filter(({ hostPort }) => hostPort > 0);

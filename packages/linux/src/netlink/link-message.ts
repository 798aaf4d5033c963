import { type AttributeList, decodeAttributes, encodeAttributes, readCString } from './attributes.ts';

/** Attributes of a link (linux/if_link.h, IFLA_*). */
export const linkAttribute = {
  hardwareAddress: 1,
  name: 3,
  mtu: 4,
  master: 10,
  linkInfo: 18,
  alias: 20,
  namespaceDescriptor: 28,
} as const;

/** What stands inside `linkInfo`, for a link itself and for its part in a bridge. */
export const linkInfoAttribute = { kind: 1, data: 2, slaveKind: 4, slaveData: 5 } as const;

/** The flag of an interface that is up (IFF_UP). */
export const interfaceUp = 1;

const headerBytes = 16;

/** A network interface. */
export interface Link {
  index: number;
  name: string;
  /** "veth", "bridge"; empty for physical and loopback interfaces. */
  kind: string;
  up: boolean;
  mtu: number;
  hardwareAddress: string;
  /** Index of the bridge it belongs to, 0 for none. */
  masterIndex: number;
  /** A word of whoever made it; usually ''. */
  alias: string;
}

/** What to change on a link; absent fields stay. */
export interface LinkChange {
  up?: boolean;
  mtu?: number;
  newName?: string;
  /** Name of the bridge to join. */
  master?: string;
  /** As a bridge's port: send packets back where they came from (a pod that reaches itself by its service). */
  hairpin?: boolean;
  hardwareAddress?: string;
  /** Moves the link into the network namespace at this path. */
  namespacePath?: string;
}

/** Header and attributes of a link message; index 0 leaves the choice to the name. */
export function linkMessage(index: number, flags: number, mask: number, attributes: AttributeList): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeInt32LE(index, 4);
  header.writeUInt32LE(flags, 8);
  header.writeUInt32LE(mask, 12);
  return Buffer.concat([header, encodeAttributes(attributes)]);
}

/** Reads what the kernel tells of a link. */
export function decodeLink(payload: Buffer): Link {
  const attributes = decodeAttributes(payload.subarray(headerBytes));
  const info = attributes.get(linkAttribute.linkInfo);
  const hardware = attributes.get(linkAttribute.hardwareAddress)?.toString('hex') ?? '';
  return {
    index: payload.readInt32LE(4),
    name: readCString(attributes.get(linkAttribute.name)),
    kind: info ? readCString(decodeAttributes(info).get(linkInfoAttribute.kind)) : '',
    up: (payload.readUInt32LE(8) & interfaceUp) !== 0,
    mtu: attributes.get(linkAttribute.mtu)?.readUInt32LE(0) ?? 0,
    hardwareAddress: hardware.replace(/(..)(?!$)/g, '$1:'),
    masterIndex: attributes.get(linkAttribute.master)?.readUInt32LE(0) ?? 0,
    alias: readCString(attributes.get(linkAttribute.alias)),
  };
}

import { closeSync, openSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import {
  type AttributeList,
  cString,
  decodeAttributes,
  encodeAttributes,
  readCString,
  uint32,
} from './attributes.ts';
import { decodeAddress, encodeAddress, splitPrefix } from './ip-address.ts';
import { NetlinkSocket, netlinkFlags } from './netlink.ts';

const routeProtocol = 0;
const message = {
  newLink: 16,
  deleteLink: 17,
  getLink: 18,
  newAddress: 20,
  deleteAddress: 21,
  getAddress: 22,
  newRoute: 24,
  deleteRoute: 25,
  getRoute: 26,
} as const;
const linkAttribute = {
  hardwareAddress: 1,
  name: 3,
  mtu: 4,
  master: 10,
  linkInfo: 18,
  namespaceDescriptor: 28,
} as const;
const linkInfoAttribute = { kind: 1, data: 2, slaveKind: 4, slaveData: 5 } as const;
const vethPeer = 1;
const bridgePortHairpin = 4;
const addressAttribute = { address: 1, local: 2 } as const;
const routeAttribute = { destination: 1, outputInterface: 4, gateway: 5 } as const;
const interfaceUp = 1;
const [ipv4, ipv6] = [2, 10];

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

/** One address of an interface. */
export interface InterfaceAddress {
  interfaceIndex: number;
  address: string;
  prefixLength: number;
}

/** A route; without `to` the default route. */
export interface RouteRequest {
  /** Destination as "10.1.0.0/16". */
  to?: string;
  /** Next hop; its family is the route's. */
  via?: string;
  interfaceName?: string;
}

/** A route of the main table. */
export interface Route {
  to: string;
  via: string | null;
  interfaceIndex: number;
}

function linkMessage(index: number, flags: number, mask: number, attributes: AttributeList): Buffer {
  const header = Buffer.alloc(16);
  header.writeInt32LE(index, 4);
  header.writeUInt32LE(flags, 8);
  header.writeUInt32LE(mask, 12);
  return Buffer.concat([header, encodeAttributes(attributes)]);
}

/**
 * rtnetlink, synchronous, for the network namespace in which it was made: links, addresses, routes.
 * Every failure is a SyscallError that names the interface.
 */
export class RouteNetlink {
  readonly #socket = new NetlinkSocket(routeProtocol);

  close(): void {
    this.#socket.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** All interfaces. */
  links(): Link[] {
    const payload = linkMessage(0, 0, 0, []);
    return this.#socket
      .request({ type: message.getLink, flags: netlinkFlags.dump, payload })
      .map(({ payload: at }) => decodeLink(at));
  }

  /** One interface by name. Throws ENODEV when there is none. */
  link(name: string): Link {
    const payload = linkMessage(0, 0, 0, [[linkAttribute.name, cString(name)]]);
    const [answer] = this.#socket.request({ type: message.getLink, flags: 0, payload }, `link "${name}"`);
    if (!answer) throw new Error(`the kernel did not describe link "${name}"`);
    return decodeLink(answer.payload);
  }

  /** Throws EEXIST when the name is taken. */
  createBridge(name: string): void {
    this.#createLink(name, [[linkInfoAttribute.kind, cString('bridge')]], []);
  }

  /** A pair of connected interfaces; the peer may start its life in another network namespace. */
  createVeth(pair: { name: string; peerName: string; peerNamespacePath?: string; mtu?: number }): void {
    const namespace = pair.peerNamespacePath === undefined ? null : openSync(pair.peerNamespacePath, 'r');
    try {
      const mtu: AttributeList = pair.mtu === undefined ? [] : [[linkAttribute.mtu, uint32(pair.mtu)]];
      const peer = linkMessage(0, 0, 0, [
        [linkAttribute.name, cString(pair.peerName)],
        ...mtu,
        ...(namespace === null ? [] : ([[linkAttribute.namespaceDescriptor, uint32(namespace)]] as const)),
      ]);
      const info: AttributeList = [
        [linkInfoAttribute.kind, cString('veth')],
        [linkInfoAttribute.data, [[vethPeer, peer]]],
      ];
      this.#createLink(pair.name, info, mtu);
    } finally {
      if (namespace !== null) closeSync(namespace);
    }
  }

  /** Changes one interface. */
  setLink(name: string, change: LinkChange): void {
    const { index } = this.link(name);
    const namespace = change.namespacePath === undefined ? null : openSync(change.namespacePath, 'r');
    try {
      const attributes = this.#changeAttributes(change, namespace);
      const flags = change.up ? interfaceUp : 0;
      const mask = change.up === undefined ? 0 : interfaceUp;
      this.#changeLink(name, linkMessage(index, flags, mask, attributes));
    } finally {
      if (namespace !== null) closeSync(namespace);
    }
    if (change.hairpin !== undefined) this.#setHairpin(name, index, change.hairpin);
  }

  /** False when there was none. */
  deleteLink(name: string): boolean {
    const found = this.links().find((link) => link.name === name);
    if (!found) return false;
    this.#socket.request(
      { type: message.deleteLink, flags: 0, payload: linkMessage(found.index, 0, 0, []) },
      `link "${name}"`,
    );
    return true;
  }

  /** Adds "10.1.2.3/24" or an IPv6 address to an interface. Throws EEXIST when it has it. */
  addAddress(name: string, address: string): void {
    this.#changeAddress(message.newAddress, netlinkFlags.create | netlinkFlags.exclusive, name, address);
  }

  deleteAddress(name: string, address: string): void {
    this.#changeAddress(message.deleteAddress, 0, name, address);
  }

  /** All addresses of all interfaces. */
  addresses(): InterfaceAddress[] {
    return this.#socket
      .request({ type: message.getAddress, flags: netlinkFlags.dump, payload: Buffer.alloc(8) })
      .map(({ payload }) => {
        const attributes = decodeAttributes(payload.subarray(8));
        const bytes =
          attributes.get(addressAttribute.local) ??
          attributes.get(addressAttribute.address) ??
          Buffer.alloc(0);
        return {
          interfaceIndex: payload.readUInt32LE(4),
          address: decodeAddress(bytes),
          prefixLength: payload.readUInt8(1),
        };
      });
  }

  /** Throws EEXIST when the same route is there. */
  addRoute(route: RouteRequest): void {
    this.#changeRoute(message.newRoute, netlinkFlags.create | netlinkFlags.exclusive, route);
  }

  deleteRoute(route: RouteRequest): void {
    this.#changeRoute(message.deleteRoute, 0, route);
  }

  /** The routes of the main table, both families. */
  routes(): Route[] {
    return this.#socket
      .request({ type: message.getRoute, flags: netlinkFlags.dump, payload: Buffer.alloc(12) })
      .filter(({ payload }) => payload.readUInt8(4) === mainTable)
      .map(({ payload }) => decodeRoute(payload));
  }

  #createLink(name: string, info: AttributeList, more: AttributeList): void {
    const payload = linkMessage(0, 0, 0, [
      [linkAttribute.name, cString(name)],
      ...more,
      [linkAttribute.linkInfo, info],
    ]);
    const flags = netlinkFlags.create | netlinkFlags.exclusive;
    this.#socket.request({ type: message.newLink, flags, payload }, `link "${name}"`);
  }

  #changeLink(name: string, payload: Buffer): void {
    this.#socket.request({ type: message.newLink, flags: 0, payload }, `link "${name}"`);
  }

  /** Port options go in a message of their own: the kernel looks for the port before it applies a new master. */
  #setHairpin(name: string, index: number, hairpin: boolean): void {
    const port: AttributeList = [[bridgePortHairpin, Buffer.from([hairpin ? 1 : 0])]];
    const info: AttributeList = [
      [linkInfoAttribute.slaveKind, cString('bridge')],
      [linkInfoAttribute.slaveData, port],
    ];
    this.#changeLink(name, linkMessage(index, 0, 0, [[linkAttribute.linkInfo, info]]));
  }

  #changeAttributes(change: LinkChange, namespace: number | null): AttributeList {
    const attributes: [number, Uint8Array | AttributeList][] = [];
    if (change.newName !== undefined) attributes.push([linkAttribute.name, cString(change.newName)]);
    if (change.mtu !== undefined) attributes.push([linkAttribute.mtu, uint32(change.mtu)]);
    if (change.master !== undefined)
      attributes.push([linkAttribute.master, uint32(this.link(change.master).index)]);
    if (namespace !== null) attributes.push([linkAttribute.namespaceDescriptor, uint32(namespace)]);
    if (change.hardwareAddress !== undefined) {
      attributes.push([
        linkAttribute.hardwareAddress,
        Buffer.from(change.hardwareAddress.replaceAll(':', ''), 'hex'),
      ]);
    }
    return attributes;
  }

  #changeAddress(type: number, flags: number, name: string, prefix: string): void {
    const { address, prefixLength } = splitPrefix(prefix);
    const bytes = encodeAddress(address);
    const header = Buffer.alloc(8);
    header.writeUInt8(isIPv6(address) ? ipv6! : ipv4!, 0);
    header.writeUInt8(prefixLength, 1);
    header.writeUInt32LE(this.link(name).index, 4);
    const attributes: AttributeList = [
      [addressAttribute.local, bytes],
      [addressAttribute.address, bytes],
    ];
    this.#socket.request(
      { type, flags, payload: Buffer.concat([header, encodeAttributes(attributes)]) },
      `address ${prefix} of "${name}"`,
    );
  }

  #changeRoute(type: number, flags: number, { to, via, interfaceName }: RouteRequest): void {
    const destination = to === undefined ? null : splitPrefix(to);
    const attributes: [number, Uint8Array][] = [];
    if (destination) attributes.push([routeAttribute.destination, encodeAddress(destination.address)]);
    if (via !== undefined) attributes.push([routeAttribute.gateway, encodeAddress(via)]);
    if (interfaceName !== undefined)
      attributes.push([routeAttribute.outputInterface, uint32(this.link(interfaceName).index)]);
    const header = Buffer.alloc(12);
    header.writeUInt8(isIPv6(via ?? destination?.address ?? '') ? ipv6! : ipv4!, 0);
    header.writeUInt8(destination?.prefixLength ?? 0, 1);
    header.writeUInt8(mainTable, 4);
    header.writeUInt8(bootProtocol, 5);
    header.writeUInt8(via === undefined ? linkScope : 0, 6);
    header.writeUInt8(unicast, 7);
    this.#socket.request(
      { type, flags, payload: Buffer.concat([header, encodeAttributes(attributes)]) },
      `route to ${to ?? 'default'}`,
    );
  }
}

const mainTable = 254;
const bootProtocol = 3;
const linkScope = 253;
const unicast = 1;

function decodeLink(payload: Buffer): Link {
  const attributes = decodeAttributes(payload.subarray(16));
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
  };
}

function decodeRoute(payload: Buffer): Route {
  const attributes = decodeAttributes(payload.subarray(12));
  const destination = attributes.get(routeAttribute.destination);
  const gateway = attributes.get(routeAttribute.gateway);
  return {
    to: destination ? `${decodeAddress(destination)}/${payload.readUInt8(1)}` : 'default',
    via: gateway ? decodeAddress(gateway) : null,
    interfaceIndex: attributes.get(routeAttribute.outputInterface)?.readUInt32LE(0) ?? 0,
  };
}

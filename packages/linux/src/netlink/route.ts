import { closeSync, openSync } from 'node:fs';
import { hasCode } from '../errors.ts';
import {
  addressMessage,
  allAddresses,
  allRoutes,
  decodeInterfaceAddress,
  decodeRoute,
  type InterfaceAddress,
  type Route,
  type RouteRequest,
  routeMessage,
} from './address-message.ts';
import { type AttributeList, cString, uint32 } from './attributes.ts';
import {
  decodeLink,
  interfaceUp,
  type Link,
  type LinkChange,
  linkAttribute,
  linkInfoAttribute,
  linkMessage,
} from './link-message.ts';
import { permanentNeighbour, staticPort } from './neighbour-message.ts';
import { NetlinkSocket, netlinkFlags } from './netlink.ts';
import { divertMessage, ingressMessage, type RateLimit, rateMessage } from './traffic-message.ts';

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
  newNeighbour: 28,
  deleteNeighbour: 29,
  newDiscipline: 36,
  newFilter: 44,
} as const;
const vethPeer = 1;
const bridgePortHairpin = 4;

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

  /** An interface that hands back what is diverted to it (ifb), so that it can be limited on the way; `alias` says whose it is. */
  createDetour(name: string, alias: string): void {
    this.#createLink(name, [[linkInfoAttribute.kind, cString('ifb')]], []);
    const attributes: AttributeList = [[linkAttribute.alias, cString(alias)]];
    this.#changeLink(name, linkMessage(this.link(name).index, interfaceUp, interfaceUp, attributes));
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

  /** False when there was none: the kernel looks it up by name, so that it may go at any moment. */
  deleteLink(name: string): boolean {
    const payload = linkMessage(0, 0, 0, [[linkAttribute.name, cString(name)]]);
    try {
      this.#socket.request({ type: message.deleteLink, flags: 0, payload }, `link "${name}"`);
    } catch (error) {
      if (hasCode(error, 'ENODEV')) return false;
      throw error;
    }
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
    const request = { type: message.getAddress, flags: netlinkFlags.dump, payload: allAddresses };
    return this.#socket.request(request).map(({ payload }) => decodeInterfaceAddress(payload));
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
    const request = { type: message.getRoute, flags: netlinkFlags.dump, payload: allRoutes };
    const routes = this.#socket.request(request).map(({ payload }) => decodeRoute(payload));
    return routes.filter((route) => route !== null);
  }

  /** Says for good who has an address behind an interface, in place of what was known. */
  setNeighbour(name: string, address: string, hardwareAddress: string): void {
    const payload = permanentNeighbour(this.link(name).index, address, hardwareAddress);
    const flags = netlinkFlags.create | netlinkFlags.replace;
    this.#socket.request({ type: message.newNeighbour, flags, payload }, `neighbour ${address} of "${name}"`);
  }

  /** Throws ENOENT when nothing is known of the address. */
  deleteNeighbour(name: string, address: string): void {
    const payload = permanentNeighbour(this.link(name).index, address);
    this.#socket.request(
      { type: message.deleteNeighbour, flags: 0, payload },
      `neighbour ${address} of "${name}"`,
    );
  }

  /** Says which hardware address is behind a bridge's port, so that frames for it go nowhere else. */
  setBehindPort(name: string, hardwareAddress: string): void {
    const payload = staticPort(this.link(name).index, hardwareAddress);
    const flags = netlinkFlags.create | netlinkFlags.replace;
    this.#socket.request(
      { type: message.newNeighbour, flags, payload },
      `${hardwareAddress} behind "${name}"`,
    );
  }

  /** Bounds what an interface sends. Throws ENOENT where the kernel has no token buckets (`sch_tbf`). */
  limitSending(name: string, limit: RateLimit): void {
    const payload = rateMessage(this.link(name).index, limit);
    const flags = netlinkFlags.create | netlinkFlags.replace;
    this.#socket.request({ type: message.newDiscipline, flags, payload }, `rate of "${name}"`);
  }

  /**
   * Sends all that an interface receives through another one before it is looked at. Throws ENOENT where the kernel lacks a part
   * of it (`sch_ingress`, `cls_u32`, `act_mirred`).
   */
  divertReceived(name: string, detour: string): void {
    const [{ index }, { index: toIndex }] = [this.link(name), this.link(detour)];
    const flags = netlinkFlags.create | netlinkFlags.exclusive;
    const detail = `detour of "${name}"`;
    this.#socket.request({ type: message.newDiscipline, flags, payload: ingressMessage(index) }, detail);
    this.#socket.request({ type: message.newFilter, flags, payload: divertMessage(index, toIndex) }, detail);
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
    const payload = addressMessage(this.link(name).index, prefix);
    this.#socket.request({ type, flags, payload }, `address ${prefix} of "${name}"`);
  }

  #changeRoute(type: number, flags: number, route: RouteRequest): void {
    const index = route.interfaceName === undefined ? null : this.link(route.interfaceName).index;
    this.#socket.request(
      { type, flags, payload: routeMessage(route, index) },
      `route to ${route.to ?? 'default'}`,
    );
  }
}

import type { Node } from '@wherry/kubeapi/objects';
import { DeviceLedger } from './device-ledger.ts';
import type { KnownObjects } from './known-objects.ts';
import { NodeRoom } from './node-room.ts';
import type { PodInfo } from './pod-info.ts';
import { PodShapes } from './pod-shape.ts';

interface Placed {
  info: PodInfo;
  room: NodeRoom;
}

/** The nodes, and the pods that are on them or soon will be; every change costs what changed. */
export class ClusterState {
  readonly objects: KnownObjects;
  readonly shapes = new PodShapes();
  readonly devices = new DeviceLedger();
  readonly #rooms = new Map<string, NodeRoom>();
  readonly #placed = new Map<string, Placed>();
  readonly #nominated = new Map<string, { info: PodInfo; nodeName: string }>();
  readonly #imageHolders = new Map<string, number>();
  readonly #claimUsers = new Map<string, number>();
  /** The nodes that are there, worked out when they are asked for. */
  #nodes: readonly NodeRoom[] | undefined;

  constructor(objects: KnownObjects) {
    this.objects = objects;
  }

  /** The nodes that are there. */
  get nodes(): readonly NodeRoom[] {
    this.#nodes ??= [...this.#rooms.values()].filter(({ node }) => node !== undefined);
    return this.#nodes;
  }

  /** A node that is there. */
  node(name: string): NodeRoom | undefined {
    const room = this.#rooms.get(name);
    return room?.node ? room : undefined;
  }

  setNode(node: Node): void {
    const room = this.#roomOf(node.metadata.name ?? '');
    this.#countImages(room, -1);
    room.setNode(node);
    this.#countImages(room, 1);
    this.#nodes = undefined;
  }

  removeNode(name: string): void {
    const room = this.#rooms.get(name);
    if (!room) return;
    this.#countImages(room, -1);
    room.setNode(undefined);
    if (room.pods.size === 0) this.#rooms.delete(name);
    this.#nodes = undefined;
  }

  /** Counts a pod against a node: what is known of it from before is forgotten. */
  place(info: PodInfo, nodeName: string): void {
    this.displace(info.uid);
    this.#nominated.delete(info.uid);
    const room = this.#roomOf(nodeName);
    info.shape = this.shapes.add(info.shape, room);
    room.add(info);
    this.#countClaims(info, 1);
    this.#placed.set(info.uid, { info, room });
  }

  /** A pod that counts against some node. */
  placed(uid: string): PodInfo | undefined {
    return this.#placed.get(uid)?.info;
  }

  displace(uid: string): void {
    const placed = this.#placed.get(uid);
    if (!placed) return;
    const { info, room } = placed;
    this.#placed.delete(uid);
    room.remove(info);
    this.shapes.remove(info.shape, room);
    this.#countClaims(info, -1);
    if (!room.node && room.pods.size === 0) this.#rooms.delete(room.name);
  }

  /** Keeps in mind that a waiting pod will go to a node once others have made room. */
  nominate(info: PodInfo, nodeName: string): void {
    this.#nominated.set(info.uid, { info, nodeName });
  }

  forgetNomination(uid: string): void {
    this.#nominated.delete(uid);
  }

  nominatedNode(uid: string): string | undefined {
    return this.#nominated.get(uid)?.nodeName;
  }

  /** Pods that wait for room on a node. */
  nominatedTo(nodeName: string): PodInfo[] {
    if (this.#nominated.size === 0) return [];
    return [...this.#nominated.values()].filter((each) => each.nodeName === nodeName).map(({ info }) => info);
  }

  /** How many nodes have an image. */
  imageHolders(name: string): number {
    return this.#imageHolders.get(name) ?? 0;
  }

  /** How many pods with a node use a claim, by `namespace/name`. */
  claimUsers(key: string): number {
    return this.#claimUsers.get(key) ?? 0;
  }

  namespaceLabels(name: string): Readonly<Record<string, string>> {
    return this.objects.namespaces.get(name)?.metadata.labels ?? {};
  }

  #roomOf(name: string): NodeRoom {
    const known = this.#rooms.get(name);
    if (known) return known;
    const room = new NodeRoom(name);
    this.#rooms.set(name, room);
    return room;
  }

  #countImages({ node, images }: NodeRoom, sign: 1 | -1): void {
    if (node) for (const name of images.keys()) count(this.#imageHolders, name, sign);
  }

  #countClaims({ claims }: PodInfo, sign: 1 | -1): void {
    for (const key of new Set(claims)) count(this.#claimUsers, key, sign);
  }
}

function count(counts: Map<string, number>, key: string, sign: 1 | -1): void {
  const total = (counts.get(key) ?? 0) + sign;
  if (total > 0) counts.set(key, total);
  else counts.delete(key);
}

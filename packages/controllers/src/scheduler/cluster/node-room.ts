import type { Node, Taint } from '@wherry/kubeapi/objects';
import { amountsOf, effectiveTaints, unitsOf } from '@wherry/podrules';
import type { NodeView } from './node-view.ts';
import type { PodInfo } from './pod-info.ts';

/** A node and the pods that count against it, with their sums. */
export class NodeRoom implements NodeView {
  readonly name: string;
  node: Node | undefined;
  labels: Readonly<Record<string, string>> = {};
  taints: readonly Taint[] = [];
  /** In millicores, bytes and pieces. */
  allocatable: ReadonlyMap<string, number> = new Map();
  /** Sizes of the images that the node has, in bytes, by name. */
  images: ReadonlyMap<string, number> = new Map();
  readonly pods = new Map<string, PodInfo>();
  readonly requested = new Map<string, number>();
  readonly spreadingRequested = { cpu: 0, memory: 0 };

  constructor(name: string) {
    this.name = name;
  }

  setNode(node: Node | undefined): void {
    const { allocatable, images = [] } = node?.status ?? {};
    this.node = node;
    // Pods that are left of a node which is gone are in no domain.
    this.labels = node?.metadata.labels ?? {};
    this.taints = node ? effectiveTaints(node) : [];
    this.allocatable = new Map(
      [...amountsOf(allocatable)].map(([name, amount]) => [name, unitsOf(name, amount)]),
    );
    this.images = new Map(
      images.flatMap(({ names = [], sizeBytes = 0 }) => names.map((name) => [name, Number(sizeBytes)])),
    );
  }

  add(info: PodInfo): void {
    this.pods.set(info.uid, info);
    this.#count(info, 1);
  }

  remove(info: PodInfo): void {
    if (this.pods.delete(info.uid)) this.#count(info, -1);
  }

  /** The same room to try things in. */
  copy(): NodeRoom {
    const copy = new NodeRoom(this.name);
    const { node, labels, taints, allocatable, images } = this;
    Object.assign(copy, { node, labels, taints, allocatable, images });
    for (const info of this.pods.values()) copy.add(info);
    return copy;
  }

  #count({ requests, spreadingRequests }: PodInfo, sign: 1 | -1): void {
    for (const [name, units] of requests)
      this.requested.set(name, (this.requested.get(name) ?? 0) + sign * units);
    this.spreadingRequested.cpu += sign * spreadingRequests.cpu;
    this.spreadingRequested.memory += sign * spreadingRequests.memory;
  }
}

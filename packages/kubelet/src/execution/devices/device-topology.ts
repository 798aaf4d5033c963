import type { Hint } from '../topology/hints.ts';
import { type MemoryNodes, type NodeMask, nodeCount } from '../topology/memory-nodes.ts';
import type { KnownDevice } from './device-inventory.ts';

/** What devices of one resource are to be given from. */
export interface DeviceHintNeed {
  nodes: MemoryNodes;
  /** All devices of the resource. */
  devices: ReadonlyMap<string, KnownDevice>;
  available: Iterable<string>;
  /** Devices of the same pod that must be among them. */
  reusable: ReadonlySet<string>;
  asked: number;
}

/**
 * The sets of memory nodes that have enough devices near to them; undefined where no device says where it is (upstream:
 * pkg/kubelet/cm/devicemanager topology_hints.go).
 */
export function deviceHints({
  nodes,
  devices,
  available,
  reusable,
  asked,
}: DeviceHintNeed): Hint[] | undefined {
  const masks = new Map([...devices].map(([id, device]) => [id, nodes.maskOf(device.nodes)]));
  if (![...devices.values()].some((device) => device.nodes.length > 0)) return undefined;
  // Nodes without devices would double the number of sets, each, and change none of them.
  const withDevices = nodes.idsOf([...masks.values()].reduce((all, mask) => all | mask, 0));
  const considered = withDevices.length > 0 ? withDevices : nodes.ids;
  const near = (ids: Iterable<string>, mask: NodeMask) =>
    [...ids].filter((id) => ((masks.get(id) ?? 0) & mask) !== 0).length;
  const placed = [...reusable].filter((id) => (devices.get(id)?.nodes ?? []).length > 0);
  const free = [...available];
  let least = considered.length;
  const fitting: NodeMask[] = [];
  for (const mask of nodes.masks(considered)) {
    const size = nodeCount(mask);
    if (size < least && near(devices.keys(), mask) >= asked) least = size;
    if (near(placed, mask) === placed.length && placed.length + near(free, mask) >= asked) fitting.push(mask);
  }
  return fitting.map((mask) => ({ nodes: mask, isPreferred: nodeCount(mask) === least }));
}

/** Those that are near to the nodes, those that are near to others, those that are near to none. */
export function byNearness(
  available: readonly string[],
  to: { devices: ReadonlyMap<string, KnownDevice>; nodes: MemoryNodes; mask: NodeMask | undefined },
): { near: string[]; far: string[]; placeless: string[] } {
  const { devices, nodes, mask } = to;
  const placesOf = (id: string) => devices.get(id)?.nodes ?? [];
  const isPlaced = [...devices.values()].some((device) => device.nodes.length > 0);
  if (mask === undefined || !isPlaced) return { near: [], far: [], placeless: [...available] };
  const isNear = (id: string) => (nodes.maskOf(placesOf(id)) & mask) !== 0;
  const rest = available.filter((id) => !isNear(id));
  return {
    near: available.filter(isNear),
    far: rest.filter((id) => placesOf(id).length > 0),
    placeless: rest.filter((id) => placesOf(id).length === 0),
  };
}

import type { Device, Node, NodeSelector, ResourceSlice } from '@wherry/kubeapi/objects';
import { volumeReaches } from '@wherry/podrules';

/** One device in its slice. */
export interface KnownDevice {
  /** `DRIVER/POOL/DEVICE`. */
  id: string;
  driver: string;
  pool: DevicePool;
  slice: ResourceSlice;
  device: Device;
}

/** The devices of one driver's pool, as far as they concern a node. */
export interface DevicePool {
  /** `DRIVER/POOL`. */
  id: string;
  /** Why nothing of it can be had: some of its slices are missing, or they contradict each other. */
  fault?: 'incomplete' | 'invalid';
  /** Those that the node may have, in the order in which they are tried. */
  devices: readonly KnownDevice[];
  /** All there are: those of other nodes may use up counters that these share. */
  all: readonly KnownDevice[];
  slices: readonly ResourceSlice[];
}

/** A device that may be had through this slice, by the driver's name and the pool's. */
export const deviceId = (driver: string, pool: string, device: string): string =>
  `${driver}/${pool}/${device}`;

/** Whether a slice or a device says that the node may have it. */
export function reaches(
  {
    nodeName,
    allNodes,
    nodeSelector,
  }: { nodeName?: string; allNodes?: boolean; nodeSelector?: NodeSelector },
  node: Node,
): boolean {
  if (nodeName) return nodeName === node.metadata.name;
  if (allNodes) return true;
  return nodeSelector !== undefined && selects(nodeSelector, node);
}

/** Whether a selector takes in a node. */
export const selects = (required: NodeSelector, node: Node): boolean =>
  volumeReaches({ metadata: {}, spec: { nodeAffinity: { required } } }, node);

/** The pools with something for the node, in the order of their names. */
export function poolsFor(node: Node, slices: Iterable<ResourceSlice>): DevicePool[] {
  const byPool = Map.groupBy(slices, ({ spec }) => `${spec.driver}/${spec.pool.name}`);
  const pools: DevicePool[] = [];
  for (const [id, all] of byPool) {
    const generation = Math.max(...all.map(({ spec }) => spec.pool.generation ?? 0));
    const current = all.filter(({ spec }) => (spec.pool.generation ?? 0) === generation).sort(byName);
    if (current.some((slice) => concerns(slice, node))) pools.push(poolOf(id, current, node));
  }
  const byId = pools.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  // What can be had at once goes before what takes time to make ready.
  const isLast = ({ all }: DevicePool) =>
    all.some(({ slice, device }) => device.bindingConditions !== undefined && concerns(slice, node));
  return [...byId.filter((pool) => !isLast(pool)), ...byId.filter(isLast)];
}

const byName = (a: ResourceSlice, b: ResourceSlice): number =>
  (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1;

function concerns({ spec }: ResourceSlice, node: Node): boolean {
  if (spec.sharedCounters?.length) return true;
  if (spec.perDeviceNodeSelection) return (spec.devices ?? []).some((device) => reaches(device, node));
  return reaches(spec, node);
}

function poolOf(id: string, slices: readonly ResourceSlice[], node: Node): DevicePool {
  const pool: DevicePool = { id, devices: [], all: [], slices };
  if (slices.length !== slices[0]!.spec.pool.resourceSliceCount) return { ...pool, fault: 'incomplete' };
  const all = slices.flatMap((slice) =>
    (slice.spec.devices ?? []).map((device): KnownDevice => {
      const { driver, pool: named } = slice.spec;
      return { id: deviceId(driver, named.name, device.name), driver, pool, slice, device };
    }),
  );
  if (!isSound(slices, all, node)) return { ...pool, fault: 'invalid' };
  pool.all = all;
  pool.devices = all.filter(({ slice: { spec }, device }) =>
    reaches(spec.perDeviceNodeSelection ? device : spec, node),
  );
  return pool;
}

/** Whether names are used once as far as the node sees them, and all counters that devices use up are there. */
function isSound(slices: readonly ResourceSlice[], devices: readonly KnownDevice[], node: Node): boolean {
  const near = devices.filter(({ slice }) => concerns(slice, node)).map(({ id }) => id);
  if (new Set(near).size < near.length) return false;
  const sets = slices.flatMap(({ spec }) => spec.sharedCounters ?? []);
  const counters = new Map(sets.map(({ name, counters: named }) => [name, named]));
  if (counters.size < sets.length) return false;
  const used = devices.flatMap(({ device }) => device.consumesCounters ?? []);
  return used.every(({ counterSet, counters: named }) => {
    const known = counters.get(counterSet);
    return known !== undefined && Object.keys(named).every((name) => Object.hasOwn(known, name));
  });
}

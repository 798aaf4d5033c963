import { type Amounts, type PodView, unitsOf } from '../amounts.ts';
import { amountsInForce } from '../pod-resources.ts';

/** A resource of which a node has not enough left, in {@link unitsOf}. */
export interface Shortage {
  resource: string;
  requested: number;
  used: number;
  capacity: number;
}

const plainResources = ['cpu', 'memory', 'ephemeral-storage'];

/** Whether a resource is counted at all; upstream knows no others (pkg/scheduler/util IsScalarResourceName). */
export function isCountedResource(name: string): boolean {
  return plainResources.includes(name) || /\/|^hugepages-|^attachable-volumes-/.test(name);
}

/** What the pods ask for together of each resource, in {@link unitsOf}. */
export function requestedUnits(pods: readonly PodView[]): Map<string, number> {
  const total = new Map<string, number>();
  for (const pod of pods)
    for (const [name, units] of requestedBy(pod)) total.set(name, (total.get(name) ?? 0) + units);
  return total;
}

const known = new WeakMap<PodView, ReadonlyMap<string, number>>();

/** What one pod asks for of each resource, in {@link unitsOf}. A pod object is taken as immutable. */
export function requestedBy(pod: PodView): ReadonlyMap<string, number> {
  const cached = known.get(pod);
  if (cached) return cached;
  const amounts = [...amountsInForce(pod)];
  const units = new Map(amounts.map(([name, amount]) => [name, unitsOf(name, amount)]));
  known.set(pod, units);
  return units;
}

/** {@link shortagesBeside} of a node with these pods. */
export function shortages(
  pod: PodView,
  { pods, allocatable }: { pods: readonly PodView[]; allocatable: Amounts },
): Shortage[] {
  const units = new Map([...allocatable].map(([name, amount]) => [name, unitsOf(name, amount)]));
  return shortagesBeside(pod, { podCount: pods.length, used: requestedUnits(pods), allocatable: units });
}

/**
 * Of what a node has too little for one more pod: `pods`, `cpu` and `memory` first (noderesources.Fits). `used` and `allocatable` are in
 * {@link unitsOf}.
 */
export function shortagesBeside(
  pod: PodView,
  room: {
    podCount: number;
    used: ReadonlyMap<string, number>;
    allocatable: ReadonlyMap<string, number>;
  },
): Shortage[] {
  const short: Shortage[] = [];
  const check = (resource: string, requested: number, used: number) => {
    const capacity = room.allocatable.get(resource) ?? 0;
    if (requested > capacity - used) short.push({ resource, requested, used, capacity });
  };
  const wanted = requestedBy(pod);
  check('pods', 1, room.podCount);
  for (const name of new Set([...plainResources, ...wanted.keys()])) {
    const requested = wanted.get(name) ?? 0;
    if (requested > 0 && isCountedResource(name)) check(name, requested, room.used.get(name) ?? 0);
  }
  return short;
}

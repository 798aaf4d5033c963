import type { Deployment, ReplicaSet } from '@wherry/kubeapi/objects';
import { scaledCount } from '../ownership/int-or-percent.ts';
import { annotations, byAge, countIn, sizeOf, total } from './replica-sets.ts';

/** A replica set that is to have another size. */
export interface Scaling {
  set: ReplicaSet;
  size: number;
}

const desiredOf = ({ spec }: Deployment) => spec.replicas ?? 1;
const availableOf = ({ status }: ReplicaSet) => status?.availableReplicas ?? 0;
const isRolling = ({ spec }: Deployment) => spec.strategy?.type !== 'Recreate';
const activeOf = (sets: readonly ReplicaSet[]) => sets.filter((set) => sizeOf(set) > 0);

/** How many pods more than asked for there may be, and how many fewer available (upstream: ResolveFenceposts). */
export function fenceposts(deployment: Deployment): { maxSurge: number; maxUnavailable: number } {
  if (!isRolling(deployment)) return { maxSurge: 0, maxUnavailable: 0 };
  const desired = desiredOf(deployment);
  const { maxSurge, maxUnavailable } = deployment.spec.strategy?.rollingUpdate ?? {};
  const surge = scaledCount(maxSurge, desired, 'up');
  const unavailable = scaledCount(maxUnavailable, desired, 'down');
  const bounded = surge === 0 && unavailable === 0 ? 1 : unavailable;
  return { maxSurge: surge, maxUnavailable: Math.min(bounded, desired) };
}

/** The size that the newest replica set may have now (upstream: NewRSNewReplicas). */
export function currentSize(deployment: Deployment, sets: readonly ReplicaSet[], size: number): number {
  const desired = desiredOf(deployment);
  if (!isRolling(deployment) || size > desired) return desired;
  const room = desired + fenceposts(deployment).maxSurge - total(sets, sizeOf);
  return room <= 0 ? size : size + Math.min(room, desired - size);
}

/**
 * Old replica sets that may shrink now without making too few pods available: first by what is unhealthy in them, then
 * the oldest ones. While one of them has more pods available than it is asked for, its controller is behind, and what it
 * tells is no reason to shrink any further (upstream: reconcileOldReplicaSets).
 */
export function shrinkOld(
  deployment: Deployment,
  current: ReplicaSet,
  old: readonly ReplicaSet[],
): Scaling[] {
  const active = activeOf(old).sort(byAge);
  const minAvailable = desiredOf(deployment) - fenceposts(deployment).maxUnavailable;
  const all = [...active, current];
  const currentUnavailable = sizeOf(current) - availableOf(current);
  const maxShrink = total(all, sizeOf) - minAvailable - currentUnavailable;
  if (active.length === 0 || maxShrink <= 0) return [];
  const sizes = new Map(active.map((set) => [set, sizeOf(set)]));
  const changed = () =>
    active.map((set) => ({ set, size: sizes.get(set) ?? 0 })).filter(({ set, size }) => size !== sizeOf(set));
  let cleaned = 0;
  for (const set of active) {
    if (cleaned >= maxShrink) break;
    const unhealthy = Math.min(maxShrink - cleaned, sizeOf(set) - availableOf(set));
    if (unhealthy < 0) return changed();
    sizes.set(set, sizeOf(set) - unhealthy);
    cleaned += unhealthy;
  }
  let surplus = total(all, availableOf) - minAvailable;
  for (const set of active) {
    const size = sizes.get(set) ?? 0;
    const removed = Math.max(0, Math.min(size, surplus));
    sizes.set(set, size - removed);
    surplus -= removed;
  }
  return changed();
}

/** A scaling, and whether it is made even if only the annotations change. */
export interface Proportions {
  scalings: Scaling[];
  isForced: boolean;
}

/**
 * The sizes after the deployment itself was scaled, or while it is paused: one active replica set takes all, of several
 * each takes its share, and the largest what rounding leaves (upstream: sync.go scale).
 */
export function proportionalSizes(
  deployment: Deployment,
  current: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
): Proportions {
  const desired = desiredOf(deployment);
  const active = activeOf(current ? [...old, current] : old);
  const only = active.length > 1 ? undefined : (active[0] ?? current ?? [...old].sort(byAge).at(-1));
  if (active.length <= 1) return { scalings: only ? [{ set: only, size: desired }] : [], isForced: false };
  if (current && isSaturated(deployment, current)) {
    const scalings = activeOf(old).map((set) => ({ set, size: 0 }));
    return { scalings, isForced: false };
  }
  if (!isRolling(deployment)) return { scalings: [], isForced: false };
  return { scalings: shares(deployment, active), isForced: true };
}

function isSaturated(deployment: Deployment, set: ReplicaSet): boolean {
  const counts = [sizeOf(set), countIn(set, annotations.desiredReplicas), availableOf(set)];
  return counts.every((count) => count === desiredOf(deployment));
}

function shares(deployment: Deployment, active: readonly ReplicaSet[]): Scaling[] {
  const desired = desiredOf(deployment);
  const allowed = desired > 0 ? desired + fenceposts(deployment).maxSurge : 0;
  const toAdd = allowed - total(active, sizeOf);
  const tie = toAdd > 0 ? (a: ReplicaSet, b: ReplicaSet) => byAge(b, a) : byAge;
  const ordered = [...active].sort((a, b) => sizeOf(b) - sizeOf(a) || tie(a, b));
  let added = 0;
  const scalings = ordered.map((set) => {
    const share = toAdd === added ? 0 : fraction(deployment, set);
    const bounded = toAdd > 0 ? Math.min(share, toAdd - added) : Math.max(share, toAdd - added);
    const proportion = toAdd === 0 ? 0 : bounded;
    added += proportion;
    return { set, size: sizeOf(set) + proportion };
  });
  const [largest] = scalings;
  if (largest && toAdd !== 0) largest.size = Math.max(0, largest.size + toAdd - added);
  return scalings;
}

/** By how much a replica set's share of the old whole grows with the whole. */
function fraction(deployment: Deployment, set: ReplicaSet): number {
  const desired = desiredOf(deployment);
  if (desired === 0) return -sizeOf(set);
  const before = countIn(set, annotations.maxReplicas) || (deployment.status?.replicas ?? 0);
  if (before === 0) return 0;
  const size = (sizeOf(set) * (desired + fenceposts(deployment).maxSurge)) / before;
  return Math.round(size) - sizeOf(set);
}

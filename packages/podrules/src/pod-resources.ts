import type { Quantity } from '@wherry/kubeapi';
import {
  type Amounts,
  addAmounts,
  amountsOf,
  type PodView,
  type ResourceSide,
  raiseAmounts,
  unitsOf,
  zero,
} from './amounts.ts';
import { isSidecar } from './pod-state.ts';

/** Whether a pod as a whole may declare that resource; others stand in its containers only. */
const isPodLevel = (name: string) => name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');

const known: Record<ResourceSide, WeakMap<PodView, Amounts>> = {
  requests: new WeakMap(),
  limits: new WeakMap(),
};

/**
 * What the whole pod asks for or may use: sidecars count beside the regular containers, other init containers by what
 * they need at their turn if that is more; what the pod itself declares stands instead of the sum. The runtime class's
 * overhead is added, to limits only where there is one (k8s.io/component-helpers resource.PodRequests, PodLimits, without
 * what a resize in progress has in force). A pod object is taken as immutable: its amounts are worked out once.
 */
export function podAmounts(pod: PodView, side: ResourceSide): Amounts {
  const cached = known[side].get(pod);
  if (cached) return cached;
  const amounts = compute(pod, side);
  known[side].set(pod, amounts);
  return amounts;
}

function compute({ spec }: PodView, side: ResourceSide): Amounts {
  const declared = (owner: {
    resources?: { requests?: Record<string, string>; limits?: Record<string, string> };
  }) => amountsOf(owner.resources?.[side]);
  const total = new Map<string, Quantity>();
  for (const container of spec?.containers ?? []) addAmounts(total, declared(container));
  const sidecars = new Map<string, Quantity>();
  const initPeak = new Map<string, Quantity>();
  for (const container of spec?.initContainers ?? []) {
    const own = declared(container);
    if (isSidecar(container)) raiseAmounts(initPeak, addAmounts(sidecars, own));
    else raiseAmounts(initPeak, addAmounts(own, sidecars));
  }
  raiseAmounts(addAmounts(total, sidecars), initPeak);
  for (const [name, amount] of declared(spec ?? {})) if (isPodLevel(name)) total.set(name, amount);
  const overhead = [...amountsOf(spec?.overhead)];
  const hasRoom = (name: string) => side === 'requests' || (total.get(name) ?? zero).sign() !== 0;
  return addAmounts(total, new Map(overhead.filter(([name]) => hasRoom(name))));
}

/** {@link podAmounts} of one resource; zero where nothing is said of it. */
export function podAmount(pod: PodView, side: ResourceSide, resource: string): Quantity {
  return podAmounts(pod, side).get(resource) ?? zero;
}

/** {@link podAmount} in {@link unitsOf}: millicores, bytes. */
export function podUnits(pod: PodView, side: ResourceSide, resource: string): number {
  return unitsOf(resource, podAmount(pod, side, resource));
}

/**
 * The limit that holds for the pod as a whole: {@link podAmount}, or undefined where one of its containers (init containers
 * and sidecars too) may use what it likes and the pod itself declares none.
 */
export function podLimit(pod: PodView, resource: string): Quantity | undefined {
  const { spec } = pod;
  const isBounded = (owner: { resources?: { limits?: Record<string, string> } }) =>
    (amountsOf(owner.resources?.limits).get(resource) ?? zero).sign() > 0;
  const containers = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])];
  return isBounded(spec ?? {}) || containers.every(isBounded)
    ? podAmount(pod, 'limits', resource)
    : undefined;
}

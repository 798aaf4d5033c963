import { ownValue, parseQuantity, type Quantity } from '@wherry/kubeapi';
import type { AssignedPod } from './assigned-pod.ts';
import { containersOf, isSidecar } from './containers.ts';

/** The two sides of a resource declaration. */
export type ResourceSide = 'requests' | 'limits';

type Declared = { requests?: Record<string, string>; limits?: Record<string, string> } | undefined;

const zero = parseQuantity('0');

function declared(resources: Declared, side: ResourceSide, resource: string): Quantity | undefined {
  const text = ownValue(resources?.[side], resource);
  return text === undefined ? undefined : parseQuantity(text);
}

const larger = (a: Quantity, b: Quantity) => (a.cmp(b) >= 0 ? a : b);

/**
 * What the whole pod asks for or may use, exactly: sidecars count beside the regular containers, other init containers
 * by their peak; what the pod itself declares counts instead of the sum. The runtime class's overhead is added, to
 * limits only where there is one (k8s.io/component-helpers resource.PodRequests, PodLimits).
 */
export function podTotal(pod: AssignedPod, side: ResourceSide, resource: string): Quantity {
  const total = declared(pod.spec.resources, side, resource) ?? containerTotal(pod, side, resource);
  const overhead = ownValue(pod.spec.overhead, resource);
  if (overhead === undefined || (side === 'limits' && total.cmp(zero) === 0)) return total;
  return total.add(parseQuantity(overhead));
}

function containerTotal(pod: AssignedPod, side: ResourceSide, resource: string): Quantity {
  let sidecars = zero;
  let initPeak = zero;
  for (const container of pod.spec.initContainers ?? []) {
    const own = declared(container.resources, side, resource) ?? zero;
    if (isSidecar(container)) sidecars = sidecars.add(own);
    initPeak = larger(initPeak, isSidecar(container) ? sidecars : sidecars.add(own));
  }
  const regular = pod.spec.containers.reduce(
    (sum, { resources }) => sum.add(declared(resources, side, resource) ?? zero),
    sidecars,
  );
  return larger(regular, initPeak);
}

/** {@link podTotal} as a number of the resource's base unit (cores, bytes). */
export function podAmount(pod: AssignedPod, side: ResourceSide, resource: string): number {
  return podTotal(pod, side, resource).toNumber();
}

/** {@link podTotal} in thousandths, rounded up: millicores of `cpu`. */
export function podMilliAmount(pod: AssignedPod, side: ResourceSide, resource: string): number {
  return Number(podTotal(pod, side, resource).milliValue());
}

/**
 * The limit that holds for the pod as a whole: {@link podTotal}, or undefined where one of its containers (init containers
 * and sidecars too) may use what it likes and the pod itself declares none.
 */
export function podLimit(pod: AssignedPod, resource: string): Quantity | undefined {
  const isSet = (resources: Declared) => (declared(resources, 'limits', resource) ?? zero).cmp(zero) > 0;
  const owners = containersOf(pod).filter(({ kind }) => kind !== 'ephemeral');
  const isBounded = isSet(pod.spec.resources) || owners.every(({ container }) => isSet(container.resources));
  return isBounded ? podTotal(pod, 'limits', resource) : undefined;
}

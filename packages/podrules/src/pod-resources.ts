import type { Quantity } from '@wherry/kubeapi/objects';
import {
  type Amounts,
  addAmounts,
  amountsOf,
  isPodLevelResource,
  type PodView,
  type ResourceSide,
  raiseAmounts,
  sumOfContainers,
  unitsOf,
  zero,
} from './amounts.ts';

const known: Record<ResourceSide, WeakMap<PodView, Amounts>> = {
  requests: new WeakMap(),
  limits: new WeakMap(),
};

/**
 * What the whole pod asks for or may use: sidecars count beside the regular containers, other init containers by what
 * they need at their turn if that is more; what the pod itself declares stands instead of the sum. The runtime class's
 * overhead is added, to limits only where there is one (k8s.io/component-helpers resource.PodRequests, PodLimits). What a
 * resize has not taken back yet is not in it: see {@link amountsInForce}. A pod object is taken as immutable: its amounts
 * are worked out once.
 */
export function podAmounts(pod: PodView, side: ResourceSide): Amounts {
  const cached = known[side].get(pod);
  if (cached) return cached;
  const amounts = compute(pod, side);
  known[side].set(pod, amounts);
  return amounts;
}

interface Resources {
  requests?: Record<string, string>;
  limits?: Record<string, string>;
}

interface Owner {
  name?: string | undefined;
  resources?: Resources;
}

function compute(
  { spec }: PodView,
  side: ResourceSide,
  declared = (owner: Owner): Map<string, Quantity> => amountsOf(owner.resources?.[side]),
): Amounts {
  const total = sumOfContainers<Owner & { restartPolicy?: string }>(spec ?? {}, declared);
  for (const [name, amount] of declared({ resources: spec?.resources ?? {} }))
    if (isPodLevelResource(name)) total.set(name, amount);
  const overhead = [...amountsOf(spec?.overhead)];
  const hasRoom = (name: string) => side === 'requests' || (total.get(name) ?? zero).sign() !== 0;
  return addAmounts(total, new Map(overhead.filter(([name]) => hasRoom(name))));
}

const knownInForce = new WeakMap<PodView, Amounts>();

/**
 * What a pod takes from its node as long as a resize is on its way: the most of what it asks for, what its kubelet has
 * granted and what its containers have. A resize that can never be is left out (PodRequests with UseStatusResources).
 */
export function amountsInForce(pod: PodView): Amounts {
  const cached = knownInForce.get(pod);
  if (cached) return cached;
  const amounts = computeInForce(pod, {});
  knownInForce.set(pod, amounts);
  return amounts;
}

/** What a container counts for where load is spread that asks for no processor or memory (upstream's scheduler). */
const defaultRequests = { cpu: '100m', memory: String(200 * 1024 * 1024) };

/**
 * {@link amountsInForce} where each container that asks for no processor or memory counts for a little of it; of a pod that
 * asks for some as a whole only what nothing in it asks for.
 */
export function amountsForSpreading(pod: PodView): Amounts {
  const isWhole = Object.keys(pod.spec?.resources?.requests ?? {}).some(isPodLevelResource);
  if (!isWhole) return computeInForce(pod, defaultRequests);
  const asked = amountsInForce(pod);
  const missing = Object.entries(defaultRequests).filter(([name]) => !asked.has(name));
  return computeInForce(pod, Object.fromEntries(missing));
}

/**
 * {@link amountsForSpreading} of a pod that looks for a node: what it asks for as a whole is not in it, which upstream's
 * least-allocated score does not see.
 */
export function amountsOfNewcomer({ spec }: PodView): Amounts {
  return computeInForce({ spec: spec && { ...spec, resources: {} }, status: undefined }, defaultRequests);
}

function computeInForce(pod: PodView, defaults: Readonly<Record<string, string>>): Amounts {
  const { spec, status } = pod;
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  const statuses = [
    ...(status?.containerStatuses ?? []),
    ...(status?.initContainerStatuses ?? []).filter(({ name }) =>
      sidecars.some((each) => each.name === name),
    ),
  ];
  const isInfeasible = (status?.conditions ?? []).some(
    ({ type, reason }) => type === 'PodResizePending' && reason === 'Infeasible',
  );
  const inForce = ({ name, resources }: Owner): Map<string, Quantity> => {
    const told = name === undefined ? status : statuses.find((each) => each.name === name);
    const asked = amountsOf(resources?.requests);
    if (!told?.resources) return asked;
    const granted = raiseAmounts(amountsOf(told.allocatedResources), amountsOf(told.resources.requests));
    return isInfeasible ? granted : raiseAmounts(asked, granted);
  };
  const assumed = amountsOf(defaults);
  return compute(pod, 'requests', (owner) => {
    const amounts = inForce(owner);
    if (owner.name !== undefined) return new Map([...assumed, ...amounts]);
    // The status tells of every pod what it has as a whole, whatever it asks for so.
    const asked = Object.keys(owner.resources?.requests ?? {});
    return new Map(asked.map((name) => [name, amounts.get(name) ?? zero]));
  });
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

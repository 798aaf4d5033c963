import { podUnits, qualityOfService, type Shortage } from '@wherry/podrules';
import { type AssignedPod, isCriticalPod } from '../../pod/assigned-pod.ts';

/** How much of each resource is still missing, by name; what is there in full is not in it. */
type Missing = ReadonlyMap<string, number>;

/**
 * The pods that have to go so that a critical one fits; undefined where all of them together would not do. Those of the
 * lowest class go first, of each class as few as will do, and of those the smallest (upstream: pkg/kubelet/preemption).
 */
export function chooseVictims(
  pod: AssignedPod,
  running: readonly AssignedPod[],
  shortages: readonly Shortage[],
): AssignedPod[] | undefined {
  const missing = missingOf(shortages);
  const weaker = running.filter((other) => mayPreempt(pod, other));
  const of = (quality: string) => weaker.filter((other) => qualityOfService(other) === quality);
  const [bestEffort, burstable, guaranteed] = [of('BestEffort'), of('Burstable'), of('Guaranteed')];
  if (without(missing, weaker).size > 0) return undefined;
  const fromGuaranteed = nearest(guaranteed, without(missing, [...bestEffort, ...burstable]));
  const fromBurstable = nearest(burstable, without(missing, [...bestEffort, ...fromGuaranteed]));
  const fromBestEffort = nearest(bestEffort, without(missing, [...fromBurstable, ...fromGuaranteed]));
  return [...fromBestEffort, ...fromBurstable, ...fromGuaranteed];
}

/** What would still be missing if all went that may, as upstream's message lists it. */
export function describeUnmet(
  pod: AssignedPod,
  running: readonly AssignedPod[],
  shortages: readonly Shortage[],
): string {
  const weaker = running.filter((other) => mayPreempt(pod, other));
  const parts = [...without(missingOf(shortages), weaker)].map(
    ([resource, amount]) => `(res: ${resource}, q: ${amount}), `,
  );
  return `[${parts.join('')}]`;
}

const missingOf = (shortages: readonly Shortage[]): Missing =>
  new Map(
    shortages.map(({ resource, requested, used, capacity }) => [resource, requested + used - capacity]),
  );

function mayPreempt(pod: AssignedPod, other: AssignedPod): boolean {
  if (isCriticalPod(pod) && !isCriticalPod(other)) return true;
  const [own, its] = [pod.spec.priority, other.spec.priority];
  return own !== undefined && its !== undefined && own > its;
}

function unitsOf(pod: AssignedPod, resource: string): number {
  return resource === 'pods' ? 1 : podUnits(pod, 'requests', resource);
}

function without(missing: Missing, pods: readonly AssignedPod[]): Missing {
  const left = [...missing].map(([name, amount]): [string, number] => [
    name,
    pods.reduce((rest, pod) => rest - unitsOf(pod, name), amount),
  ]);
  return new Map(left.filter(([, amount]) => amount > 0));
}

/** Pods that cover what is missing: again and again the one that leaves least of it. */
function nearest(pods: readonly AssignedPod[], missing: Missing): AssignedPod[] {
  const left = [...pods];
  const chosen: AssignedPod[] = [];
  let rest = missing;
  while (rest.size > 0 && left.length > 0) {
    const now = rest;
    const distances = new Map(left.map((pod) => [pod, distance(pod, now)]));
    const order = (a: AssignedPod, b: AssignedPod) =>
      (distances.get(a) ?? 0) - (distances.get(b) ?? 0) || bySize(a, b);
    const best = left.reduce((known, pod) => (order(pod, known) <= 0 ? pod : known));
    rest = without(rest, [best]);
    chosen.push(best);
    left.splice(left.indexOf(best), 1);
  }
  return chosen;
}

/** How much of what is missing a pod leaves missing: each resource weighs the same, whatever its unit. */
function distance(pod: AssignedPod, missing: Missing): number {
  let sum = 0;
  for (const [name, amount] of missing) sum += (Math.max(0, amount - unitsOf(pod, name)) / amount) ** 2;
  return sum;
}

function bySize(a: AssignedPod, b: AssignedPod): number {
  return unitsOf(a, 'memory') - unitsOf(b, 'memory') || unitsOf(a, 'cpu') - unitsOf(b, 'cpu');
}

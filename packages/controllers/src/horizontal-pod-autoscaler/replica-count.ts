/** How many replicas the usage of pods asks for (upstream: pkg/controller/podautoscaler/replica_calculator.go). */

/** What one pod takes of a resource, in thousandths. */
export type PodAmounts = ReadonlyMap<string, number>;

/** By how much usage may miss its target without a change, as a share of it. */
export interface Tolerance {
  up: number;
  down: number;
}

/** The most that a target's number of replicas can be. */
export const replicasMax = 2 ** 31 - 1;

/** Whether use in that ratio to its target is left as it is. */
export function isWithin(ratio: number, { up, down }: Tolerance): boolean {
  return ratio >= 1 - down && ratio <= 1 + up;
}

/** The pods of a target by what can be said of them. */
export interface PodGroups {
  ready: number;
  /** Not started or not ready yet: what they take says nothing of the load. */
  unready: ReadonlySet<string>;
  /** Nobody measured them. */
  missing: ReadonlySet<string>;
}

/** The target of a metric: a share of what pods ask for in percent, or an amount for each in thousandths. */
export type UsageTarget = { utilization: number; requests: PodAmounts } | { average: number };

/** What was found. */
export interface ReplicaProposal {
  replicas: number;
  /** Of the pods that counted, in thousandths. */
  average: number;
  /** In percent, where that is the target. */
  utilization: number | undefined;
}

/**
 * The replicas that bring usage to its target. Pods that could not be measured count against the change: as using nothing when it
 * grows, as using all that they may when it shrinks; a change that would turn round by that is left. `usage` is not
 * empty, and holds nothing of the unready. Throws where none of them asks for anything.
 */
export function proposeReplicas(options: {
  current: number;
  usage: PodAmounts;
  groups: PodGroups;
  target: UsageTarget;
  tolerance: Tolerance;
}): ReplicaProposal {
  const { current, usage, groups, target, tolerance } = options;
  const { ratio, ...found } = measure(usage, target);
  const growsBesideUnready = groups.unready.size > 0 && ratio > 1;
  if (!growsBesideUnready && groups.missing.size === 0) {
    const replicas = isWithin(ratio, tolerance) ? current : Math.ceil(ratio * groups.ready);
    return { replicas: Math.min(replicas, replicasMax), ...found };
  }
  const assumed = new Map(usage);
  for (const name of groups.missing) {
    if (ratio < 1) assumed.set(name, fullUse(name, target));
    else if (ratio > 1) assumed.set(name, 0);
  }
  if (growsBesideUnready) for (const name of groups.unready) assumed.set(name, 0);
  const { ratio: cautious } = measure(assumed, target);
  const turnsRound = (ratio < 1 && cautious > 1) || (ratio > 1 && cautious < 1);
  const replicas = Math.min(Math.ceil(cautious * assumed.size), replicasMax);
  const isAgainst = (cautious < 1 && replicas > current) || (cautious > 1 && replicas < current);
  return {
    replicas: isWithin(cautious, tolerance) || turnsRound || isAgainst ? current : replicas,
    ...found,
  };
}

function fullUse(name: string, target: UsageTarget): number {
  if ('average' in target) return target.average;
  return Math.trunc(((target.requests.get(name) ?? 0) * Math.max(100, target.utilization)) / 100);
}

function measure(usage: PodAmounts, target: UsageTarget) {
  let used = 0;
  let requested = 0;
  let counted = 0;
  for (const [name, amount] of usage) {
    const request = 'average' in target ? 0 : target.requests.get(name);
    if (request === undefined) continue;
    used += amount;
    requested += request;
    counted += 1;
  }
  const average = counted === 0 ? 0 : Math.trunc(used / counted);
  if ('average' in target) return { ratio: average / target.average, average, utilization: undefined };
  if (requested === 0) throw new Error('no metrics returned matched known pods');
  const utilization = Math.trunc((used * 100) / requested);
  return { ratio: utilization / target.utilization, average, utilization };
}

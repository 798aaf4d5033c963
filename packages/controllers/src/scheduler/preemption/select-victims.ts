import type { NodeRoom } from '../cluster/node-room.ts';
import type { PodInfo } from '../cluster/pod-info.ts';
import type { FilterRun } from '../filter-run.ts';
import { type Refusal, refuse } from '../filters/filter-plugin.ts';
import type { DisruptionBudgets } from './disruption-budgets.ts';

/** Pods that have to go from a node so that another fits, the most important first. */
export interface Candidate {
  room: NodeRoom;
  victims: readonly PodInfo[];
  /** How many of them are one too many for a disruption budget. */
  violations: number;
}

const noVictims = refuse('No preemption victims found for incoming pod', { isFinal: true });

/** When a pod started, in milliseconds since 1970; what has not started yet counts as the last. */
export function startedMs({ pod }: PodInfo): number {
  const { startTime } = pod.status ?? {};
  return startTime ? Date.parse(startTime) : Number.POSITIVE_INFINITY;
}

function byImportance(a: PodInfo, b: PodInfo): number {
  if (a.priority !== b.priority) return b.priority - a.priority;
  const [one, other] = [startedMs(a), startedMs(b)];
  return one === other ? 0 : one - other;
}

/**
 * The fewest pods of lower priority that have to go from a node so that the pod of `run` fits: with all of them away it
 * must; then each that can come back does, those that budgets protect before the others, the most important first.
 */
export function selectVictims(
  run: FilterRun,
  room: NodeRoom,
  budgets: DisruptionBudgets,
): Candidate | Refusal {
  const lower = [...room.pods.values()].filter(({ priority }) => priority < run.info.priority);
  if (lower.length === 0) return noVictims;
  lower.sort(byImportance);
  const trial = room.copy();
  const gone = new Set<PodInfo>();
  const send = (info: PodInfo) => {
    run.suppose(info, trial, -1);
    gone.add(info);
  };
  const takeBack = (info: PodInfo) => {
    run.suppose(info, trial, 1);
    gone.delete(info);
  };
  try {
    lower.forEach(send);
    const refusal = run.refusal(trial);
    if (refusal) return refusal;
    const violators = budgets.violators(lower);
    const others = lower.filter((info) => !violators.has(info));
    for (const info of [...violators, ...others]) {
      takeBack(info);
      if (run.refusal(trial)) send(info);
    }
    const victims = [...gone].sort(byImportance);
    return { room, victims, violations: victims.filter((info) => violators.has(info)).length };
  } finally {
    [...gone].forEach(takeBack);
  }
}

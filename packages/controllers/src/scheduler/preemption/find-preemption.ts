import type { ClusterState } from '../cluster/cluster-state.ts';
import type { NodeRoom } from '../cluster/node-room.ts';
import type { PodInfo } from '../cluster/pod-info.ts';
import { explain } from '../explain.ts';
import type { Refusal } from '../filters/filter-plugin.ts';
import type { NoPlace } from '../place.ts';
import { bestCandidates } from './best-candidates.ts';
import { DisruptionBudgets } from './disruption-budgets.ts';
import { type Candidate, selectVictims } from './select-victims.ts';

/** How many nodes are enough to choose from: so many, or that share of all in percent if it is more. */
export interface CandidatesEnough {
  minCandidateNodesAbsolute: number;
  minCandidateNodesPercentage: number;
}

/** Upstream's, unless something else is asked for. */
export const usualCandidates: CandidatesEnough = {
  minCandidateNodesAbsolute: 100,
  minCandidateNodesPercentage: 10,
};

/** Why no pod has to go, and whether a node that was promised to the pod stays promised. */
export interface NoPreemption {
  message: string;
  keepsNomination: boolean;
}

/** The node on which pods make room for one of higher priority at the least cost. */
export function findPreemption(
  failed: NoPlace,
  cluster: ClusterState,
  wanted: CandidatesEnough = usualCandidates,
): Candidate | NoPreemption {
  const found = candidatesFor(failed, cluster, wanted);
  return 'message' in found ? found : bestCandidates(found)[0]!;
}

/** The same, where others have a say in who goes: `ask` answers what they leave of the candidates, or why they can't be asked. */
export async function findPreemptionWith(
  ask: (candidates: readonly Candidate[]) => Promise<readonly Candidate[] | string>,
  failed: NoPlace,
  { cluster, wanted }: { cluster: ClusterState; wanted: CandidatesEnough },
): Promise<Candidate | NoPreemption> {
  const found = candidatesFor(failed, cluster, wanted);
  if ('message' in found) return found;
  const left = await ask(found);
  const best = typeof left === 'string' ? undefined : bestCandidates(left)[0];
  const why = typeof left === 'string' ? left : 'no candidate node for preemption';
  return best ?? { message: `preemption: ${why}`, keepsNomination: true };
}

/** One candidate at least, or why there is none. */
function candidatesFor(
  failed: NoPlace,
  cluster: ClusterState,
  wanted: CandidatesEnough,
): readonly Candidate[] | NoPreemption {
  const reason = ineligibility(failed, cluster);
  if (reason !== undefined) return { message: `preemption: ${reason}`, keepsNomination: true };
  const { candidates, refusals } = findCandidates(failed, cluster, wanted);
  if (candidates.length > 0) return candidates;
  const message = explain({
    nodeCount: cluster.nodes.length,
    reasons: [...refusals.values()].map(({ reasons }) => reasons),
    otherwise: 'Preemption is not helpful for scheduling',
  });
  return { message: `preemption: ${message}`, keepsNomination: false };
}

/** All nodes on which it would help, up to as many as are enough. */
export function findCandidates(
  { run, refusals: refused }: NoPlace,
  { objects }: ClusterState,
  { minCandidateNodesAbsolute: least, minCandidateNodesPercentage: percentage } = usualCandidates,
): { candidates: Candidate[]; refusals: Map<NodeRoom, Refusal> } {
  const budgets = new DisruptionBudgets(objects.budgets.values());
  const rooms = [...refused].filter(([, { isFinal }]) => !isFinal).map(([room]) => room);
  const enough = Math.max(least, Math.trunc((rooms.length * percentage) / 100));
  const candidates: Candidate[] = [];
  const refusals = new Map<NodeRoom, Refusal>();
  let harmless = 0;
  for (const room of rooms) {
    if (harmless > 0 && candidates.length >= enough) break;
    const found = selectVictims(run, room, budgets);
    if ('reasons' in found) refusals.set(room, found);
    else {
      candidates.push(found);
      if (found.violations === 0) harmless += 1;
    }
  }
  return { candidates, refusals };
}

function ineligibility({ run, refusals }: NoPlace, cluster: ClusterState): string | undefined {
  const { pod, uid, priority } = run.info;
  if (pod.spec?.preemptionPolicy === 'Never') return 'not eligible due to preemptionPolicy=Never.';
  const nominated = cluster.node(cluster.nominatedNode(uid) ?? '');
  if (!nominated || refusals.get(nominated)?.isFinal !== false) return undefined;
  const isLeaving = (info: PodInfo) => info.priority < priority && isBeingPreempted(info);
  if (![...nominated.pods.values()].some(isLeaving)) return undefined;
  return 'not eligible due to a terminating pod on the nominated node.';
}

function isBeingPreempted({ pod }: PodInfo): boolean {
  if (!pod.metadata.deletionTimestamp) return false;
  const condition = pod.status?.conditions?.find(({ type }) => type === 'DisruptionTarget');
  return condition?.status === 'True' && condition.reason === 'PreemptionByScheduler';
}

import type { ClusterState } from './cluster/cluster-state.ts';
import type { NodeRoom } from './cluster/node-room.ts';
import type { PodInfo } from './cluster/pod-info.ts';
import { explain } from './explain.ts';
import { type Extenders, extenderName } from './extenders/extenders.ts';
import { FilterRun } from './filter-run.ts';
import type { Refusal } from './filters/filter-plugin.ts';
import type { NoPlace, Place } from './place.ts';
import { defaultProfile, type Profile } from './profiles/profile.ts';
import { totalScores } from './scores/scores.ts';

/** Up to so many nodes all are looked at. */
const fewNodes = 100;

/** How many fitting nodes are enough to choose from: all of few; of many a share, by default one that shrinks (upstream: the same). */
function enoughNodes(count: number, { percentageOfNodesToScore }: Profile): number {
  if (count < fewNodes) return count;
  const percentage = percentageOfNodesToScore || Math.max(5, 50 - Math.trunc(count / 125));
  return Math.max(fewNodes, Math.trunc((count * percentage) / 100));
}

/** Finds nodes for pods in one cluster; each search begins where the last one ended. */
export class PlaceFinder {
  readonly #cluster: ClusterState;
  #next = 0;

  constructor(cluster: ClusterState) {
    this.#cluster = cluster;
  }

  /** The node that all filters of the profile allow and its scores like best, the first of equals. */
  find(info: PodInfo, profile: Profile = defaultProfile): Place {
    const run = new FilterRun(info, this.#cluster, profile.filters);
    const nominated = this.#nominated(run);
    if (nominated) return { room: nominated };
    const { fitting, refusals } = this.#sift(run, profile);
    const best = this.#best(info, fitting, profile);
    return best ? { room: best } : this.#nowhere(run, refusals);
  }

  /** The same, where extenders leave nodes out of those that the filters allow, and add to the scores. Rejects with ExtenderError. */
  async findWith(
    extenders: Extenders,
    info: PodInfo,
    { profile, signal }: { profile: Profile; signal: AbortSignal },
  ): Promise<Place> {
    const { pod } = info;
    const run = new FilterRun(info, this.#cluster, profile.filters);
    const nominated = this.#nominated(run);
    if (nominated) {
      const asked = extenders.filter(pod, [nominated], { refusals: new Map(), signal });
      // As upstream: what fails here is asked again among the others.
      const [room] = await asked.catch(() => []);
      if (room) return { room };
    }
    const { fitting, refusals } = this.#sift(run, profile, extenders.chooses);
    const left = await extenders.filter(pod, fitting, { refusals, signal });
    if (left.length < fitting.length) run.refusedBy.add(extenderName);
    const more = left.length > 1 ? await extenders.prioritize(pod, left, signal) : undefined;
    const best = this.#best(info, left, profile, more);
    return best ? { room: best } : this.#nowhere(run, refusals);
  }

  #nominated(run: FilterRun): NodeRoom | undefined {
    const nominated = this.#cluster.node(this.#cluster.nominatedNode(run.info.uid) ?? '');
    return nominated && this.#isWorthAsking(nominated, run) && !run.refusal(nominated)
      ? nominated
      : undefined;
  }

  #nowhere(run: FilterRun, refusals: ReadonlyMap<NodeRoom, Refusal>): NoPlace {
    const { nodes } = this.#cluster;
    if (nodes.length === 0) return { message: 'no nodes available to schedule pods', run, refusals };
    const otherwise = run.only && `node(s) didn't satisfy plugin(s) [${run.only.by.join(' ')}]`;
    const reasons = [...refusals.values()].map((each) => each.reasons);
    for (const name of run.only?.by ?? []) run.refusedBy.add(name);
    const message = explain({ nodeCount: nodes.length, nowhere: run.nowhere, reasons, otherwise });
    return { message, run, refusals };
  }

  #isWorthAsking({ name }: NodeRoom, { nowhere, only }: FilterRun): boolean {
    return nowhere === undefined && (!only || only.nodeNames.has(name));
  }

  #sift(
    run: FilterRun,
    profile: Profile,
    isChosenElsewhere = false,
  ): { fitting: NodeRoom[]; refusals: Map<NodeRoom, Refusal> } {
    const { nodes } = this.#cluster;
    const fitting: NodeRoom[] = [];
    const refusals = new Map<NodeRoom, Refusal>();
    const isChosen = isChosenElsewhere || profile.scores.length > 0;
    const enough = isChosen ? enoughNodes(nodes.length, profile) : 1;
    let looked = 0;
    for (; looked < nodes.length && fitting.length < enough; looked++) {
      const room = nodes[(this.#next + looked) % nodes.length]!;
      if (!this.#isWorthAsking(room, run)) continue;
      const refusal = run.refusal(room);
      if (refusal) refusals.set(room, refusal);
      else fitting.push(room);
    }
    if (nodes.length > 0) this.#next = (this.#next + looked) % nodes.length;
    return { fitting, refusals };
  }

  #best(
    info: PodInfo,
    fitting: readonly NodeRoom[],
    { scores: plugins }: Profile,
    more?: ReadonlyMap<string, number>,
  ): NodeRoom | undefined {
    if (fitting.length <= 1) return fitting[0];
    const totals = totalScores(info, fitting, { cluster: this.#cluster, plugins });
    if (more) for (const [index, { name }] of fitting.entries()) totals[index]! += more.get(name) ?? 0;
    return fitting[totals.indexOf(Math.max(...totals))];
  }
}

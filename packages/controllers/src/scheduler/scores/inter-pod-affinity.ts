import { type AffinityTerm, type Labelled, termMatches } from '../cluster/affinity-term.ts';
import type { ClusterState } from '../cluster/cluster-state.ts';
import { DomainCounts } from '../cluster/domain-counts.ts';
import type { PodShape } from '../cluster/pod-shape.ts';
import { type ScorePlugin, scoreMax } from './score-plugin.ts';

/** How much pods count that are there. */
export interface AffinityWeights {
  /** The weight of a term by which a pod must be near the newcomer, 0 to 100. */
  hardPodAffinityWeight: number;
  /** What they would rather have does not count, unless the newcomer has wishes itself. */
  ignorePreferredTermsOfExistingPods: boolean;
}

/** Nodes near pods that the pod would rather be near, or that would rather be near it; and far from the others. */
export function interPodAffinityBy(by: AffinityWeights): ScorePlugin {
  return {
    name: 'InterPodAffinity',
    weight: 2,
    score({ shape }, rooms, cluster) {
      const { preferredAffinity, preferredAntiAffinity } = shape.terms;
      const { all, withTerms } = cluster.shapes;
      const hasWishes = preferredAffinity.length + preferredAntiAffinity.length > 0;
      if (by.ignorePreferredTermsOfExistingPods && !hasWishes) return undefined;
      const weights = new DomainCounts();
      const { hardPodAffinityWeight: hard } = by;
      for (const other of hasWishes ? all : withTerms) count(weights, { shape, other, cluster, hard });
      if (weights.isEmpty) return undefined;
      const sums = rooms.map((room) => {
        let sum = 0;
        for (const weight of weights.of(room)) sum += weight;
        return sum;
      });
      const least = Math.min(...sums);
      const range = Math.max(...sums) - least;
      return sums.map((sum) => (range > 0 ? Math.trunc(scoreMax * ((sum - least) / range)) : 0));
    },
  };
}

/** As upstream unless it is told otherwise. */
export const interPodAffinity = interPodAffinityBy({
  hardPodAffinityWeight: 1,
  ignorePreferredTermsOfExistingPods: false,
});

function count(
  weights: DomainCounts,
  { shape, other, cluster, hard }: { shape: PodShape; other: PodShape; cluster: ClusterState; hard: number },
): void {
  const weigh = (terms: readonly AffinityTerm[], pod: Labelled, sign: number) => {
    for (const term of terms) {
      if (!termMatches(term, pod, cluster.namespaceLabels(pod.namespace))) continue;
      for (const [room, pods] of other.rooms) weights.add(room, term.topologyKey, sign * term.weight * pods);
    }
  };
  weigh(shape.terms.preferredAffinity, other, 1);
  weigh(shape.terms.preferredAntiAffinity, other, -1);
  if (hard > 0) weigh(other.terms.requiredAffinity, shape, hard);
  weigh(other.terms.preferredAffinity, shape, 1);
  weigh(other.terms.preferredAntiAffinity, shape, -1);
}

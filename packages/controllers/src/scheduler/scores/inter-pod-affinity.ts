import { type AffinityTerm, type Labelled, termMatches } from '../cluster/affinity-term.ts';
import type { ClusterState } from '../cluster/cluster-state.ts';
import { DomainCounts } from '../cluster/domain-counts.ts';
import type { PodShape } from '../cluster/pod-shape.ts';
import { type ScorePlugin, scoreMax } from './score-plugin.ts';

/** Nodes near pods that the pod would rather be near, or that would rather be near it; and far from the others. */
export const interPodAffinity: ScorePlugin = {
  name: 'InterPodAffinity',
  weight: 2,
  score({ shape }, rooms, cluster) {
    const { preferredAffinity, preferredAntiAffinity } = shape.terms;
    const { all, withTerms } = cluster.shapes;
    const hasWishes = preferredAffinity.length + preferredAntiAffinity.length > 0;
    const weights = new DomainCounts();
    for (const other of hasWishes ? all : withTerms) count(weights, { shape, other, cluster });
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

function count(
  weights: DomainCounts,
  { shape, other, cluster }: { shape: PodShape; other: PodShape; cluster: ClusterState },
): void {
  const weigh = (terms: readonly AffinityTerm[], pod: Labelled, sign: 1 | -1) => {
    for (const term of terms) {
      if (!termMatches(term, pod, cluster.namespaceLabels(pod.namespace))) continue;
      for (const [room, pods] of other.rooms) weights.add(room, term.topologyKey, sign * term.weight * pods);
    }
  };
  weigh(shape.terms.preferredAffinity, other, 1);
  weigh(shape.terms.preferredAntiAffinity, other, -1);
  weigh(other.terms.requiredAffinity, shape, 1);
  weigh(other.terms.preferredAffinity, shape, 1);
  weigh(other.terms.preferredAntiAffinity, shape, -1);
}

import { type AffinityTerm, type Labelled, termMatches } from '../cluster/affinity-term.ts';
import type { ClusterState } from '../cluster/cluster-state.ts';
import { DomainCounts } from '../cluster/domain-counts.ts';
import type { NodeView } from '../cluster/node-view.ts';
import type { PodInfo } from '../cluster/pod-info.ts';
import type { PodShape } from '../cluster/pod-shape.ts';
import { type FilterPlugin, type PodFilter, type Refusal, refuse } from './filter-plugin.ts';

const refused = {
  affinity: refuse("node(s) didn't match pod affinity rules", { isFinal: true }),
  antiAffinity: refuse("node(s) didn't match pod anti-affinity rules"),
  ofOthers: refuse("node(s) didn't satisfy existing pods anti-affinity rules"),
};

/** Pods that the pod must be near, that it must not be near, and that do not want it near them. */
export const interPodAffinity: FilterPlugin = {
  name: 'InterPodAffinity',
  helpedBy: ['node', 'pod-placed', 'pod-changed', 'pod-gone', 'namespace'],
  prepare(info, cluster) {
    const filter = new AffinityFilter(info, cluster);
    return filter.hasNothingToAsk ? undefined : filter;
  },
};

class AffinityFilter implements PodFilter {
  readonly #cluster: ClusterState;
  readonly #pod: PodShape;
  /** Pods by domain that match all terms of the pod's affinity. */
  readonly #near = new DomainCounts();
  /** Pods by domain that match a term of its anti-affinity. */
  readonly #unwanted = new DomainCounts();
  /** Pods by domain that do not want it near them. */
  readonly #averse = new DomainCounts();

  constructor({ shape }: PodInfo, cluster: ClusterState) {
    this.#cluster = cluster;
    this.#pod = shape;
    for (const other of cluster.shapes.withRequiredAntiAffinity)
      for (const [room, count] of other.rooms) this.#countAverse(other, room, count);
    const { requiredAffinity, requiredAntiAffinity } = shape.terms;
    if (requiredAffinity.length + requiredAntiAffinity.length === 0) return;
    for (const other of cluster.shapes.all) this.#countWanted(other, other.rooms);
  }

  get hasNothingToAsk(): boolean {
    const { requiredAffinity, requiredAntiAffinity } = this.#pod.terms;
    return this.#averse.isEmpty && requiredAffinity.length + requiredAntiAffinity.length === 0;
  }

  refusal(room: NodeView): Refusal | undefined {
    if (!this.#isNear(room)) return refused.affinity;
    const { requiredAntiAffinity } = this.#pod.terms;
    if (requiredAntiAffinity.some(({ topologyKey }) => (this.#unwanted.at(room, topologyKey) ?? 0) > 0))
      return refused.antiAffinity;
    for (const count of this.#averse.of(room)) if (count > 0) return refused.ofOthers;
    return undefined;
  }

  suppose({ shape }: PodInfo, room: NodeView, change: 1 | -1): void {
    this.#countAverse(shape, room, change);
    this.#countWanted(shape, [[room, change]]);
  }

  #isNear(room: NodeView): boolean {
    const { requiredAffinity } = this.#pod.terms;
    const found = requiredAffinity.map(({ topologyKey }) => this.#near.at(room, topologyKey));
    if (found.includes(undefined)) return false;
    if (found.every((count) => count! > 0)) return true;
    // The first of pods that want to be near each other has none to be near.
    return this.#near.isEmpty && requiredAffinity.every((term) => this.#matches(term, this.#pod));
  }

  #countAverse({ terms }: PodShape, room: NodeView, count: number): void {
    for (const term of terms.requiredAntiAffinity)
      if (this.#matches(term, this.#pod)) this.#averse.add(room, term.topologyKey, count);
  }

  #countWanted(other: PodShape, rooms: Iterable<[NodeView, number]>): void {
    const { requiredAffinity, requiredAntiAffinity } = this.#pod.terms;
    const isWanted =
      requiredAffinity.length > 0 && requiredAffinity.every((term) => this.#matches(term, other));
    const unwanted = requiredAntiAffinity.filter((term) => this.#matches(term, other));
    if (!isWanted && unwanted.length === 0) return;
    for (const [room, count] of rooms) {
      if (isWanted) for (const { topologyKey } of requiredAffinity) this.#near.add(room, topologyKey, count);
      for (const { topologyKey } of unwanted) this.#unwanted.add(room, topologyKey, count);
    }
  }

  #matches(term: AffinityTerm, pod: Labelled): boolean {
    return termMatches(term, pod, this.#cluster.namespaceLabels(pod.namespace));
  }
}

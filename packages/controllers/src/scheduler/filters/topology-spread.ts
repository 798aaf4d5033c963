import { ownValue } from '@wherry/kubeapi/objects';
import type { ClusterState } from '../cluster/cluster-state.ts';
import type { NodeView } from '../cluster/node-view.ts';
import type { PodInfo } from '../cluster/pod-info.ts';
import {
  constraintsOf,
  counts,
  hasAllKeys,
  isSibling,
  type SpreadConstraint,
  type SpreadDefaults,
  systemSpread,
} from '../cluster/spread-constraint.ts';
import { type FilterPlugin, type PodFilter, type Refusal, refuse } from './filter-plugin.ts';

const mismatch = "node(s) didn't match pod topology spread constraints";
const refused = {
  skew: refuse(mismatch),
  noLabel: refuse(`${mismatch} (missing required label)`, { isFinal: true }),
};

/** Topology spread constraints that must hold (`DoNotSchedule`), by default those. */
export function topologySpreadWith(defaults: SpreadDefaults): FilterPlugin {
  return {
    name: 'PodTopologySpread',
    helpedBy: ['node', 'pod-placed', 'pod-changed', 'pod-gone'],
    prepare(info, cluster) {
      const constraints = constraintsOf(info.pod, 'DoNotSchedule', { defaults, objects: cluster.objects });
      return constraints.length === 0 ? undefined : new SpreadFilter(info, constraints, cluster);
    },
  };
}

/** By default upstream's. */
export const topologySpread = topologySpreadWith(systemSpread);

class SpreadFilter implements PodFilter {
  readonly #info: PodInfo;
  readonly #constraints: readonly SpreadConstraint[];
  readonly #domains: readonly Domains[];

  constructor(info: PodInfo, constraints: readonly SpreadConstraint[], cluster: ClusterState) {
    this.#info = info;
    this.#constraints = constraints;
    this.#domains = constraints.map((constraint) => new Domains(constraint, info));
    for (const room of cluster.nodes)
      if (hasAllKeys(room, constraints)) for (const domains of this.#domains) domains.enter(room);
    for (const other of cluster.shapes.all)
      for (const domains of this.#domains)
        if (isSibling(domains.constraint, info, other))
          for (const [room, count] of other.rooms) domains.add(room.name, count);
  }

  refusal({ labels }: NodeView): Refusal | undefined {
    for (const domains of this.#domains) {
      const { topologyKey, maxSkew } = domains.constraint;
      const value = ownValue(labels, topologyKey);
      if (value === undefined) return refused.noLabel;
      if (domains.skewWith(value) > maxSkew) return refused.skew;
    }
    return undefined;
  }

  suppose({ shape }: PodInfo, room: NodeView, change: 1 | -1): void {
    if (!hasAllKeys(room, this.#constraints)) return;
    for (const domains of this.#domains)
      if (isSibling(domains.constraint, this.#info, shape)) domains.add(room.name, change);
  }
}

/** How many siblings each domain of one constraint has. */
class Domains {
  readonly constraint: SpreadConstraint;
  readonly #info: PodInfo;
  readonly #self: 0 | 1;
  readonly #valueOf = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  #least: number | undefined;

  constructor(constraint: SpreadConstraint, info: PodInfo) {
    this.constraint = constraint;
    this.#info = info;
    this.#self = constraint.selector.matches(info.shape.labels) ? 1 : 0;
  }

  /** Takes a node's domain into account, if the constraint's policies do. */
  enter(room: NodeView): void {
    if (!counts(this.constraint, this.#info, room)) return;
    const value = ownValue(room.labels, this.constraint.topologyKey)!;
    this.#valueOf.set(room.name, value);
    this.#counts.set(value, 0);
  }

  /** Adds to the domain of a node that was entered. */
  add(nodeName: string, count: number): void {
    const value = this.#valueOf.get(nodeName);
    if (value === undefined) return;
    this.#counts.set(value, this.#counts.get(value)! + count);
    this.#least = undefined;
  }

  /** By how much that domain would be ahead of the emptiest. */
  skewWith(value: string): number {
    this.#least ??= this.#fewest();
    return (this.#counts.get(value) ?? 0) + this.#self - this.#least;
  }

  #fewest(): number {
    if (this.#counts.size < this.constraint.minDomains) return 0;
    let least = Number.POSITIVE_INFINITY;
    for (const count of this.#counts.values()) least = Math.min(least, count);
    return least;
  }
}

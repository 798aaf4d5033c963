import type { KubeletConfiguration } from '../../configuration/configuration.ts';
import type { Hint, ResourceHints } from './hints.ts';
import { isNarrower, type MemoryNodes, type NodeMask, nodeCount } from './memory-nodes.ts';

/** How strictly what a container gets has to be of the same memory nodes. */
export type TopologyPolicy = KubeletConfiguration['topologyManagerPolicy'];

/** How hints of several resources become one. */
export interface MergeRules {
  policy: TopologyPolicy;
  nodes: MemoryNodes;
  /** Nodes that are near to one another go before those of lower numbers. */
  prefersClosest: boolean;
}

/** A hint for all resources together, and whether the policy lets the container in. */
export interface MergedHint {
  hint: Hint;
  isAdmitted: boolean;
}

type Compare = (current: Hint | undefined, candidate: Hint) => Hint | undefined;

/** Chooses the nodes that suit all resources best (upstream: pkg/kubelet/cm/topologymanager policy.go). */
export function mergeHints(rules: MergeRules, providers: readonly ResourceHints[]): MergedHint {
  const { policy, nodes } = rules;
  if (policy === 'none') return { hint: { nodes: undefined, isPreferred: false }, isAdmitted: true };
  const isSingle = policy === 'single-numa-node';
  const lists = providers.flatMap(hintLists).map((hints) => (isSingle ? hints.filter(isSingleNode) : hints));
  const best = bestOf(lists, nodes.all, comparison(rules, mostOfNarrowest(lists)));
  const hint = best ?? { nodes: nodes.all, isPreferred: false };
  const isAdmitted = policy === 'best-effort' || hint.isPreferred;
  if (isSingle && hint.nodes === nodes.all)
    return { hint: { nodes: undefined, isPreferred: hint.isPreferred }, isAdmitted };
  return { hint, isAdmitted };
}

/** One list for each resource. */
function hintLists(hints: ResourceHints): (readonly Hint[])[] {
  if (hints.size === 0) return [[{ nodes: undefined, isPreferred: true }]];
  return [...hints.values()].map((list) => {
    if (list === undefined) return [{ nodes: undefined, isPreferred: true }];
    return list.length === 0 ? [{ nodes: undefined, isPreferred: false }] : list;
  });
}

const isSingleNode = ({ nodes, isPreferred }: Hint) =>
  isPreferred && (nodes === undefined || nodeCount(nodes) === 1);

/** Of what needs the most nodes, how many: what is not preferred comes as close to it as it can. */
function mostOfNarrowest(lists: readonly (readonly Hint[])[]): number {
  const narrowest = lists.map((hints) =>
    Math.min(...hints.flatMap(({ nodes }) => (nodes === undefined ? [] : [nodeCount(nodes)]))),
  );
  return Math.max(0, ...narrowest.filter(Number.isFinite));
}

/** Choices of one hint of each list that come to the same are the same choice. */
interface Choice {
  common: NodeMask;
  /** The nodes of the first hint that names any; -1 once it does not matter. */
  first: NodeMask | undefined;
  isPreferred: boolean;
}

/**
 * The best of all choices of one hint of each list. There are as many as the product of the lists' lengths, but few that
 * differ in what counts: what their nodes have in common, and whether all are preferred and of the same nodes.
 */
function bestOf(lists: readonly (readonly Hint[])[], all: NodeMask, compare: Compare): Hint | undefined {
  let choices = new Map<string, Choice>([['', { common: all, first: undefined, isPreferred: true }]]);
  for (const hints of lists) {
    const next = new Map<string, Choice>();
    for (const choice of choices.values())
      for (const hint of hints) {
        const chosen = choose(choice, hint);
        next.set(`${chosen.common} ${chosen.first} ${chosen.isPreferred}`, chosen);
      }
    choices = next;
  }
  let best: Hint | undefined;
  for (const { common, isPreferred } of choices.values())
    best = compare(best, { nodes: common, isPreferred });
  return best;
}

function choose({ common, first, isPreferred }: Choice, hint: Hint): Choice {
  const named = hint.nodes;
  const isAlike = named === undefined || first === undefined || named === first;
  const isStillPreferred = isPreferred && hint.isPreferred && isAlike;
  return {
    common: named === undefined ? common : common & named,
    first: isStillPreferred ? (first ?? named) : -1,
    isPreferred: isStillPreferred,
  };
}

function comparison({ policy, nodes, prefersClosest }: MergeRules, target: number): Compare {
  const isFitter = prefersClosest && policy !== 'single-numa-node' ? closer(nodes) : isNarrower;
  return (current, candidate) => {
    const [theirs, own] = [candidate.nodes ?? 0, current?.nodes ?? 0];
    if (theirs === 0) return current;
    if (current === undefined) return candidate;
    if (current.isPreferred !== candidate.isPreferred) return current.isPreferred ? current : candidate;
    const [count, ownCount] = [nodeCount(theirs), nodeCount(own)];
    const isNearer =
      current.isPreferred || count === ownCount || ownCount > target
        ? isFitter(theirs, own)
        : count <= target && count > ownCount;
    return isNearer ? candidate : current;
  };
}

function closer(nodes: MemoryNodes) {
  return (one: NodeMask, other: NodeMask) => {
    if (nodeCount(one) !== nodeCount(other)) return isNarrower(one, other);
    const [distance, otherDistance] = [nodes.meanDistance(one), nodes.meanDistance(other)];
    return distance === otherDistance ? one < other : distance < otherDistance;
  };
}

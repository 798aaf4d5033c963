import { type Chain, dropIt, jumpTo, keyPart, type Share } from '@wherry/linux';
import type { NamedPort, PodFacts } from '../objects/pod-facts.ts';
import { namedPortElement } from '../table/elements.ts';
import { type Direction, openChain, podsChain, sets } from '../table/names.ts';

/** The chains of pods that the same policies select; undefined for a direction of which none of those says anything. */
export type PodsChains = Readonly<Record<Direction, Chain | undefined>>;

/** The chain of the pods that these policies, by their chains' names, select: what none of them accepts is dropped. */
export function chainOfPods(direction: Direction, policies: readonly string[]): Chain | undefined {
  if (policies.length === 0) return undefined;
  const sorted = [...new Set(policies)].sort();
  const rules = [...sorted.map((policy) => [jumpTo(policy)]), [dropIt]];
  return { name: podsChain(direction, sorted), rules };
}

/** What policies have to do with a pod. */
export interface PodInPolicies {
  chains: PodsChains;
  /** Names of the sets of the selections that it is a peer by. */
  peerSets: readonly string[];
  /** Its ports whose names policies use. */
  ports: readonly NamedPort[];
}

/** What a pod puts into the table. */
export function podShare(
  { address, isLocal }: PodFacts,
  { chains: { ingress, egress }, peerSets, ports }: PodInPolicies,
): Share {
  const key = keyPart.address(address);
  const others = [
    ...peerSets.map((set) => ({ set, key })),
    ...ports.map((port) => namedPortElement(address, port)),
  ];
  if (!isLocal) return { elements: others };
  const chains = [ingress, egress].filter((chain) => chain !== undefined);
  const own = [
    { set: sets.ingress, key, goto: ingress?.name ?? openChain },
    { set: sets.egress, key, goto: egress?.name ?? openChain },
    ...(chains.length > 0 ? [{ set: sets.itself, key: Buffer.concat([key, key]) }] : []),
  ];
  return { elements: [...own, ...others], chains };
}

import type { AddressFamily, Chain, NamedSet } from '@wherry/linux';
import type { NamedPort } from '../objects/pod-facts.ts';
import type { AllowedPorts, AllowRule, Peers, PolicyFacts } from '../objects/policy-facts.ts';
import type { Selection } from '../objects/selection.ts';
import { setOfNamedPort, setOfRanges, setOfSelection } from './elements.ts';
import {
  type Direction,
  namedPortSet,
  policyChain,
  portsChain,
  rangesSet,
  selectionSet,
  sets,
} from './names.ts';
import { type ChainRule, stepsOf } from './rule-steps.ts';

/** A port that pods have under a name of their own. */
export type PortName = Pick<NamedPort, 'name' | 'protocol'>;

/** What one direction of a policy is in the table. */
export interface PolicyChains {
  /** The chain that accepts what the policy allows, and lets all else go on. */
  name: string;
  chains: readonly Chain[];
  sets: readonly NamedSet[];
  /** The peers that are selected by labels. */
  selections: readonly Selection[];
  portNames: readonly PortName[];
}

/** What a policy says of a direction, for one family of addresses. */
export interface DirectionOptions {
  family: AddressFamily;
  rules: readonly AllowRule[];
  /** Whether the cluster's DNS is one of a selection. */
  hasDns(selection: Selection): boolean;
}

/** The chains of one direction. */
export function policyChains(
  policy: PolicyFacts,
  direction: Direction,
  { family, rules, hasDns }: DirectionOptions,
): PolicyChains {
  const chains = new Map<string, Chain>();
  const content = rules.flatMap(({ peers, ports }) => {
    const isDns = direction === 'egress' && (peers?.selections ?? []).some(hasDns);
    return rulesOf(peerRules(peers, isDns), portRules(ports), (several) => {
      const name = portsChain(several);
      chains.set(name, { name, rules: several.map((each) => stepsOf(family, direction, each)) });
      return name;
    });
  });
  const name = policyChain(direction, policy, content);
  chains.set(name, { name, rules: content.map((each) => stepsOf(family, direction, each)) });
  const selections = rules.flatMap(({ peers }) => peers?.selections ?? []);
  const ranges = rules.map(({ peers }) => peers?.ranges ?? []).filter(({ length }) => length > 0);
  const portNames = rules.flatMap(({ ports }) =>
    (ports ?? []).flatMap(({ name, protocol }) => (name === undefined ? [] : [{ name, protocol }])),
  );
  const everySet = [
    ...selections.map(setOfSelection),
    ...ranges.map((some) => setOfRanges(family, some)),
    ...portNames.map(setOfNamedPort),
  ];
  return {
    name,
    chains: [...chains.values()],
    sets: [...new Map(everySet.map((set) => [set.name, set])).values()],
    selections: [...new Map(selections.map((each) => [each.id, each])).values()],
    portNames: [...new Map(portNames.map((each) => [namedPortSet(each), each])).values()],
  };
}

/** Each of the peers with each of the ports: where there are several of both, the ports are a chain of their own. */
function rulesOf(
  peers: readonly ChainRule[],
  ports: readonly ChainRule[],
  chainOf: (ports: readonly ChainRule[]) => string,
): ChainRule[] {
  if (peers.length > 1 && ports.length > 1) {
    const jump = chainOf(ports);
    return peers.map((peer) => ({ ...peer, jump }));
  }
  return peers.flatMap((peer) =>
    ports.map((port) => {
      const receivers = [...(peer.receivers ?? []), ...(port.receivers ?? [])];
      return { ...peer, ...port, ...(receivers.length > 0 && { receivers }) };
    }),
  );
}

/** A condition for each; the one without words holds for everyone. */
function peerRules(peers: Peers | undefined, isDns: boolean): ChainRule[] {
  if (!peers) return [{}];
  const { selections, ranges } = peers;
  const names = new Set([...selections.map(selectionSet), ...(ranges.length > 0 ? [rangesSet(ranges)] : [])]);
  return [...[...names].map((peer) => ({ peer })), ...(isDns ? [{ receivers: [sets.dns] }] : [])];
}

const portRules = (ports: readonly AllowedPorts[] | undefined): ChainRule[] =>
  ports?.map((port) => {
    const { protocol, name, first, last } = port;
    if (name !== undefined) return { receivers: [namedPortSet({ name, protocol })] };
    return first === undefined ? { protocol } : { protocol, first, last };
  }) ?? [{}];

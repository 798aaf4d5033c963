import type { NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort } from '@wherry/kubeapi';
import type { AddressFamily } from '@wherry/linux';
import { type AddressRange, rangesOf } from './address-ranges.ts';
import { isProtocol, type Protocol } from './pod-facts.ts';
import { type Selection, selectionOf } from './selection.ts';

/** Ports that a rule allows. */
export interface AllowedPorts {
  protocol: Protocol;
  /** What the receiving pod calls it. */
  name?: string | undefined;
  /** Undefined, beside no name, for all of the protocol. */
  first?: number | undefined;
  last?: number | undefined;
}

/** Who may be at the other end. */
export interface Peers {
  selections: readonly Selection[];
  ranges: readonly AddressRange[];
}

/** One thing that is allowed. */
export interface AllowRule {
  /** Undefined for everyone. */
  peers: Peers | undefined;
  /** Undefined for all ports of all protocols, and what has no ports. */
  ports: readonly AllowedPorts[] | undefined;
}

/** What a policy says. */
export interface PolicyFacts {
  namespace: string;
  name: string;
  pods: Selection;
  /** All that is allowed to come in; undefined where the policy says nothing of it. */
  ingress: readonly AllowRule[] | undefined;
  /** All that is allowed to go out. */
  egress: readonly AllowRule[] | undefined;
}

/** Reads a policy, and of its blocks those of a family; without types it is of incoming, and of outgoing where it has rules for it. */
export function policyFactsOf({ metadata, spec = {} }: NetworkPolicy, family: AddressFamily): PolicyFacts {
  const { podSelector, policyTypes = [], ingress = [], egress = [] } = spec;
  const namespace = metadata?.namespace ?? '';
  const types = policyTypes.length > 0 ? policyTypes : ['Ingress', ...(egress.length > 0 ? ['Egress'] : [])];
  const rule = (peers: NetworkPolicyPeer[] = [], ports: NetworkPolicyPort[] = []): AllowRule => ({
    peers: peers.length > 0 ? peersOf(namespace, peers, family) : undefined,
    ports: ports.length > 0 ? ports.flatMap(portsOf) : undefined,
  });
  return {
    namespace,
    name: metadata?.name ?? '',
    pods: selectionOf(namespace, podSelector),
    ingress: types.includes('Ingress') ? ingress.map(({ from, ports }) => rule(from, ports)) : undefined,
    egress: types.includes('Egress') ? egress.map(({ to, ports }) => rule(to, ports)) : undefined,
  };
}

function peersOf(namespace: string, peers: readonly NetworkPolicyPeer[], family: AddressFamily): Peers {
  const selections = peers.flatMap(({ podSelector, namespaceSelector }) =>
    podSelector || namespaceSelector ? [selectionOf(namespace, podSelector, namespaceSelector)] : [],
  );
  return {
    selections,
    ranges: rangesOf(
      peers.flatMap(({ ipBlock }) => ipBlock ?? []),
      family,
    ),
  };
}

function portsOf({ protocol = 'TCP', port, endPort }: NetworkPolicyPort): AllowedPorts[] {
  if (!isProtocol(protocol)) return [];
  if (typeof port === 'string') return [{ protocol, name: port }];
  return [{ protocol, first: port, last: endPort ?? port }];
}

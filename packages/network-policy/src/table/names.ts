import { createHash } from 'node:crypto';
import type { AddressRange } from '../objects/address-ranges.ts';
import type { NamedPort } from '../objects/pod-facts.ts';
import type { Selection } from '../objects/selection.ts';

/** Which way a connection goes, as its pod sees it. */
export type Direction = 'ingress' | 'egress';

/** Names of the sets that a node's table always has. */
export const sets = {
  /** Address of a pod of this node → the chain that says what may come in. */
  ingress: 'ingress',
  /** The same of what may go out. */
  egress: 'egress',
  /** Pods that policies select, each beside itself: no pod is kept from itself. */
  itself: 'itself',
  /** The bridge, while pods whose policies are not known have no connections. */
  closed: 'closed',
  /** Address, protocol and port of the cluster's DNS on this machine. */
  dns: 'cluster-dns',
} as const;

/** Sets that follow from objects; the ranges of a block are in its name. */
export const isKept = (name: string): boolean => name !== sets.dns && !name.startsWith(blockPrefix);

/** Whether a set or chain is there for a policy: all others are always there. */
export const isOfPolicies = (name: string): boolean => name.includes('/');

/** The chain of pods that no policy selects. */
export const openChain = 'open';

/** The nftables table of the node whose pods are on that bridge. */
export const tableOf = (bridgeName: string): string => `wherry-${bridgeName}-policies`;

const blockPrefix = 'block/';
const hashDigits = 32;
const namespaceLettersMax = 63;
const nameLettersMax = 100;

/** Names end with a hash of what they stand for, so that two of one name are the same. */
export const hashOf = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, hashDigits);

/** Addresses of the pods of a selection. */
export const selectionSet = ({ id }: Selection): string => `select/${hashOf(id)}`;

/** Addresses of ranges. */
export const rangesSet = (ranges: readonly AddressRange[]): string =>
  `${blockPrefix}${hashOf(ranges.map(({ first, last }) => `${first}-${last}`))}`;

/** Address, protocol and port of the pods that have a port of that name. */
export const namedPortSet = ({ name, protocol }: Pick<NamedPort, 'name' | 'protocol'>): string =>
  `port/${protocol.toLowerCase()}/${/^[\w-]{1,15}$/.test(name) ? name : hashOf(name)}`;

/** The chain of what a policy allows, whose rules are `content`. */
export function policyChain(
  direction: Direction,
  { namespace, name }: { namespace: string; name: string },
  content: unknown,
): string {
  const words = [direction, namespace.slice(0, namespaceLettersMax), name.slice(0, nameLettersMax)];
  return [...words, hashOf(content)].join('/');
}

/** The chain of several ports that several peers may use. */
export const portsChain = (content: unknown): string => `ports/${hashOf(content)}`;

/** The chain of the pods that these policies select. */
export const podsChain = (direction: Direction, policies: readonly string[]): string =>
  `pods/${direction}/${hashOf(policies)}`;

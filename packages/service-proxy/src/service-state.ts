import { type AddressFamily, keyPart, type Share } from '@wherry/linux';
import { rangeOf } from './services/address-range.ts';
import { type Endpoint, endpointKey, type Target } from './services/endpoints.ts';
import type { Frontend } from './services/frontends.ts';
import { choiceChain } from './table/choices.ts';
import { elementsOfFrontend, frontendKey, keepOrder } from './table/elements.ts';
import { guardChain, unassignedChain } from './table/guards.ts';
import { sets } from './table/names.ts';

/** A frontend with its endpoints in the order that the kernel has them in. */
export interface OrderedFrontend extends Frontend {
  key: Buffer;
  endpoints: readonly Endpoint[];
}

/** The order of endpoints by the key of their frontend, in hex. */
export type Orders = ReadonlyMap<string, readonly Target[]>;

/** The frontends of a service, ordered after those that it had before, else as an earlier process left them. */
export function orderedFrontends(
  frontends: readonly Frontend[],
  before: readonly OrderedFrontend[],
  found: Orders,
): OrderedFrontend[] {
  const earlier = new Map(before.map(({ key, endpoints }) => [key.toString('hex'), endpoints]));
  return frontends.map((frontend) => {
    const key = frontendKey(frontend);
    const id = key.toString('hex');
    const order = earlier.get(id) ?? found.get(id) ?? [];
    return { ...frontend, key, endpoints: keepOrder(order, frontend.endpoints) };
  });
}

/** What these frontends put into the table. */
export function shareOf(family: AddressFamily, frontends: readonly OrderedFrontend[]): Share {
  const parts = frontends.map((frontend) => elementsOfFrontend(frontend, frontend.endpoints));
  return {
    elements: parts.flatMap(({ elements }) => elements),
    chains: [
      ...parts.flatMap(({ choice }) => (choice ? [choiceChain(family, choice)] : [])),
      ...frontends.flatMap(({ sources }) => (sources ? [guardChain(family, sources)] : [])),
    ],
  };
}

/** IP_CT_DIR_ORIGINAL of linux/netfilter/nf_conntrack_tuple_common.h; a key of one part is no longer than that part. */
const fromClient = Buffer.from([0]);

/** What is put into the table for ranges of services' addresses beside the one that its rules have. */
export function shareOfRanges(family: AddressFamily, cidrs: readonly string[]): Share | undefined {
  const ranges = cidrs.flatMap((cidr) => rangeOf(cidr, family) ?? []);
  if (ranges.length === 0) return undefined;
  const chain = unassignedChain(family, ranges);
  return { elements: [{ set: sets.unassigned, key: fromClient, goto: chain.name }], chains: [chain] };
}

/** What is put into the table for addresses that node ports are at. */
export function shareOfNode(addresses: readonly string[]): Share | undefined {
  if (addresses.length === 0) return undefined;
  const set = sets.nodeAddresses;
  return { elements: addresses.map((address) => ({ set, key: keyPart.address(address) })), chains: [] };
}

/** A frontend whose clients stay with their endpoints, or did. */
export interface AffinityChange {
  key: Buffer;
  /** The endpoints as the numbers that clients are kept to meant them. */
  order: readonly Target[];
  /** What endpoints are numbered now. */
  numbers: ReadonlyMap<string, number>;
}

/** The frontends whose clients have to be looked at. Numbers from before a frontend kept its clients mean nothing. */
export function affinityChanges(change: {
  before: readonly OrderedFrontend[];
  after: readonly OrderedFrontend[];
  found: Orders;
}): AffinityChange[] {
  const byId = (frontends: readonly OrderedFrontend[]) =>
    new Map(frontends.map((frontend) => [frontend.key.toString('hex'), frontend]));
  const [before, after] = [byId(change.before), byId(change.after)];
  return [...new Map([...before, ...after])].flatMap(([id, { key }]) => {
    const [was, is] = [before.get(id), after.get(id)];
    if (was?.affinitySeconds === undefined && is?.affinitySeconds === undefined) return [];
    const kept = was?.affinitySeconds === undefined ? [] : was.endpoints;
    const now = is?.affinitySeconds === undefined ? [] : is.endpoints;
    return {
      key,
      order: was ? kept : (change.found.get(id) ?? []),
      numbers: new Map(now.map((endpoint, at) => [endpointKey(endpoint), at])),
    };
  });
}
